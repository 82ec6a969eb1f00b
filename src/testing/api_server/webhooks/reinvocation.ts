/** Decides which mutating webhooks are called again, because another one has changed the object since. */
export class Reinvocation {
  /** The webhooks that were called, and want to be called again after a change. */
  readonly #called = new Set<string>();
  readonly #due = new Set<string>();
  #isDue = false;

  /** Whether a webhook has changed the object, so that there is a second round. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Whether a webhook is called in the second round. */
  calls(webhook: string): boolean {
    return this.#due.has(webhook);
  }

  /** Notes that a webhook was called that wants to be called again after a later change. */
  called(webhook: string): void {
    this.#called.add(webhook);
  }

  /** Notes that the webhook that has just been called has changed the object. */
  changed(): void {
    this.#isDue = true;
    this.require();
  }

  /** Has all webhooks called again that were called before and want it. */
  require(): void {
    for (const webhook of this.#called) this.#due.add(webhook);
    this.#called.clear();
  }
}
