interface Result<T> {
  value?: { readonly of: T };
}

/**
 * A value that is computed on demand, and again after each invalidation: client-go's `synctrack.Lazy`.
 *
 * @typeParam T The type of the value.
 *
 * @example
 * ```ts
 * import { Lazy } from "@kubeloop/controller/extras";
 * import { assertEquals } from "@std/assert";
 *
 * let runs = 0;
 * const lazy = new Lazy(() => ++runs);
 * assertEquals([lazy.get(), lazy.get()], [1, 1]);
 * lazy.notify();
 * assertEquals(lazy.get(), 2);
 * ```
 */
export class Lazy<T> {
  readonly #evaluate: () => T;
  #result: Result<T> = {};

  /** Creates a value that `evaluate` computes. */
  constructor(evaluate: () => T) {
    this.#evaluate = evaluate;
  }

  /** Invalidates the value. */
  notify(): void {
    this.#result = {};
  }

  /**
   * Returns the value. Computes it first if it has not been computed since the last {@linkcode Lazy.notify}, or if the
   * computation threw.
   */
  get(): T {
    // A notify() during the computation replaces `#result`, so that the outdated value is not kept.
    const result = this.#result;
    result.value ??= { of: this.#evaluate() };
    return result.value.of;
  }
}
