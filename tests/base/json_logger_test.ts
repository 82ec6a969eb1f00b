import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { jsonLogger, type JsonLoggerOptions, type Logger } from "@kubeloop/controller/base";
import { safeLogger } from "@kubeloop/controller/internal/base";
import { VirtualClock } from "@kubeloop/testing";

/** Returns a logger and the parsed lines that it writes. */
function recording(options: JsonLoggerOptions = {}) {
  const texts: string[] = [];
  const write = (line: string) => texts.push(line);
  const logger = jsonLogger({ clock: new VirtualClock(), write, ...options });
  return { logger, texts, lines: () => texts.splice(0).map((text) => JSON.parse(text)) };
}

const time = "2026-01-01T00:00:00.000Z";

Deno.test("jsonLogger() writes a line with its fields, the error after it and other values", () => {
  const { logger, lines } = recording();
  const log = logger.with!({ controller: "widgets" }).with!({ key: "default/a", attempt: 2 });
  const error = new Error("no disk", { cause: new TypeError("full") });
  log.warn("it failed", error, { size: 3 }, 7n === 7n);
  logger.info("100% of %d");
  const [failed, plain] = lines();
  const { stack, ...rest } = failed;
  assertEquals(rest, {
    time,
    level: "warn",
    msg: "it failed",
    controller: "widgets",
    key: "default/a",
    attempt: 2,
    error: "no disk: full",
    args: [{ size: 3 }, true],
  });
  assertStringIncludes(stack, "Error: no disk\n    at ");
  assertEquals(plain, { time, level: "info", msg: "100% of %d" });
});

Deno.test("jsonLogger() omits lines below its level", () => {
  for (const [level, count] of [["debug", 4], [undefined, 3], ["warn", 2], ["error", 1]] as const) {
    const { logger, lines } = recording({ level });
    logger.debug("a");
    logger.info("b");
    logger.warn("c");
    logger.error("d");
    assertEquals(lines().length, count);
  }
});

Deno.test("jsonLogger() writes one line of visible JSON, whatever it is given", () => {
  const { logger, texts, lines } = recording();
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  logger.info("a\nb\u001b[2J\u2028\u202e", cycle, 7n, () => {}, undefined, Symbol("x"));
  logger.error("x", {
    toJSON: () => {
      throw new Error("no");
    },
  });
  for (const text of texts) {
    assertEquals(/[\p{Cc}\u2028\u202e]/u.test(text), false);
  }
  assertEquals(lines().map(({ msg }) => msg), ["a\nb\u001b[2J\u2028\u202e", "x"]);
});

Deno.test("safeLogger() keeps fields, hides credentials in lines with fields, and survives a logger that fails", () => {
  const { logger, lines } = recording();
  const safe = safeLogger(logger, (text) => text.replaceAll("secret", "***"));
  safe.with!({ key: "a secret", attempt: 1 }).warn("the secret 100%d", new Error("of secret"));
  const [{ msg, error, key, attempt }] = lines();
  assertEquals([msg, error, key, attempt], ["the *** 100%d", "of ***", "a ***", 1]);
  const plain: Logger = { debug() {}, info() {}, warn() {}, error() {} };
  const broken: Logger = {
    ...plain,
    with: () => {
      throw new Error("no");
    },
  };
  for (const one of [plain, broken, { ...plain, with: () => 1 as unknown as Logger }]) {
    safeLogger(one).with!({ key: "a" }).info("still there");
  }
});

Deno.test("jsonLogger() refuses options that it does not know", () => {
  for (
    const [options, words] of [
      [{ level: "loud" }, 'level must be one of "debug", "info", "warn", "error"'],
      [{ write: 1 }, "write"],
      [{ file: "x" }, 'jsonLogger() has no option "file"'],
    ] as const
  ) assertThrows(() => jsonLogger(options as never), TypeError, words);
});
