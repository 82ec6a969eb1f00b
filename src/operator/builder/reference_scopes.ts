/** The scope of all objects of a kind. */
const EVERYTHING = "";

/** Receives the names of objects with their first reference, and of objects without any reference left. */
export interface ReferencedNames {
  add(name: string): void;
  remove(name: string): void;
}

/** A scope in parts: one object, the objects of a namespace, or all objects. */
export interface ScopeParts {
  /** The namespace; undefined for cluster-scoped objects and for all namespaces. */
  readonly namespace: string | undefined;
  /** The name; undefined for all objects. */
  readonly name: string | undefined;
}

/** Options of {@linkcode ReferenceScopes}. */
export interface ReferenceScopesOptions {
  /** Maximum number of scopes. */
  readonly limit: number;
  /** Whether all objects are watched in any case. */
  readonly isWide: boolean;
}

/**
 * The scopes to watch so that every referenced object is watched: the object alone as long as there are not more scopes than
 * the limit; then all objects of the namespace with most of them; at last all objects. It is synchronous.
 *
 * A scope is never split again while an object in it is referenced: each split is a new list of many objects, and numbers
 * that vary around the limit would cause one after another.
 *
 * A scope is a text: the key of an object, a namespace with a slash, or nothing for all objects.
 */
export class ReferenceScopes implements ReferencedNames {
  readonly #options: ReferenceScopesOptions;
  /** The number of referenced objects of each scope. */
  readonly #scopes = new Map<string, number>();

  constructor(options: ReferenceScopesOptions) {
    this.#options = options;
    if (options.isWide) this.#scopes.set(EVERYTHING, 0);
  }

  /** The scopes to watch. */
  get wanted(): Iterable<string> {
    return this.#scopes.keys();
  }

  /** The number of scopes to watch. */
  get size(): number {
    return this.#scopes.size;
  }

  /** Whether nothing refers to an object of some scope. */
  get hasUnused(): boolean {
    for (const scope of this.#scopes.keys()) if (this.#isUnused(scope)) return true;
    return false;
  }

  /** Reports whether a scope is to be watched. */
  has(scope: string): boolean {
    return this.#scopes.has(scope);
  }

  /** Adds an object that is referenced now. */
  add(name: string): void {
    const scope = this.#scopeOf(name) ?? name;
    this.#scopes.set(scope, (this.#scopes.get(scope) ?? 0) + 1);
    while (this.#scopes.size > this.#options.limit) {
      this.removeUnused();
      if (this.#scopes.size > this.#options.limit) this.#widen();
    }
  }

  /** Removes an object with its last reference. Its scope stays until {@linkcode ReferenceScopes.removeUnused}. */
  remove(name: string): void {
    const scope = this.#scopeOf(name);
    if (scope !== undefined) this.#scopes.set(scope, (this.#scopes.get(scope) ?? 1) - 1);
  }

  /** Removes the scopes without referenced objects. */
  removeUnused(): void {
    for (const scope of [...this.#scopes.keys()]) {
      if (this.#isUnused(scope)) this.#scopes.delete(scope);
    }
  }

  #isUnused(scope: string): boolean {
    return this.#scopes.get(scope) === 0 && !(this.#options.isWide && scope === EVERYTHING);
  }

  #scopeOf(name: string): string | undefined {
    return scopesOf(name).find((scope) => this.#scopes.has(scope));
  }

  /** Replaces the scopes of the namespace with most of them by one, or all scopes if each has its own namespace. */
  #widen(): void {
    const byNamespace = new Map<string, string[]>();
    for (const scope of this.#scopes.keys()) {
      const namespace = namespaceScope(scope);
      byNamespace.set(namespace, [...byNamespace.get(namespace) ?? [], scope]);
    }
    const [most, scopes] = [...byNamespace].reduce((a, b) => b[1].length > a[1].length ? b : a);
    const [wide, narrow] = scopes.length > 1 ? [most, scopes] : [EVERYTHING, [...this.wanted]];
    let count = 0;
    for (const scope of narrow) {
      count += this.#scopes.get(scope) ?? 0;
      this.#scopes.delete(scope);
    }
    this.#scopes.set(wide, count);
  }
}

/** Returns the scopes that hold an object, the narrowest first. */
export function scopesOf(name: string): readonly string[] {
  return [name, namespaceScope(name), EVERYTHING];
}

/** Reports whether an object is in a scope. */
export function isInScope(name: string, scope: string): boolean {
  return scopesOf(name).includes(scope);
}

/** Returns the parts of a scope. */
export function partsOf(scope: string): ScopeParts {
  const slash = scope.indexOf("/");
  return {
    namespace: slash < 0 ? undefined : scope.slice(0, slash),
    name: scope.slice(slash + 1) || undefined,
  };
}

/** Returns the scope of the namespace of an object; all objects if it is cluster-scoped. */
function namespaceScope(name: string): string {
  return name.slice(0, name.indexOf("/") + 1);
}
