import type { Clock, Timer, VirtualClock } from "../../src/testing/mod.ts";

/**
 * The clock of the program under test: a virtual clock that knows which timers the program has set, so that a forgotten one
 * is an error, and whose wall time can jump. The server has the virtual clock itself.
 */
export class ProgramClock implements Clock {
  readonly #time: VirtualClock;
  readonly #fired: () => void;
  readonly #pending = new Map<object, { readonly origin: string; readonly delayMs: number }>();
  #wallShiftMs = 0;

  /** Creates the clock; `fired` is called after each timer of the program. */
  constructor(time: VirtualClock, fired: () => void) {
    this.#time = time;
    this.#fired = fired;
  }

  /** The timers that are set: their delays, and where they were set. */
  get pending(): string[] {
    return [...this.#pending.values()].map(({ delayMs, origin }) =>
      `a timer of ${delayMs} ms, set ${origin}`
    );
  }

  /** Moves the wall time, but not the monotonic one, as when a user sets the clock of the machine. */
  jump(byMs: number): void {
    this.#wallShiftMs += byMs;
  }

  now(): number {
    return this.#time.now();
  }

  wallNow(): number {
    return this.#time.wallNow() + this.#wallShiftMs;
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    const id = {};
    const timer = this.#time.setTimer(() => {
      this.#pending.delete(id);
      callback();
      this.#fired();
    }, delayMs);
    this.#pending.set(id, { origin: callerOf(), delayMs });
    return {
      cancel: () => {
        this.#pending.delete(id);
        timer.cancel();
      },
    };
  }
}

/** Whether timers note where they were set: that costs more than everything else, so only a repeated run does it. */
let notesOrigins = false;

/** Makes the timers that are set from now on note where they are set, or not. */
export function noteOrigins(value: boolean): void {
  notesOrigins = value;
}

function callerOf(): string {
  if (!notesOrigins) return "somewhere";
  const frames = new Error().stack?.split("\n").slice(3, 9) ?? [];
  return frames.map((frame) => frame.trim().replace(/file:\/\/\S*\/src\//, "src/")).join(" ");
}
