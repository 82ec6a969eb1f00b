/**
 * A mark on the instances of a class. It identifies them even if they come from another copy of this package, where
 * `instanceof` fails.
 *
 * @param name The name of the class. Copies of the package derive the same mark from the same name.
 */
export class Brand {
  readonly #mark: symbol;

  /** Creates the brand of the class `name`. */
  constructor(name: string) {
    this.#mark = Symbol.for(`kubeloop.${name}`);
  }

  /** Marks an instance, or the prototype of all instances. */
  put(target: object): void {
    Object.defineProperty(target, this.#mark, { value: true });
  }

  /** Reports whether `value` has the mark. */
  isOn(value: unknown): boolean {
    return typeof value === "object" && value !== null && this.#mark in value;
  }
}
