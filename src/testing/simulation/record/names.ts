/** Numbers the occurrences of each name. */
export class Occurrences {
  readonly #counts = new Map<string, number>();

  /** Returns `what` with the number of its occurrence, as in `create pods default/w-0 #2`. */
  next(what: string): string {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return `${what} #${count}`;
  }
}

/** Returns the name of an occurrence that comes `count` after that of a name: `later("x #2", 3)` is `x #5`. */
export function later(name: string, count: number): string {
  const [, what = name, number = "1"] = /^(.*) #(\d+)$/.exec(name) ?? [];
  return count === 0 ? name : `${what} #${Number(number) + count}`;
}

/** Returns a name without the number of its occurrence: `unnumbered("x #2")` is `x`. */
export function unnumbered(name: string): string {
  return name.replace(/ #\d+$/, "");
}

/** Returns the key of an object: `default/w-0`, or `w-0` without a namespace. */
export function keyOf(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** Returns the full name of a resource: `deployments.apps`, or `pods` in the core group. */
export function fullName(resource: string, group: string): string {
  return group === "" ? resource : `${resource}.${group}`;
}
