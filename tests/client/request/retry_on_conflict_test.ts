import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  defaultBackoff,
  type defaultRetry,
  retryOnConflict,
  retryOnError,
} from "../../../src/client/mod.ts";
import { TerminalError } from "../../../src/base/mod.ts";
import { StatusError } from "../../../src/types/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";

const conflict = () => new StatusError({ code: 409, reason: "Conflict" });
const random = { next: () => 0 };

/**
 * Runs retryOnConflict() with a function that fails with `errorAt`. Returns the times of its calls, and the outcome.
 */
async function attempts(
  options: { backoff?: typeof defaultRetry },
  errorAt: (call: number) => Error | undefined,
) {
  const clock = new VirtualClock();
  const times: number[] = [];
  const outcome = await clock.run(
    retryOnConflict(() => {
      times.push(clock.now());
      const error = errorAt(times.length);
      if (error !== undefined) throw error;
      return "done";
    }, { clock, random, ...options }).catch((error) => error),
  );
  return { times, outcome };
}

Deno.test("retryOnConflict() tries again after an error that a conflict has caused", async () => {
  const wrapped = () => new Error("cannot write", { cause: conflict() });
  const { times, outcome } = await attempts({}, (call) => call === 1 ? wrapped() : undefined);
  assertEquals([times, outcome], [[0, 10], "done"]);
});

Deno.test("retryOnConflict() does not try again after an error that a TerminalError has caused", async () => {
  const final = new AggregateError([conflict(), new TerminalError("closed")]);
  const { times, outcome } = await attempts({}, () => final);
  assertEquals(times, [0]);
  assertStrictEquals(outcome, final);
});

Deno.test("retryOnConflict() tries five times, 10 ms apart, and throws the last conflict", async () => {
  const errors = Array.from({ length: 5 }, conflict);
  const { times, outcome } = await attempts({}, (call) => errors[call - 1]);
  assertEquals(times, [0, 10, 20, 30, 40]);
  assertStrictEquals(outcome, errors[4]);
});

Deno.test("retryOnConflict() with defaultBackoff waits 10, 50 and 250 ms", async () => {
  const { times } = await attempts({ backoff: defaultBackoff }, conflict);
  assertEquals(times, [0, 10, 60, 310]);
});

Deno.test("retryOnConflict() returns the result of the first call that succeeds", async () => {
  const { times, outcome } = await attempts({}, (call) => call < 3 ? conflict() : undefined);
  assertEquals([times.length, outcome], [3, "done"]);
});

Deno.test("retryOnConflict() throws any other error immediately", async () => {
  const other = new DOMException("of fn's own", "TimeoutError");
  const { times, outcome } = await attempts({}, (call) => call === 1 ? conflict() : other);
  assertEquals(times.length, 2);
  assertStrictEquals(outcome, other);
});

Deno.test("retryOnError() makes the number of tries in the backoff, which must be at least one", async () => {
  let tries = 0;
  await retryOnError(() => true, () => {
    if (++tries < 3) throw new Error("again");
  }, { clock: new VirtualClock(), backoff: { durationMs: 0, steps: 1 } }).catch(() => {});
  assertEquals(tries, 1);
  const none = { backoff: { durationMs: 1 } };
  await assertRejects(() => retryOnError(() => true, () => {}, none), RangeError, "steps");
});

Deno.test("retryOnConflict() stops waiting when the signal aborts", async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const pending = retryOnConflict(() => {
    throw conflict();
  }, { clock, signal: stop.signal });
  await clock.settle();
  stop.abort(new Error("enough"));
  await assertRejects(() => pending, Error, "enough");
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("retryOnConflict() and retryOnError() end with their signal, and take no asynchronous retriable", async () => {
  const stop = new AbortController();
  const ends = [retryOnConflict, retryOnError.bind(undefined, () => true)].map((retry) =>
    assertRejects(
      () => retry(() => new Promise(() => {}), { signal: stop.signal }),
      Error,
      "enough",
    )
  );
  stop.abort(new Error("enough"));
  await Promise.all(ends);

  const asynchronous = (() => Promise.reject(new Error("late"))) as unknown as () => boolean;
  await assertRejects(
    () => retryOnError(asynchronous, () => Promise.reject(new Error("not yet"))),
    TypeError,
    "retriable of retryOnError() must not be asynchronous: it returned a promise",
  );
});
