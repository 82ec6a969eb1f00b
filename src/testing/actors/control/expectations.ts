import type { Clock } from "@kubeloop/controller/internal/base";

/** The time after which expectations no longer count: an event was missed. */
const EXPIRED_AFTER_MS = 300_000;

interface Expected {
  creations: number;
  readonly deletions: Set<string>;
  readonly untilMs: number;
}

/**
 * The creations and deletions that a controller has requested and its cache does not show yet. Without them, a controller
 * creates objects twice. The methods are named as in client-go's `ControllerExpectations`; the keys are uids of owners.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #expected = new Map<string, Expected>();

  /** Creates an empty set of expectations. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Announces creations and deletions, before they are requested. */
  expect(owner: string, creations: number, deletions: Iterable<string> = []): void {
    this.#expected.set(owner, {
      creations,
      deletions: new Set(deletions),
      untilMs: this.#clock.now() + EXPIRED_AFTER_MS,
    });
  }

  /** Notes that the cache shows a created object, or that `count` creations have failed. */
  creationObserved(owner: string, count = 1): void {
    const expected = this.#expected.get(owner);
    if (expected !== undefined) expected.creations -= count;
  }

  /** Notes that the cache shows the deletion of an object, or that the deletion has failed. */
  deletionObserved(owner: string, uid: string): void {
    this.#expected.get(owner)?.deletions.delete(uid);
  }

  /** Returns how long to wait for the cache, in milliseconds; 0 if the cache shows all that is expected. */
  waitMs(owner: string): number {
    const expected = this.#expected.get(owner);
    if (expected === undefined) return 0;
    const leftMs = expected.untilMs - this.#clock.now();
    if (leftMs > 0 && (expected.creations > 0 || expected.deletions.size > 0)) return leftMs;
    this.#expected.delete(owner);
    return 0;
  }

  /** Forgets what was expected for an owner, which is gone. */
  forget(owner: string): void {
    this.#expected.delete(owner);
  }
}
