import { requireSync } from "../../base/mod.ts";
import type { IndexFunc } from "./indexer.ts";

/** The index values of one key. A single value, the common case, is stored without an array to save memory. */
type Filed = string | readonly string[];

const NONE: readonly string[] = [];

/**
 * One index of a store: maps each index value to the keys of the objects that have it.
 *
 * The index remembers the values of each key instead of calling the index function again with the old object. So a
 * removal runs no user code, and an object that was mutated in the store leaves no entries behind when it is removed.
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

  /** Returns an empty index with the same name and index function. */
  emptied(): Index<T> {
    return new Index(this.name, this.indexFunc);
  }

  /**
   * Returns the index values of `obj`. Errors name `key`.
   *
   * @throws {Error} When the index function throws, or returns something other than an array.
   */
  valuesOf(obj: T, key: string): readonly string[] {
    let values: readonly string[];
    try {
      values = requireSync("the index function", this.indexFunc(obj));
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

  /** Sets the index values of `key`, replacing the previous ones. */
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

  /** Removes `key` from the index. */
  delete(key: string): void {
    this.set(key, NONE);
  }

  /** Returns the keys that have `value`; undefined if no key has it. */
  keys(value: string): ReadonlySet<string> | undefined {
    return this.#keysByValue.get(value);
  }

  /** Returns the values that at least one key has. */
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
    // An index function may return the same value twice. The second removal then finds no set.
    if (keys === undefined) return;
    keys.delete(key);
    // Keeping an empty set for every value that ever existed would leak memory.
    if (keys.size === 0) this.#keysByValue.delete(value);
  }
}

function filedUnder(values: readonly string[]): Filed {
  const [value] = values;
  if (values.length === 1 && typeof value === "string") return value;
  // A copy, because the index function may return an array that is part of the object.
  return values.slice();
}

function isFiledUnder(filed: Filed, values: readonly string[]): boolean {
  if (typeof filed === "string") return values.length === 1 && values[0] === filed;
  if (filed.length !== values.length) return false;
  for (let i = 0; i < filed.length; i++) if (filed[i] !== values[i]) return false;
  return true;
}
