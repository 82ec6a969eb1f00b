import { assertEquals, assertStrictEquals } from "@std/assert";
import { inherit, type Logger, safeLogger, silentLogger } from "../../src/base/mod.ts";

/** A logger that records its lines and returns the result of `outcome` for each. */
class Recorder implements Logger {
  readonly lines: unknown[][] = [];
  readonly #outcome: () => unknown;

  constructor(outcome: () => unknown = () => {}) {
    this.#outcome = outcome;
  }

  debug(...line: unknown[]): unknown {
    return this.#note("debug", line);
  }

  info(...line: unknown[]): unknown {
    return this.#note("info", line);
  }

  warn(...line: unknown[]): unknown {
    return this.#note("warn", line);
  }

  error(...line: unknown[]): unknown {
    return this.#note("error", line);
  }

  #note(level: string, line: unknown[]): unknown {
    this.lines.push([level, ...line]);
    return this.#outcome();
  }
}

function writeAll(logger: Logger): void {
  logger.debug("d", 1);
  logger.info("i");
  logger.warn("w", 2, 3);
  logger.error("e");
}

const WRITTEN = [["debug", "d", 1], ["info", "i"], ["warn", "w", 2, 3], ["error", "e"]];

Deno.test("safeLogger() passes every line with its arguments to the logger", () => {
  const recorder = new Recorder();
  writeAll(safeLogger(recorder));
  assertEquals(recorder.lines, WRITTEN);
});

Deno.test("safeLogger() ignores errors of the logger", () => {
  const recorder = new Recorder(() => {
    throw new Error("No space left on device");
  });
  writeAll(safeLogger(recorder));
  assertEquals(recorder.lines, WRITTEN);
});

Deno.test("safeLogger() handles rejections of the logger's promises", async () => {
  const recorder = new Recorder(() => Promise.reject(new Error("No space left on device")));
  writeAll(safeLogger(recorder));
  // An unhandled rejection would fail the test in this turn.
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(recorder.lines, WRITTEN);
});

Deno.test("safeLogger() accepts a logger that lacks a method", () => {
  writeAll(safeLogger({} as Logger));
});

Deno.test("safeLogger() does not wrap a logger twice", () => {
  const logger = safeLogger(new Recorder());
  assertStrictEquals(safeLogger(logger), logger);
});

Deno.test("safeLogger() writes each message as one line of bounded length", () => {
  const recorder = new Recorder();
  safeLogger(recorder).warn("a\n\x1b[2Jb");
  safeLogger(recorder).error("x".repeat(10_000_000));
  assertEquals(recorder.lines[0], ["warn", "a\\n\\u001b[2Jb"]);
  assertEquals(recorder.lines[1]?.[1], `${"x".repeat(10_000)}… (9990000 more characters)`);
});

Deno.test("a logger of its own redacts as the inherited one does", () => {
  const recorder = new Recorder();
  const inherited = safeLogger(silentLogger, (line) => line.replaceAll("secret", "[hidden]"));
  const { logger } = inherit({ logger: recorder }, { logger: inherited });
  logger?.info("the secret");
  assertEquals(recorder.lines, [["info", "the [hidden]"]]);
});
