import { assert, assertEquals, assertMatch, assertStrictEquals } from "@std/assert";
import { inspect } from "node:util";
import {
  defaultLogger,
  type Logger,
  safeLogger,
  TerminalError,
  visibleText,
} from "../../src/base/mod.ts";
import { StatusError } from "../../src/types/mod.ts";

/** Everything that a terminal or a log acts on, and a line that a tenant has forged. */
const EVIL =
  "nginx\u001b[2J\u001b]52;c;bHM=\u0007\r\n2026-01-01 INFO all is well\u202e\u2028\u0000\u009b";

/** Characters that no part of an error may have; a line break is allowed in stacks only. */
// deno-lint-ignore no-control-regex
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/;

/** Returns what a logger gets after a line. */
function passed(...args: unknown[]): unknown[] {
  let got: unknown[] = [];
  const write = (_: string, ...more: unknown[]) => void (got = more);
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  safeLogger(logger, (text) => text.replaceAll("t0ken", "(hidden)")).error("line", ...args);
  return got;
}

/** Runs `fn` while what it writes to the console is recorded. */
function printed(fn: () => void): unknown[][] {
  const lines: unknown[][] = [];
  const { console } = globalThis;
  const { warn, error } = console;
  console.warn = console.error = (...args) => void lines.push(args);
  try {
    fn();
  } finally {
    Object.assign(console, { warn, error });
  }
  return lines;
}

Deno.test("safeLogger() passes on an error that is safe to print unchanged", () => {
  const cause = new TypeError("inner");
  const errors = [new Error("one"), new RangeError("two")];
  for (
    const error of [
      new Error("plain words, ünïcode and 日本"),
      new Error(""),
      new TerminalError("terminal"),
      new Error("outer", { cause }),
      new AggregateError(errors, "many"),
      new DOMException("late", "TimeoutError"),
      new StatusError({ code: 404, reason: "NotFound", message: 'pods "a" not found' }),
    ]
  ) assertStrictEquals(passed(error)[0], error, error.message);
  const plain = { a: [1, "two", { three: null }], error: new Error("x"), when: new Date(0) };
  assertStrictEquals(passed(plain)[0], plain);
});

Deno.test("safeLogger() replaces an error that would forge lines by a safe copy of the same class", () => {
  class ImageError extends Error {
    override readonly name = "ImageError";
    readonly image = EVIL;
    readonly tries = 3;
  }
  const inner = new ImageError(`inner ${EVIL} t0ken`);
  const error = new TerminalError(`cannot parse ${EVIL}`, { cause: inner });
  const [copy] = passed(error) as [TerminalError & { cause: ImageError }];
  assert(TerminalError.is(copy) && copy instanceof TerminalError);
  assertEquals([copy.name, copy.message], [
    "TerminalError",
    `cannot parse ${visibleText(EVIL, 1000)}`,
  ]);
  const { cause } = copy;
  assert(cause instanceof ImageError);
  assertEquals([cause.image, cause.tries, cause.name], [visibleText(EVIL, 1000), 3, "ImageError"]);
  assertEquals(cause.message, `inner ${visibleText(EVIL, 1000)} (hidden)`);
  for (const { message, stack = "", name } of [copy, cause]) {
    assert(stack.includes(message), stack);
    assertEquals([RAW.test(stack), RAW.test(message), message.includes("\n")], [
      false,
      false,
      false,
    ]);
    const [header, ...frames] = stack.split("\n");
    assert(frames.length > 0 && frames.every((line) => line.startsWith("    at ")), stack);
    // The stack is older than the field `name` of the class.
    assert([`Error: ${message}`, `${name}: ${message}`].includes(header ?? ""), header);
  }
  // The original is unchanged.
  assert(error.message.includes(EVIL));
});

