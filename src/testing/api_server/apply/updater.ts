import {
  ANY,
  isObject,
  type Json,
  type JsonObject,
  setOwn,
  type StructType,
  type Type,
} from "../../values/mod.ts";
import { apiVersionOf, type KindInfo } from "../schema/mod.ts";
import { atomOf, memberType } from "./atom.ts";
import { FieldSet } from "./field_set.ts";
import { type Owner, owner, type Owners } from "./managers.ts";
import { fieldElement, itemElement, type PathElement } from "./path_element.ts";
import { checkTyped } from "./typed_check.ts";
import { compareTyped, type Comparison } from "./typed_compare.ts";
import { mergeTyped } from "./typed_merge.ts";
import { toFieldSet, withNamedFields } from "./typed_set.ts";

/** A conflict of a server-side apply: the apply changes a field that another field manager owns. */
export interface ApplyConflict {
  /** The owner of the field. */
  readonly owner: Owner;
  /** The path of the field. */
  readonly path: readonly PathElement[];
}

/**
 * The error of an object whose managers cannot be tracked: a list of it has an item without keys, or another version of
 * its custom resource, in which a manager has written, cannot have all its fields.
 */
export class TrackingError extends Error {
  /** Always `TrackingError`. */
  override readonly name: string = "TrackingError";
}

/** The fields that the server maintains itself; no field manager owns them. */
const STRIPPED: FieldSet = new FieldSet();
STRIPPED.insert(["f:apiVersion"]);
STRIPPED.insert(["f:kind"]);
STRIPPED.insert(["f:metadata"]);
for (
  const name of [
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ]
) STRIPPED.insert(["f:metadata", `f:${name}`]);

/** How the objects of a kind look in one of its API versions. */
export interface VersionView {
  readonly schema: StructType;
  /** Returns the form that an object of any version has in this one. */
  readonly convert: (object: JsonObject) => JsonObject;
}

/** Returns the view of a kind in another API version; undefined if the server does not know the version. */
export type VersionViews = (apiVersion: string) => VersionView | undefined;

/** Tracks the managed fields of objects of one kind when they are written. */
export class Updater {
  readonly #kind: KindInfo;
  readonly #others: VersionViews;
  readonly #subresource: string;
  readonly #reset: FieldSet;

  /**
   * Creates an updater.
   *
   * @param kind The kind, in the version of the request.
   * @param subresource The subresource of the request; empty for the object itself.
   * @param resetFields The paths that the request cannot change.
   * @param others The other versions of the kind, in which other managers may have written.
   */
  constructor(
    kind: KindInfo,
    subresource: string,
    resetFields: readonly (readonly string[])[],
    others: VersionViews,
  ) {
    this.#kind = kind;
    this.#others = others;
    this.#subresource = subresource;
    this.#reset = new FieldSet();
    for (const path of resetFields) this.#reset.insert(path.map(fieldElement));
  }

  /** The API version of the request. */
  get #version(): string {
    return apiVersionOf(this.#kind);
  }

