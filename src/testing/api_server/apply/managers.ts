import { getOwn, getString, isObject, type Json, type JsonObject } from "../values/mod.ts";
import { FieldSet } from "./field_set.ts";

/** What one manager owns of an object. */
export interface Owner {
  /** Who: in the order of these, entries and conflicts are sorted. */
  readonly id: string;
  /** The manager's name. */
  readonly manager: string;
  /** Whether by server-side apply. */
  readonly applied: boolean;
  /** The version in which the set is written. */
  readonly apiVersion: string;
  /** The subresource through which it was written; empty for the object. */
  readonly subresource: string;
  /** When; absent where nobody took note. */
  readonly time: string | undefined;
  /** What. */
  readonly set: FieldSet;
}

/** The owners of an object by their id. */
export type Owners = ReadonlyMap<string, Owner>;

/** The most entries of plain updates; the oldest are merged beyond that. */
const MAX_UPDATERS = 10;

/** The manager that the oldest updates are merged into. */
const ANCIENT = "ancient-changes";

/** Who somebody is: for an apply the version does not count, so that a new version takes over what the old one owned. */
function ownerId(
  owner: Pick<Owner, "manager" | "applied" | "apiVersion" | "subresource">,
): string {
  const { manager, applied, apiVersion, subresource } = owner;
  return JSON.stringify({
    ...(manager === "" ? {} : { manager }),
    operation: applied ? "Apply" : "Update",
    ...(applied ? {} : { apiVersion }),
    ...(subresource === "" ? {} : { subresource }),
  });
}

/** An owner with its id. */
export function owner(parts: Omit<Owner, "id">): Owner {
  return { id: ownerId(parts), ...parts };
}

/** The owners that `metadata.managedFields` lists; undefined when it makes no sense. */
export function readOwners(object: JsonObject | undefined): Map<string, Owner> | undefined {
  const owners = new Map<string, Owner>();
  const metadata = object === undefined ? undefined : getOwn(object, "metadata");
  const entries = isObject(metadata) ? getOwn(metadata, "managedFields") : undefined;
  for (const entry of Array.isArray(entries) ? entries : []) {
    const operation = getString(entry, "operation");
    const apiVersion = getString(entry, "apiVersion");
    const known = operation === "Apply" || operation === "Update";
    if (!known || apiVersion === "" || getString(entry, "fieldsType") !== "FieldsV1") {
      return undefined;
    }
    let set: FieldSet;
    try {
      set = FieldSet.fromJson(isObject(entry) ? getOwn(entry, "fieldsV1") ?? {} : {});
    } catch {
      return undefined;
    }
    const one = owner({
      manager: getString(entry, "manager"),
      applied: operation === "Apply",
      apiVersion,
      subresource: getString(entry, "subresource"),
      time: getString(entry, "time") || undefined,
      set,
    });
    owners.set(one.id, one);
  }
  return owners;
}

/** Whether a write asks to forget all owners: an empty list, or one empty entry. */
export function isReset(object: JsonObject): boolean {
  const metadata = getOwn(object, "metadata");
  const entries = isObject(metadata) ? getOwn(metadata, "managedFields") : undefined;
  if (!Array.isArray(entries)) return false;
  const [first] = entries;
  return first === undefined ||
    (entries.length === 1 && isObject(first) && Object.keys(first).length === 0);
}

/** The object with its owners listed: applies first, then by time. */
export function writeOwners(object: JsonObject, owners: Owners): JsonObject {
  const metadata: JsonObject = { ...(getOwn(object, "metadata") as JsonObject | undefined) };
  delete metadata["managedFields"];
  if (owners.size > 0) {
    metadata["managedFields"] = [...owners.values()].sort(compareOwners).map(entryOf);
  }
  return { ...object, metadata };
}

function compareOwners(a: Owner, b: Owner): number {
  if (a.applied !== b.applied) return a.applied ? -1 : 1;
  for (const key of ["time", "manager", "apiVersion", "subresource"] as const) {
    const left = a[key] ?? "";
    const right = b[key] ?? "";
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function entryOf(one: Owner): Json {
  return {
    ...(one.manager === "" ? {} : { manager: one.manager }),
    operation: one.applied ? "Apply" : "Update",
    apiVersion: one.apiVersion,
    ...(one.time === undefined ? {} : { time: one.time }),
    fieldsType: "FieldsV1",
    fieldsV1: one.set.toJson(),
    ...(one.subresource === "" ? {} : { subresource: one.subresource }),
  };
}

/** Merges the oldest updates, version by version, until there are no more than ten entries of updates. */
export function capUpdaters(owners: Owners): Map<string, Owner> {
  const result = new Map(owners);
  const updaters = [...owners.values()].filter((one) => !one.applied).sort((a, b) => {
    const left = a.time ?? "";
    const right = b.time ?? "";
    if (left !== right) return left < right ? -1 : 1;
    return a.id < b.id ? -1 : 1;
  });
  let count = updaters.length;
  const firsts = new Map<string, Owner>();
  for (const one of updaters) {
    if (count <= MAX_UPDATERS) break;
    const first = firsts.get(one.apiVersion);
    if (first === undefined) {
      firsts.set(one.apiVersion, one);
      continue;
    }
    const empty = { applied: false, apiVersion: one.apiVersion, subresource: "" };
    const bucketId = ownerId({ manager: ANCIENT, ...empty });
    const bucket = result.get(bucketId) ?? first;
    if (bucket === first) result.delete(first.id);
    result.delete(one.id);
    const merged = owner({
      manager: ANCIENT,
      ...empty,
      time: one.time,
      set: bucket.set.union(one.set),
    });
    result.set(merged.id, merged);
    count--;
  }
  return result;
}
