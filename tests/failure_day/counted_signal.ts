/** An AbortController whose signal counts the listeners that it has: a forgotten one is a leak of a long-lived signal. */
export class CountedAbort {
  readonly #controller = new AbortController();
  readonly #listeners = new Set<unknown>();
  readonly #actions: (() => void)[] = [];

  /** Creates a controller whose signal has no listeners. */
  constructor() {
    const { signal } = this.#controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (type: "abort", listener: EventListener, options?: boolean) => {
        this.#listeners.add(listener);
        add(type, listener, options);
      },
      removeEventListener: (type: "abort", listener: EventListener, options?: boolean) => {
        this.#listeners.delete(listener);
        remove(type, listener, options);
      },
    });
  }

  /** The signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The number of listeners that wait for an abort. */
  get listeners(): number {
    // An abort calls its listeners once.
    return this.signal.aborted ? 0 : this.#listeners.size;
  }

  /** Calls `action` after the abort, without a listener of the program. */
  afterwards(action: () => void): void {
    this.#actions.push(action);
  }

  /** Aborts the signal. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
    for (const action of this.#actions.splice(0)) action();
  }
}
