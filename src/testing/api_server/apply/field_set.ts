import { isObject, type Json, type JsonObject, readJson, setOwn } from "../../values/mod.ts";
import { compareElements, type PathElement } from "./path_element.ts";

/** A set of paths in an object: the fields that a field manager owns. A set that is shared must not be changed. */
export class FieldSet {
  /** The path elements at which a path of the set ends. */
  readonly members: Set<PathElement> = new Set<PathElement>();
  /** The path elements with which longer paths of the set continue. */
  readonly children: Map<PathElement, FieldSet> = new Map<PathElement, FieldSet>();

  /**
   * Parses a set in the format of `fieldsV1`.
   *
   * @throws {SyntaxError} If `json` is not in that format.
   */
  static fromJson(json: Json | undefined): FieldSet {
    const set = new FieldSet();
    if (!isObject(json)) throw new SyntaxError("A set of fields must be an object");
    for (const key of Object.keys(json)) {
      if (key === ".") continue;
      const nested = json[key];
      if (key[1] !== ":") throw new SyntaxError(`"${key}" is not a step of a path`);
      // Steps that only a later version knows are dropped.
      if (!"fkvi".includes(key[0]!)) continue;
      if (!isObject(nested)) throw new SyntaxError(`"${key}" must lead to an object`);
      // A real server rounds the large integers in keys and values here. This one keeps them.
      if (!key.startsWith("f:")) readJson(key.slice(2));
      const inner = FieldSet.fromJson(nested);
      if (inner.isEmpty || Object.hasOwn(nested, ".")) set.members.add(key);
      if (!inner.isEmpty) set.children.set(key, inner);
    }
    return set;
  }

  /** Returns the set in the format of `fieldsV1`. */
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

  /** Reports whether the set has no paths. */
  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  /** Adds a path; an empty path is ignored. Call this only while building a set. */
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

  /** Returns the paths that continue after `element`, without that first element. */
  below(element: PathElement): FieldSet {
    return this.children.get(element) ?? new FieldSet();
  }

  /** Returns the paths that are in this set or in `other`. */
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

  /** Returns the paths that are in both sets. */
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

  /** Returns the paths of this set that are not in `other`. */
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

  /** Returns the paths of this set that are not in `other` and do not begin with a path of `other`. */
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

  /** Returns all paths in order: at each level, first the paths that end there, then the longer ones, both sorted. */
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
