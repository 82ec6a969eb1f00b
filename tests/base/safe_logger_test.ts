import { assertEquals, assertStrictEquals } from "@std/assert";
import { type Logger, safeLogger } from "../../src/base/mod.ts";

/** A logger that keeps what it is given, and answers each line with `outcome`. */
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

Deno.test("safeLogger() passes every line on, with its arguments, to the logger itself", () => {
  const recorder = new Recorder();
  writeAll(safeLogger(recorder));
  assertEquals(recorder.lines, WRITTEN);
});

Deno.test("safeLogger() drops what the logger throws", () => {
  const recorder = new Recorder(() => {
    throw new Error("No space left on device");
  });
  writeAll(safeLogger(recorder));
  assertEquals(recorder.lines, WRITTEN);
});

Deno.test("safeLogger() leaves no rejection unhandled", async () => {
  const recorder = new Recorder(() => Promise.reject(new Error("No space left on device")));
  writeAll(safeLogger(recorder));
  // A rejection that nobody handles would fail the test in this turn.
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(recorder.lines, WRITTEN);
});

Deno.test("safeLogger() stands a logger that lacks a method", () => {
  writeAll(safeLogger({} as Logger));
});

Deno.test("safeLogger() wraps a logger once", () => {
  const logger = safeLogger(new Recorder());
  assertStrictEquals(safeLogger(logger), logger);
});
