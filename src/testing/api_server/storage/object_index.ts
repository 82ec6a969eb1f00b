import type { KubeObject } from "@kubeloop/controller/types";
import type { StoredObject } from "./stored_object.ts";

/** A value under which an index finds objects. */
export type IndexValue = string | number;

/** Returns the values under which an index has an object, given in its storage version. */
export type IndexFunction<T = KubeObject> = (object: T) => readonly IndexValue[];

/** An index of the objects of one store. Each write to the store changes it. */
export class ObjectIndex {
  readonly #valuesOf: IndexFunction;
  readonly #values = new Map<string, readonly IndexValue[]>();
  readonly #keys = new Map<IndexValue, Set<string>>();

  /** Creates an index of `objects`. */
  constructor(valuesOf: IndexFunction, objects: Iterable<StoredObject>) {
    this.#valuesOf = valuesOf;
    for (const object of objects) this.put(object, object.parse());
  }

  /** Records an object in place of the earlier one with its key. */
  put({ key }: StoredObject, value: KubeObject): void {
    this.remove(key);
    const values = this.#valuesOf(value);
    if (values.length === 0) return;
    this.#values.set(key, values);
    for (const one of values) {
      const keys = this.#keys.get(one);
      if (keys === undefined) this.#keys.set(one, new Set([key]));
      else keys.add(key);
    }
  }

  /** Removes the object with that key. */
  remove(key: string): void {
    for (const one of this.#values.get(key) ?? []) {
      const keys = this.#keys.get(one);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(one);
    }
    this.#values.delete(key);
  }

  /** Returns the keys of the objects with that value. */
  keys(value: IndexValue): ReadonlySet<string> {
    return this.#keys.get(value) ?? NO_KEYS;
  }
}

const NO_KEYS: ReadonlySet<string> = new Set();
