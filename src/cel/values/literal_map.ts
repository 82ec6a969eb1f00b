import { CelError, type CelMap, Uint, type Value } from "./value.ts";
import { showValue } from "./show.ts";

/** Returns a text that is the same for equal keys of any number type; undefined if the value cannot be a key. */
export function keyText(key: Value): string | undefined {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "bigint") return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === "boolean") return `b${key}`;
  if (typeof key === "number" && Number.isInteger(key)) return `n${BigInt(key)}`;
  return undefined;
}

/** A map that an expression has made. */
export class LiteralMap implements CelMap {
  readonly isMap = true;
  readonly ofObject = false;
  readonly #entries = new Map<string, readonly [Value, Value]>();

  /**
   * Creates a map.
   *
   * @throws {CelError} If a key has a type that keys cannot have, or occurs twice.
   */
  constructor(entries: Iterable<readonly [Value, Value]>) {
    for (const entry of entries) {
      const text = keyText(entry[0]);
      if (text === undefined || typeof entry[0] === "number") {
        throw new CelError("unsupported key type");
      }
      this.#entries.set(text, entry);
    }
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value of a key; undefined if the map does not have it. */
  get(key: Value): Value | undefined {
    const text = keyText(key);
    return text === undefined ? undefined : this.#entries.get(text)?.[1];
  }

  /** Returns the keys. */
  keys(): readonly Value[] {
    return [...this.#entries.values()].map(([key]) => key);
  }
}

/**
 * Returns a map with one more entry.
 *
 * @throws {CelError} If the map has the key.
 */
export function insertEntry(map: CelMap, key: Value, value: Value): CelMap {
  if (map.get(key) !== undefined) {
    throw new CelError(`insert failed: key ${showValue(key)} already exists`);
  }
  return new LiteralMap([...map.keys().map((one) => [one, map.get(one)!] as const), [key, value]]);
}