Deno.test("safeLogger() keeps the class of errors of servers and of the platform", () => {
  const status = new StatusError({ code: 409, reason: "Conflict", message: EVIL.repeat(300) });
  const [copy] = passed(status) as [StatusError];
  assert(StatusError.is(copy) && copy instanceof StatusError);
  assertEquals([copy.code, copy.reason], [409, "Conflict"]);
  assertEquals(RAW.test(JSON.stringify(copy.status)), false);
  const [late] = passed(new DOMException(EVIL, "TimeoutError")) as [DOMException];
  assert(late instanceof DOMException);
  assertEquals([late.name, late.code, late.message], [
    "TimeoutError",
    23,
    visibleText(EVIL, 1000),
  ]);
  const many = new AggregateError([new Error(EVIL), "t0ken", 3], EVIL);
  const [all] = passed(many) as [AggregateError];
  assert(all instanceof AggregateError);
  assertEquals(all.errors.map((one) => one instanceof Error ? one.message : one), [
    visibleText(EVIL, 1000),
    "(hidden)",
    3,
  ]);
});

Deno.test("safeLogger() bounds what follows a line", () => {
  const long = "\u0000x".repeat(1_000_000);
  const wide = Object.assign(new Error(long, { cause: new Error(long) }), { long, more: [long] });
  const nested: unknown[] = [];
  nested.push(nested, nested, wide);
  for (const arg of [long, wide, nested, { [long]: long }, new Array(1e6).fill("x")]) {
    const whole = { depth: 20, maxArrayLength: Infinity, maxStringLength: Infinity };
    const size = inspect(passed(arg, arg), whole).length;
    assert(size < 40_000, `${size}`);
  }
  const [copy] = passed(new Error(long)) as [Error];
  assert(copy.message.length < 2_100 && (copy.stack?.length ?? 0) < 8_000);
});

Deno.test("safeLogger() reads errors and objects that throw, change or refer to themselves", () => {
  const circular: Error & { cause?: unknown } = new Error("a");
  circular.cause = circular;
  const late = new Error("first");
  late.message = "second\nWARN forged";
  const nameless = new Error("x\ny");
  nameless.stack = "x\ny\n    at 2026-01-01 WARN forged\nWARN forged\n    at f (f.ts:1:1)";
  class Private extends Error {
    #secret = 1;
    get secret() {
      return this.#secret;
    }
  }
  const hostile = {
    get a(): never {
      throw new Error("no");
    },
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const args = [circular, late, nameless, new Private("a\nb"), hostile, revoked.proxy, null, 1n];
  const got = passed(...args);
  assertEquals(got.length, args.length);
  assertMatch((got[1] as Error).stack ?? "", /^Error: second\\nWARN forged\n {4}at /);
  assertEquals((got[2] as Error).stack?.split("\n").slice(1), [
    "    at 2026-01-01 WARN forged",
    "    at f (f.ts:1:1)",
  ]);
  assert(got[3] instanceof Private);
  assertEquals(got.slice(4), [
    "(a value that cannot be read)",
    "(a value that cannot be read)",
    null,
    1n,
  ]);
});

Deno.test("a console does not take a line before errors as a format", () => {
  const lines: unknown[][] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const logger = safeLogger({ debug: write, info: write, warn: write, error: write });
  const error = new Error("x");
  logger.warn("image %c%s 95% 100%%d", error);
  logger.warn("image %c 95%");
  logger.warn("took %d ms", 5);
  assertEquals(lines, [
    ["image %%c%%s 95% 100%%%%d", error],
    ["image %c 95%"],
    ["took %d ms", 5],
  ]);
});

Deno.test("the default logger prints errors as text, with their causes, and nothing that a terminal acts on", () => {
  const error = new Error(`cannot parse ${EVIL}`, {
    cause: new AggregateError([new TypeError(EVIL)], "inner"),
  });
  for (const logger of [defaultLogger, safeLogger()]) {
    const lines = printed(() => {
      logger.warn("line", error);
      logger.error("line", error, { a: 1 });
    });
    assertEquals(lines.map((line) => line.length), [2, 3]);
    for (const [line, text] of lines) {
      assertEquals(line, "line");
      assertEquals(typeof text, "string");
      const [first = "", ...rest] = `${text}`.split("\n");
      assertEquals(first, `Error: cannot parse ${visibleText(EVIL, 1000)}`);
      assertEquals(RAW.test(`${text}`), false);
      assert(rest.every((one) => one.startsWith("  ")), `${text}`);
      assert(rest.some((one) => one.startsWith("  caused by: AggregateError: inner")), `${text}`);
      assert(rest.some((one) => one.includes(`with: TypeError: ${visibleText(EVIL, 1000)}`)));
    }
  }
});
