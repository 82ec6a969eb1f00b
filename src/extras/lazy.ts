interface Result<T> {
  value?: { readonly of: T };
}

/**
 * A value that is computed when it is asked for, and again after it was said to be out of date: client-go's
 * `synctrack.Lazy`.
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

  /** A value that `evaluate` computes. */
  constructor(evaluate: () => T) {
    this.#evaluate = evaluate;
  }

  /** The value is out of date. */
  notify(): void {
    this.#result = {};
  }

  /** The value; computed now if it has not been since the last {@linkcode Lazy.notify}, or if that threw. */
  get(): T {
    // A notify() while it is computed begins another result, so that what is out of date at once is not kept.
    const result = this.#result;
    result.value ??= { of: this.#evaluate() };
    return result.value.of;
  }
}