  /**
   * Returns the owners after a create, update or patch. `manager` owns the fields that the write changed.
   *
   * @throws {TrackingError} If the version of an owner does not have all fields, or a list item has no keys.
   */
  update(
    live: JsonObject,
    next: JsonObject,
    owners: Owners,
    manager: string,
    now: string,
  ): Map<string, Owner> {
    const { owners: others, comparison } = this.#settle(live, next, owners, undefined);
    if (comparison.hasKeyless) throw new TrackingError("a list has an item without keys");
    const set = comparison.modified.union(comparison.added).recursiveDifference(this.#reset)
      .difference(STRIPPED);
    if (set.isEmpty) return others;
    const own = owner({
      manager: manager === "" ? "unknown" : manager,
      applied: false,
      apiVersion: this.#version,
      subresource: this.#subresource,
      time: now,
      set,
    });
    const before = others.get(own.id);
    others.set(own.id, before === undefined ? own : { ...own, set: own.set.union(before.set) });
    return others;
  }

  /**
   * Returns the merged object and its owners after a server-side apply of `config`.
   *
   * Conflicts occur only without `force`. If there are any, the owners are not settled: do not store the result.
   *
   * `own` is the id of the manager's entry. The entry keeps the time of the manager's last apply: the caller sets the
   * time if the object has changed.
   *
   * @throws {TrackingError} If the version of an owner does not have all fields.
   */
  apply(
    live: JsonObject,
    config: JsonObject,
    owners: Owners,
    manager: string,
    force: boolean,
  ): { object: JsonObject; owners: Map<string, Owner>; own: string; conflicts: ApplyConflict[] } {
    for (const { apiVersion } of owners.values()) this.#requireVersion(live, apiVersion);
    const type = this.#kind.schema;
    const merged = mergeTyped(live, config, type) as JsonObject;
    const own = owner({
      manager,
      applied: true,
      apiVersion: this.#version,
      subresource: this.#subresource,
      time: undefined,
      set: toFieldSet(config, type).recursiveDifference(this.#reset),
    });
    const last = owners.get(own.id);
    const claims = new Map(owners);
    claims.set(own.id, { ...own, time: last?.time });
    if (last !== undefined) {
      const why =
        "failed to prune fields: failed to convert merged object to last applied version: ";
      this.#requireVersion(merged, last.apiVersion, why);
    }
    const object = last === undefined ? merged : this.#prune(merged, claims, last);
    const conflicts = force ? [] : this.#conflicts(live, object, claims, own.id);
    if (conflicts.length > 0) return { object, owners: claims, own: own.id, conflicts };
    const { owners: settled } = this.#settle(live, object, claims, own.id);
    const claimed = settled.get(own.id);
    if (claimed !== undefined) {
      const set = claimed.set.difference(STRIPPED);
      if (set.isEmpty) settled.delete(own.id);
      else settled.set(own.id, { ...claimed, set });
    }
    return { object, owners: settled, own: own.id, conflicts };
  }

  /** Returns the changed fields that owners other than `self` have. */
  #conflicts(live: JsonObject, next: JsonObject, owners: Owners, self: string): ApplyConflict[] {
    const conflicts: ApplyConflict[] = [];
    for (const one of [...owners.values()].sort((a, b) => a.id < b.id ? -1 : 1)) {
      if (one.id === self) continue;
      const comparison = this.#compare(live, next, one.apiVersion);
      if (comparison === undefined) continue;
      const lost = one.set.intersection(comparison.modified.union(comparison.added));
      conflicts.push(...lost.paths().map((path) => ({ owner: one, path })));
    }
    return conflicts;
  }

  /** Compares the objects and removes every changed, added or removed field from all owners except `self`. */
  #settle(
    live: JsonObject,
    next: JsonObject,
    owners: Owners,
    self: string | undefined,
  ): { owners: Map<string, Owner>; comparison: Comparison } {
    const comparison = this.#compare(live, next, this.#version)!;
    const result = new Map<string, Owner>();
    for (const one of owners.values()) {
      if (one.id === self) {
        result.set(one.id, one);
        continue;
      }
      const seen = one.apiVersion === this.#version
        ? comparison
        : this.#compare(live, next, one.apiVersion);
      if (seen === undefined) continue;
      const set = one.set.difference(seen.modified).difference(seen.added).difference(seen.removed);
      if (!set.isEmpty) result.set(one.id, { ...one, set });
    }
    return { owners: result, comparison };
  }

