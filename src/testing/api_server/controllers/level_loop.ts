import { Backoff, type Clock, type Logger, type Timer } from "@kubeloop/controller/internal/base";

/** The delays between two attempts at work that fails: from a tenth of a second to half a minute. */
const RETRY = { durationMs: 100, factor: 2, steps: Infinity, capMs: 30_000 };

/** The parts of the server that a {@linkcode LevelLoop} uses. */
export interface LevelLoopParts {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A key whose work is to be done again. */
interface Waiting {
  /** The delays of work that fails; undefined if the work asked for another run itself. */
  readonly backoff: Backoff | undefined;
  readonly timer: Timer;
}

/**
 * The loop of a controller: does the work of a key at once when something has changed, and again by a timer while that
 * fails.
 *
 * The work compares the stored objects with what they should be, and writes the difference. It does not ask what has
 * changed, so a write that fails halfway, as on a full disk, is completed by the next run.
 */
export class LevelLoop {
  readonly #parts: LevelLoopParts;
  readonly #what: string;
  readonly #work: (key: string) => number | undefined;
  readonly #waiting = new Map<string, Waiting>();
  #isClosed = false;

  /**
   * Creates a loop without keys.
   *
   * @param what Names the work in log lines, as in `"update the conditions of FlowSchemas"`.
   * @param work Does the work of a key. Returns the number of milliseconds after which it is to run again; undefined if
   * it is done.
   */
  constructor(parts: LevelLoopParts, what: string, work: (key: string) => number | undefined) {
    this.#parts = parts;
    this.#what = what;
    this.#work = work;
  }

  /** Does the work of a key now. A failure is logged, and the work is done again later. */
  sync(key = ""): void {
    const waiting = this.#waiting.get(key);
    waiting?.timer.cancel();
    this.#waiting.delete(key);
    try {
      const againMs = this.#work(key);
      if (againMs !== undefined) this.#again(key, againMs, undefined);
    } catch (error) {
      const backoff = waiting?.backoff ?? new Backoff(RETRY);
      const delayMs = backoff.step();
      const subject = key === "" ? "" : ` ${key}`;
      this.#parts.logger.warn(
        `The API server cannot ${this.#what}${subject} and tries again in ${delayMs} ms`,
        error,
      );
      this.#again(key, delayMs, backoff);
    }
  }

  /** Cancels the timers. No work is repeated from then on. */
  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
  }

  #again(key: string, delayMs: number, backoff: Backoff | undefined): void {
    if (this.#isClosed) return;
    const timer = this.#parts.clock.setTimer(() => this.sync(key), delayMs);
    this.#waiting.set(key, { backoff, timer });
  }
}
