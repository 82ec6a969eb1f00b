import { isInScope, type ReferencedNames } from "./reference_scopes.ts";

/** The references of one object, as of one version of it. */
interface Entry {
  readonly version: string;
  readonly names: readonly string[];
}

const NO_NAMES: readonly string[] = [];

/**
 * The references of the objects of a controller to the objects of another kind, by referring and by referenced key. It is
 * synchronous. It tells `names` which objects are referenced by at least one object.
 */
export class ReferenceIndex {
  readonly #names: ReferencedNames;
  readonly #entries = new Map<string, Entry>();
  readonly #referrers = new Map<string, Set<string>>();

  constructor(names: ReferencedNames) {
    this.#names = names;
  }

  /** The number of referenced objects. */
  get size(): number {
    return this.#referrers.size;
  }

  /** Reports whether an object is referenced. */
  has(name: string): boolean {
    return this.#referrers.has(name);
  }

  /** Returns the keys of the objects that refer to an object. */
  referrersOf(name: string): readonly string[] {
    return [...this.#referrers.get(name) ?? NO_NAMES];
  }

  /** Returns the referenced objects in a scope; see `ReferenceScopes`. */
  namesIn(scope: string): readonly string[] {
    if (this.#referrers.has(scope)) return [scope];
    return [...this.#referrers.keys()].filter((name) => isInScope(name, scope));
  }

  /** Returns the references of a key; undefined if the key has none of that version. */
  namesOf(key: string, version: string): readonly string[] | undefined {
    const entry = this.#entries.get(key);
    return entry?.version === version ? entry.names : undefined;
  }

  /** Reports whether a version of an object was read. */
  knows(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Replaces the references of a key. Returns whether they differ from the known ones. */
  set(key: string, version: string, names: readonly string[]): boolean {
    const before = this.#entries.get(key);
    const old = before?.names ?? NO_NAMES;
    const isEqual = old.length === names.length && old.every((name, at) => name === names[at]);
    this.#entries.set(key, { version, names: isEqual ? old : names });
    if (isEqual) return false;
    // First the new names: a name that stays must not be removed and added again.
    for (const name of names) this.#add(key, name);
    const kept = new Set(names);
    for (const name of old) if (!kept.has(name)) this.#remove(key, name);
    return true;
  }

  /** Forgets a key that is gone. */
  delete(key: string): void {
    for (const name of this.#entries.get(key)?.names ?? NO_NAMES) this.#remove(key, name);
    this.#entries.delete(key);
  }

  #add(key: string, name: string): void {
    const referrers = this.#referrers.get(name);
    if (referrers !== undefined) return void referrers.add(key);
    this.#referrers.set(name, new Set([key]));
    this.#names.add(name);
  }

  #remove(key: string, name: string): void {
    const referrers = this.#referrers.get(name);
    if (referrers?.delete(key) !== true || referrers.size > 0) return;
    this.#referrers.delete(name);
    this.#names.remove(name);
  }
}
