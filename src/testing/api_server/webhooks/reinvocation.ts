/** Decides which mutating webhooks or policies are called again, because another one has changed the object since. */
export class Reinvocation {
  /** The webhooks or policies that were called and want another call after a change. */
  readonly #called = new Set<string>();
  readonly #due = new Set<string>();
  #isDue = false;

  /** Whether one of them has changed the object, so that there is a second round. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Whether a webhook or policy is called in the second round. */
  calls(id: string): boolean {
    return this.#due.has(id);
  }

  /** Notes the call of a webhook or policy that wants to be called again after a later change. */
  called(id: string): void {
    this.#called.add(id);
  }

  /** Notes that the call that has just ended has changed the object. */
  changed(): void {
    this.#isDue = true;
    this.require();
  }

  /** Requires another call of all that were called and have the reinvocation policy `IfNeeded`. */
  require(): void {
    for (const id of this.#called) this.#due.add(id);
    this.#called.clear();
  }
}
