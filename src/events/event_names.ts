import { type Clock, type Random, randomInt, randomUuid } from "../base/mod.ts";

const NANOS_PER_MS = 1_000_000;
/** Maximum length of the name of an object. */
const MAX_NAME_LENGTH = 253;

/** Names Events like client-go, by the object and the time in nanoseconds. Names are unique. */
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
    // The clock has milliseconds. The rest is random, so that instances of a controller choose different names.
    const nanos = BigInt(Math.trunc(this.#clock.wallNow())) * BigInt(NANOS_PER_MS) +
      BigInt(randomInt(this.#random, NANOS_PER_MS));
    this.#lastNanos = nanos > this.#lastNanos ? nanos : this.#lastNanos + 1n;
    const name = `${objectName}.${this.#lastNanos.toString(16)}`;
    // The names of some objects, such as Roles, may contain a colon, which names of Events may not.
    return isSubdomain(name) ? name : randomUuid(this.#random);
  }
}

/** Reports whether a text is a DNS subdomain, like the names of most objects. */
export function isSubdomain(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH &&
    text.split(".").every((label) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(label));
}
