import { type Clock, realClock } from "../../src/base/mod.ts";

/** The real clock, as real sockets need it, with a method to skip time. */
export class SkippingClock implements Clock {
  #skippedMs = 0;

  skip(ms: number): void {
    this.#skippedMs += ms;
  }

  now(): number {
    return realClock.now() + this.#skippedMs;
  }

  wallNow(): number {
    return realClock.wallNow() + this.#skippedMs;
  }

  setTimer(callback: () => void, delayMs: number): ReturnType<Clock["setTimer"]> {
    return realClock.setTimer(callback, delayMs);
  }
}
