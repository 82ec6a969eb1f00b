/**
 * Marks the instances of a class, so that they are recognized across two copies of this package, where `instanceof` fails.
 *
 * @param name The name of the class; copies of the package share the mark by it.
 */
export class Brand {
  readonly #mark: symbol;

  /** The brand of the class `name`. */
  constructor(name: string) {
    this.#mark = Symbol.for(`kubeloop.${name}`);
  }

  /** Marks an instance, or the prototype of all of them. */
  put(target: object): void {
    Object.defineProperty(target, this.#mark, { value: true });
  }

  /** Whether `value` carries the mark. */
  isOn(value: unknown): boolean {
    return typeof value === "object" && value !== null && this.#mark in value;
  }
}
