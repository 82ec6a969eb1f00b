import { type Clock, type Random, randomInt, randomUuid } from "../base/mod.ts";

const NANOS_PER_MS = 1_000_000;
/** The longest name of an object. */
const MAX_NAME_LENGTH = 253;

/** Names Events as client-go does: after the object and the time in nanoseconds. No name comes twice. */
export class EventNames {
  readonly #clock: Clock;
  readonly #random: Random;
  #lastNanos = 0n;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns a new name for an Event about the object of this name. */
  next(objectName: string): string {
    // Clocks have milliseconds. The rest is random, so that instances of a controller do not choose the same name.
    const nanos = BigInt(Math.trunc(this.#clock.wallNow())) * BigInt(NANOS_PER_MS) +
      BigInt(randomInt(this.#random, NANOS_PER_MS));
    this.#lastNanos = nanos > this.#lastNanos ? nanos : this.#lastNanos + 1n;
    const name = `${objectName}.${this.#lastNanos.toString(16)}`;
    // Names of Roles, for example, may have a colon; those of Events may not.
    return isSubdomain(name) ? name : randomUuid(this.#random);
  }
}

/** Reports whether `text` is a DNS subdomain, as the names of most objects are. */
export function isSubdomain(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH &&
    text.split(".").every((label) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(label));
}
