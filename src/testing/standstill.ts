/** How many of the last firings before the limit are reported with their origin. */
const SAMPLE = 1000;

/** How many origins a report lists. */
const SHOWN = 3;

/** How many stack frames of an origin a report lists. */
const FRAMES = 16;

/** V8 and JavaScriptCore have these two; others give a stack all the same. */
interface StackErrors {
  stackTraceLimit?: number;
  captureStackTrace?(target: object, above?: unknown): void;
}

/** The error of a clock that fires without its time moving. */
export class StandstillError extends Error {}

/**
 * Counts what fires while the virtual time stands still, so that a timer of 0 ms that sets itself again is an error
 * instead of an endless loop.
 */
export class Standstill {
  readonly #limit: number;
  readonly #origins = new Map<string, number>();
  #count = 0;

  /** Creates a counter that allows `limit` firings without progress of the time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Forgets what was counted: the time has moved, or the standstill has been reported. */
  reset(): void {
    if (this.#count === 0) return;
    this.#count = 0;
    this.#origins.clear();
  }

  /**
   * Returns what a report says about a timer or turn: its name or, without one, where the caller of `setter` was called.
   * Returns undefined while a report is far away, because capturing a stack takes longer than everything else that the
   * clock does.
   */
  origin(setter: unknown, name = ""): string | undefined {
    if (this.#count <= this.#limit - SAMPLE) return undefined;
    return name === "" ? `set here:\n${stackAbove(setter)}` : `"${name}"`;
  }

  /**
   * Counts one firing, before it happens.
   *
   * @throws {StandstillError} If there were too many. The count then starts anew.
   */
  count(origin: string | undefined, nowMs: number): void {
    this.#count++;
    if (origin !== undefined) this.#origins.set(origin, (this.#origins.get(origin) ?? 0) + 1);
    if (this.#count <= this.#limit) return;
    const message = this.#report(nowMs);
    this.reset();
    throw new StandstillError(message);
  }

  #report(nowMs: number): string {
    const shown = [...this.#origins].sort(([, a], [, b]) => b - a).slice(0, SHOWN)
      .map(([origin, times]) => `\n${times} of the last ones: ${origin}`);
    return `The clock stands still at ${nowMs} ms: ${this.#limit} timers and turns have fired without it moving, and ` +
      "more are due. Something may set a timer of 0 ms again and again, or send requests without a pause. If so much " +
      `is meant to happen at once, raise the option standstillLimit of the clock${shown.join("")}`;
  }
}

/** Returns the lines of the stack above the function `above`. */
function stackAbove(above: unknown): string {
  const errors = Error as StackErrors;
  const limit = errors.stackTraceLimit;
  const holder: { stack?: string } = {};
  try {
    errors.stackTraceLimit = FRAMES;
    if (errors.captureStackTrace === undefined) holder.stack = new Error().stack ?? "";
    else errors.captureStackTrace(holder, above);
  } finally {
    if (limit !== undefined) errors.stackTraceLimit = limit;
  }
  const frames = (holder.stack ?? "").split("\n").filter((line) => /^\s+at |@/.test(line));
  // The frames below belong to the clock and to the code that moves it.
  const clock = frames.findIndex((line) => line.includes("fireNext"));
  return frames.slice(0, clock > 0 ? clock : FRAMES).join("\n");
}
