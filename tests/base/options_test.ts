import {
  ENVIRONMENT_CHECKS,
  isCount,
  isDelay,
  isFlag,
  isFunction,
  isName,
  isOneOf,
  isTimeLimit,
  type OptionChecks,
  requireOptions,
} from "../../src/base/mod.ts";
import { assertThrows } from "@std/assert";

interface Options {
  readonly leaderElection?: boolean;
  readonly workers?: number;
  readonly name?: string;
  readonly run?: () => void;
}

const CHECKS: OptionChecks<Options> = {
  leaderElection: isFlag,
  workers: isCount(1),
  name: isName,
  run: isFunction,
};

function require(options: unknown): void {
  requireOptions("Manager", options, CHECKS);
}

Deno.test("requireOptions() accepts every known option, and undefined ones", () => {
  require({});
  require({ leaderElection: false, workers: 2, name: "a", run: () => {} });
  require({ leaderElection: undefined, leaderelection: undefined });
});

Deno.test("requireOptions() names an unknown option and the most similar known one", () => {
  assertThrows(
    () => require({ leaderelection: true }),
    TypeError,
    'Manager has no option "leaderelection": did you mean "leaderElection"?',
  );
  assertThrows(
    () => require({ concurrency: 2 }),
    TypeError,
    'Manager has no option "concurrency": it takes leaderElection, workers, name, run',
  );
});

Deno.test("requireOptions() cuts a long name in its message", () => {
  const error = assertThrows(() => require({ ["x".repeat(100_000)]: 1 }), TypeError);
  if (error.message.length > 300) throw error;
});

Deno.test("requireOptions() refuses values that are not objects", () => {
  for (const options of [null, undefined, "text", 1, [], () => {}]) {
    assertThrows(() => require(options), TypeError, "Manager takes an object with options");
  }
});

Deno.test("requireOptions() shows numbers given as text with their quotes", () => {
  assertThrows(
    () => require({ workers: "2" }),
    RangeError,
    'workers must be a whole number of at least 1: received the text "2"',
  );
});

Deno.test("requireOptions() does not take null for an option that is not set", () => {
  assertThrows(() => require({ leaderElection: null }), TypeError, "received null");
});

Deno.test("requireOptions() leaves members of an instance of a class alone", () => {
  class Controller {
    workers = 2;
    state = "its own";
  }
  require(new Controller());
  class Wrong {
    workers = 0;
  }
  assertThrows(() => require(new Wrong()), RangeError, "workers must be");
});

Deno.test("requireOptions() is not misled by names of Object.prototype", () => {
  assertThrows(() => require({ toString: () => "" }), TypeError, 'no option "toString"');
  const options = JSON.parse('{"__proto__": 1}');
  assertThrows(() => require(options), TypeError, 'no option "__proto__"');
});

Deno.test("checks of options say what they expect", () => {
  assertThrows(() => isOneOf("a", "b")("mode", "c"), TypeError, 'mode must be one of "a", "b"');
  assertThrows(() => isDelay("delayMs", -1), RangeError, "delayMs must not be negative");
  assertThrows(() => isTimeLimit("timeoutMs", 0), RangeError, "timeoutMs must be a number");
  assertThrows(() => isName("name", ""), TypeError, 'received ""');
  assertThrows(
    () => requireOptions("Client", { clock: {} }, ENVIRONMENT_CHECKS),
    TypeError,
    "Expected a clock: received an object without now()",
  );
});