  /** Compares the objects in one API version, without the reset fields; returns undefined for an unknown version. */
  #compare(live: JsonObject, next: JsonObject, apiVersion: string): Comparison | undefined {
    const view = this.#view(apiVersion);
    if (view === undefined) return undefined;
    const { convert, schema } = view;
    this.#requireVersion(live, apiVersion);
    this.#requireVersion(next, apiVersion, "failed to convert new object: ");
    const comparison = compareTyped(convert(live), convert(next), schema);
    const { removed, modified, added } = comparison;
    return {
      ...comparison,
      removed: removed.recursiveDifference(this.#reset),
      modified: modified.recursiveDifference(this.#reset),
      added: added.recursiveDifference(this.#reset),
    };
  }

  /** Returns how the objects look in an API version; undefined for an unknown version. */
  #view(apiVersion: string): VersionView | undefined {
    const { group, custom, schema } = this.#kind;
    const other = this.#others(apiVersion);
    if (other !== undefined) return other;
    // Without a webhook, all versions of a custom resource have the same fields.
    const isAlike = custom !== undefined && apiVersion.startsWith(`${group}/`);
    return isAlike || apiVersion === this.#version
      ? { schema, convert: (object) => object }
      : undefined;
  }

  /** Requires that the version of an owner has all fields of an object of a custom resource. */
  #requireVersion(object: JsonObject, apiVersion: string, why = ""): void {
    const type = this.#kind.versions?.get(apiVersion);
    if (type === undefined || apiVersion === this.#version) return;
    if (this.#others(apiVersion) !== undefined) return;
    const [error] = checkTyped(object, type);
    if (error !== undefined) throw new TrackingError(why + error);
  }

  /**
   * Removes the fields that the manager's last apply had and this one lacks, unless another manager owns them. What is owned
   * is looked up in the version of each owner.
   */
  #prune(merged: JsonObject, claims: Owners, last: Owner): JsonObject {
    const before = this.#view(last.apiVersion);
    if (before === undefined) return merged;
    const whole = before.convert(merged);
    const lastSet = withNamedFields(last.set, before.schema);
    let pruned = removeTyped(whole, lastSet, before.schema) as JsonObject;
    const claimed = new Map<string, FieldSet>([[last.apiVersion, new FieldSet()]]);
    for (const one of claims.values()) {
      claimed.set(one.apiVersion, (claimed.get(one.apiVersion) ?? new FieldSet()).union(one.set));
    }
    for (const [apiVersion, set] of claimed) {
      const view = this.#view(apiVersion);
      if (view === undefined) continue;
      const { convert, schema } = view;
      const all = convert(whole);
      const kept = fieldsOf(convert(pruned), schema).union(withNamedFields(set, schema));
      pruned = removeTyped(all, fieldsOf(all, schema).difference(kept), schema) as JsonObject;
    }
    const gone = fieldsOf(whole, before.schema)
      .difference(fieldsOf(before.convert(pruned), before.schema)).intersection(lastSet);
    const left = removeTyped(whole, gone, before.schema) as JsonObject;
    return this.#view(this.#version)!.convert(left);
  }
}

function fieldsOf(value: Json, schema: StructType): FieldSet {
  return withNamedFields(toFieldSet(value, schema), schema);
}

/** Returns a value without the paths of `set`. An object or list that becomes empty is replaced by null. */
function removeTyped(value: Json, set: FieldSet, type: Type): Json {
  const atom = atomOf(type, value);
  if (atom.kind === "map" && isObject(value)) {
    const result: JsonObject = {};
    for (const key of Object.keys(value)) {
      const element = fieldElement(key);
      if (set.members.has(element)) continue;
      const below = set.below(element);
      const member = value[key] ?? null;
      const kept = below.isEmpty
        ? member
        : removeTyped(member, below, memberType(type, key) ?? ANY);
      setOwn(result, key, kept);
    }
    return Object.keys(result).length > 0 ? result : null;
  }
  if (atom.kind === "list" && Array.isArray(value)) {
    const result: Json[] = [];
    for (const item of value) {
      const element = itemElement(atom.type, item);
      if (element !== undefined && set.members.has(element)) continue;
      const below = element === undefined ? undefined : set.below(element);
      const whole = below === undefined || below.isEmpty;
      result.push(whole ? item : removeTyped(item, below, atom.type.item));
    }
    return result.length > 0 ? result : null;
  }
  return value;
}
