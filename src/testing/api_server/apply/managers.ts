import {
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonObject,
  quote,
} from "../../values/mod.ts";
import { FieldSet } from "./field_set.ts";

/** A field manager and the fields of an object that it owns: one entry of the managed fields. */
export interface Owner {
  /** The identity of the manager, made by {@linkcode owner}. Conflicts are sorted by it. */
  readonly id: string;
  /** The name of the manager. */
  readonly manager: string;
  /** Whether the fields were set by server-side apply (operation `Apply`). */
  readonly applied: boolean;
  /** The API version to which the paths of `set` refer. */
  readonly apiVersion: string;
  /** The subresource through which the fields were set; empty for the object itself. */
  readonly subresource: string;
  /** When the fields were last changed; undefined if no time is recorded. */
  readonly time: string | undefined;
  /** The fields that the manager owns. */
  readonly set: FieldSet;
}

/** The owners of an object by their id. */
export type Owners = ReadonlyMap<string, Owner>;

/** The maximum number of entries with operation `Update`. If there are more, the oldest are merged. */
const MAX_UPDATERS = 10;

/** The manager that owns the merged entries of the oldest updates. */
const ANCIENT = "ancient-changes";

/**
 * Returns the identity of an owner.
 *
 * The identity of an apply does not include the API version, so that an apply in a new version takes over all fields.
 */
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

/** Creates an owner with the id that follows from its other properties. */
export function owner(parts: Omit<Owner, "id">): Owner {
  return { id: ownerId(parts), ...parts };
}

/** Parses the owners in `metadata.managedFields`; returns undefined if an entry is invalid. */
export function readOwners(object: JsonObject | undefined): Map<string, Owner> | undefined {
  const owners = parseOwners(object);
  return typeof owners === "string" ? undefined : owners;
}

/** Parses the owners in `metadata.managedFields`; returns what is wrong if an entry is invalid. */
export function parseOwners(object: JsonObject | undefined): Map<string, Owner> | string {
  const owners = new Map<string, Owner>();
  const metadata = object === undefined ? undefined : getOwn(object, "metadata");
  const list = isObject(metadata) ? getOwn(metadata, "managedFields") : undefined;
  const entries = Array.isArray(list) ? list : [];
  for (const [index, entry] of entries.entries()) {
    const operation = getString(entry, "operation");
    const apiVersion = getString(entry, "apiVersion");
    if (operation !== "Apply" && operation !== "Update") {
      return "operation must be `Apply` or `Update`";
    }
    if (apiVersion === "") return "apiVersion must not be empty";
    const fieldsType = getString(entry, "fieldsType");
    if (fieldsType !== "FieldsV1") {
      return fieldsType === ""
        ? `missing fieldsType in managed fields entry ${index}`
        : `invalid fieldsType ${quote(fieldsType)} in managed fields entry ${index}`;
    }
    let set: FieldSet;
    try {
      set = FieldSet.fromJson(isObject(entry) ? getOwn(entry, "fieldsV1") ?? {} : {});
    } catch (error) {
      return `error decoding versioned set: ${(error as Error).message}`;
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

/** Reports whether a write resets the managed fields: with an empty list, or with a list of one empty entry. */
export function isReset(object: JsonObject): boolean {
  const metadata = getOwn(object, "metadata");
  const entries = isObject(metadata) ? getOwn(metadata, "managedFields") : undefined;
  if (!Array.isArray(entries)) return false;
  const [first] = entries;
  return first === undefined ||
    (entries.length === 1 && isObject(first) && Object.keys(first).length === 0);
}

/** Returns a copy of the object with `owners` as its managed fields: applies first, then updates, each by time. */
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

/** Merges the oldest update entries of the same API version until at most ten update entries remain. */
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
