/**
 * A mark on the instances of a class, or on functions. It identifies them even if they come from another copy of this
 * package, where `instanceof` fails.
 *
 * @param name The name of the class. Copies of the package derive the same mark from the same name.
 */
export class Brand {
  readonly #mark: symbol;

  /** Creates the brand of the class `name`. */
  constructor(name: string) {
    this.#mark = Symbol.for(`kubeloop.${name}`);
  }

  /** Marks an instance, the prototype of all instances, or a function. */
  put(target: object): void {
    Object.defineProperty(target, this.#mark, { value: true });
  }

  /** Reports whether `value` has the mark. */
  isOn(value: unknown): boolean {
    const canHave = typeof value === "object" ? value !== null : typeof value === "function";
    return canHave && this.#mark in (value as object);
  }
}
