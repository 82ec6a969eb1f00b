import type { Clock } from "../base/mod.ts";

/** A sleep that ends at a given time or when {@linkcode Alarm.ring} is called. There is one sleeper at a time. */
export class Alarm {
  readonly #clock: Clock;
  #end: (() => void) | undefined;
  #isRung = false;

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

  /** Ends the sleep. Without a sleeper, ends the next sleep at once. */
  ring(): void {
    if (this.#end === undefined) this.#isRung = true;
    else this.#end();
  }
}
