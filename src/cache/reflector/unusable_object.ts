/**
 * What a lister-watcher gives in place of an object that it cannot give. The reflector skips it, and says why: one bad
 * object must not keep the others out of the cache.
 */
export class UnusableObject {
  /** Keeps the kind of the list from being filled in. */
  readonly kind = "UnusableObject";
  /** Empty, so that the object has no key. */
  readonly metadata: Readonly<Record<string, never>> = {};
  /** What is wrong with the object, for a log line. */
  readonly flaw: string;

  constructor(flaw: string) {
    this.flaw = flaw;
  }
}
