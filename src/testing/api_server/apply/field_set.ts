import { isObject, type Json, type JsonObject, setOwn } from "../values/mod.ts";
import { compareElements, type PathElement } from "./path_element.ts";

/** A set of paths into an object: what a manager owns. Sets are not changed once they are shared. */
export class FieldSet {
  /** The steps that lead to a path of the set. */
  readonly members: Set<PathElement> = new Set<PathElement>();
  /** The steps that lead on, to longer paths. */
  readonly children: Map<PathElement, FieldSet> = new Map<PathElement, FieldSet>();

  /**
   * The set that `fieldsV1` describes.
   *
   * @throws {SyntaxError} When it describes none.
   */
  static fromJson(json: Json | undefined): FieldSet {
    const set = new FieldSet();
    if (!isObject(json)) throw new SyntaxError("A set of fields must be an object");
    for (const key of Object.keys(json)) {
      if (key === ".") continue;
      const nested = json[key];
      if (!/^[fkvi]:/.test(key)) throw new SyntaxError(`"${key}" is not a step of a path`);
      if (!isObject(nested)) throw new SyntaxError(`"${key}" must lead to an object`);
      if (!key.startsWith("f:")) JSON.parse(key.slice(2));
      const inner = FieldSet.fromJson(nested);
      if (inner.isEmpty || Object.hasOwn(nested, ".")) set.members.add(key);
      if (!inner.isEmpty) set.children.set(key, inner);
    }
    return set;
  }

  /** What `fieldsV1` writes. */
  toJson(): JsonObject {
    const result: JsonObject = {};
    const elements = [...new Set([...this.members, ...this.children.keys()])].sort(compareElements);
    for (const element of elements) {
      const nested = this.children.get(element)?.toJson() ?? {};
      const both = this.members.has(element) && Object.keys(nested).length > 0;
      setOwn(result, element, both ? { ".": {}, ...nested } : nested);
    }
    return result;
  }

  /** Whether no path is in it. */
  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  /** Adds a path; the empty one is none. Only for a set that is being built. */
  insert(path: readonly PathElement[]): void {
    const [element, ...rest] = path;
    if (element === undefined) return;
    if (rest.length === 0) {
      this.members.add(element);
      return;
    }
    const child = this.children.get(element) ?? new FieldSet();
    this.children.set(element, child);
    child.insert(rest);
  }

  /** The paths that begin with a step, without it. */
  below(element: PathElement): FieldSet {
    return this.children.get(element) ?? new FieldSet();
  }

  /** The paths that are in this set or the other. */
  union(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const element of this.members) result.members.add(element);
    for (const element of other.members) result.members.add(element);
    for (const [element, child] of this.children) {
      const match = other.children.get(element);
      result.children.set(element, match === undefined ? child : child.union(match));
    }
    for (const [element, child] of other.children) {
      if (!this.children.has(element)) result.children.set(element, child);
    }
    return result;
  }

  /** The paths that are in both sets. */
  intersection(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const element of this.members) {
      if (other.members.has(element)) result.members.add(element);
    }
    for (const [element, child] of this.children) {
      const match = other.children.get(element);
      if (match !== undefined) result.#keep(element, child.intersection(match));
    }
    return result;
  }

  /** The paths of this set that are not in the other. */
  difference(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const element of this.members) {
      if (!other.members.has(element)) result.members.add(element);
    }
    for (const [element, child] of this.children) {
      const match = other.children.get(element);
      result.#keep(element, match === undefined ? child : child.difference(match));
    }
    return result;
  }

  /** The paths of this set that neither are in the other nor begin with one of its paths. */
  recursiveDifference(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const element of this.members) {
      if (!other.members.has(element)) result.members.add(element);
    }
    for (const [element, child] of this.children) {
      if (other.members.has(element)) continue;
      const match = other.children.get(element);
      result.#keep(element, match === undefined ? child : child.recursiveDifference(match));
    }
    return result;
  }

  /** All paths: at each step those that end there, then those that go on, both in order. */
  paths(): PathElement[][] {
    const result = [...this.members].sort(compareElements).map((element) => [element]);
    for (const element of [...this.children.keys()].sort(compareElements)) {
      for (const path of this.children.get(element)?.paths() ?? []) result.push([element, ...path]);
    }
    return result;
  }

  #keep(element: PathElement, child: FieldSet): void {
    if (!child.isEmpty) this.children.set(element, child);
  }
}
