import type { Clock } from "../base/mod.ts";

/** A sleep of one sleeper that ends at a time, or when somebody wakes it. */
export class Alarm {
  readonly #clock: Clock;
  #end: (() => void) | undefined;
  #isRung = false;

  /** Creates an alarm that nobody sleeps until. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sleeps until the clock shows `untilMs`, or {@linkcode Alarm.ring} was called since the last sleep. */
  sleep(untilMs: number): Promise<void> {
    if (this.#isRung) {
      this.#isRung = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = () => {
        this.#end = undefined;
        timer.cancel();
        resolve();
      };
      const timer = this.#clock.setTimer(end, Math.max(0, untilMs - this.#clock.now()));
      this.#end = end;
    });
  }

  /** Ends the sleep, or the next one if nobody sleeps. */
  ring(): void {
    if (this.#end === undefined) this.#isRung = true;
    else this.#end();
  }
}
