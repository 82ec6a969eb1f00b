import type { IndexFunc } from "./indexer.ts";

/** What a key is filed under. One value, as most have, is kept without an array: that counts, for each object. */
type Filed = string | readonly string[];

const NONE: readonly string[] = [];

/**
 * One index of a store: which keys are filed under which value.
 *
 * It remembers the values of each key rather than asking the index function again for those of the old object. So a
 * removal runs no user code, and an object that someone changed in the store leaves nothing behind when it goes.
 */
export class Index<T> {
  readonly name: string;
  readonly indexFunc: IndexFunc<T>;
  readonly #keysByValue = new Map<string, Set<string>>();
  readonly #valuesByKey = new Map<string, Filed>();

  constructor(name: string, indexFunc: IndexFunc<T>) {
    this.name = name;
    this.indexFunc = indexFunc;
  }

  /** An empty index of the same kind. */
  emptied(): Index<T> {
    return new Index(this.name, this.indexFunc);
  }

  /**
   * What the index function gives for `obj`.
   *
   * @throws {Error} When it throws, or gives something that is no array.
   */
  valuesOf(obj: T, key: string): readonly string[] {
    let values: readonly string[];
    try {
      values = this.indexFunc(obj);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`Cannot index "${key}" in index "${this.name}": ${why}`, { cause });
    }
    if (Array.isArray(values)) return values;
    throw new TypeError(
      `Cannot index "${key}" in index "${this.name}": ` +
        `the index function gave ${typeof values}, must give an array of strings`,
    );
  }

  /** Files `key` under `values`, and under nothing else. */
  set(key: string, values: readonly string[]): void {
    const old = this.#valuesByKey.get(key) ?? NONE;
    if (isFiledUnder(old, values)) return;
    if (values.length === 0) this.#valuesByKey.delete(key);
    else this.#valuesByKey.set(key, filedUnder(values));

    if (old !== NONE) {
      const kept = new Set(values);
      const before = typeof old === "string" ? [old] : old;
      for (const value of before) if (!kept.has(value)) this.#remove(value, key);
    }
    for (const value of values) this.#add(value, key);
  }

  /** Files `key` under nothing. */
  delete(key: string): void {
    this.set(key, NONE);
  }

  /** The keys that are filed under `value`. */
  keys(value: string): ReadonlySet<string> | undefined {
    return this.#keysByValue.get(value);
  }

  /** The values that anything is filed under. */
  values(): string[] {
    return [...this.#keysByValue.keys()];
  }

  #add(value: string, key: string): void {
    const keys = this.#keysByValue.get(value);
    if (keys === undefined) this.#keysByValue.set(value, new Set([key]));
    else keys.add(key);
  }

  #remove(value: string, key: string): void {
    const keys = this.#keysByValue.get(value);
    // A value that the function gave twice is removed twice.
    if (keys === undefined) return;
    keys.delete(key);
    // An empty set kept per value that ever was would be a leak.
    if (keys.size === 0) this.#keysByValue.delete(value);
  }
}

function filedUnder(values: readonly string[]): Filed {
  const [value] = values;
  if (values.length === 1 && typeof value === "string") return value;
  // A copy: the function may have given an array that is part of the object.
  return values.slice();
}

function isFiledUnder(filed: Filed, values: readonly string[]): boolean {
  if (typeof filed === "string") return values.length === 1 && values[0] === filed;
  if (filed.length !== values.length) return false;
  for (let i = 0; i < filed.length; i++) if (filed[i] !== values[i]) return false;
  return true;
}
