import type { KubeObject } from "@kubeloop/controller/types";
import {
  getObject,
  getOwn,
  getPath,
  getString,
  goInteger,
  isInteger,
  isObject,
  type Json,
  jsonEqual,
  type JsonObject,
  sortKeys,
  withPath,
} from "../../values/mod.ts";
import { canonical, fromProtobuf, type KindInfo } from "../schema/mod.ts";
import type { ClusterView, Confirmation, FieldPath, KindRecord, Writer } from "./record/mod.ts";
import { withoutGatedFields } from "./gated_fields.ts";
import { recordOf } from "./record_of.ts";

/**
 * Returns the paths of the fields that a request cannot change. The field manager of the request does not become an
 * owner of these fields.
 *
 * @param subresource The subresource that the request writes; empty for the object itself.
 */
export function resetFieldsOf(kind: KindInfo, subresource: string): readonly FieldPath[] {
  const { hasStatus, resets, statusKeeps } = recordOf(kind);
  if (resets !== undefined) return resets[subresource] ?? [];
  if (!hasStatus) return [];
  if (subresource !== "status") return [["status"]];
  if (kind.custom !== undefined) {
    return kind.release.has({ since: "1.36" }) ? [["spec"], ["metadata"]] : [["spec"]];
  }
  const metadata = statusKeeps.map((name) => name === "*" ? ["metadata"] : ["metadata", name]);
  return [["spec"], ...metadata];
}

/**
 * Applies the admission plugins that are on by default. Call this after the managed fields are
 * updated, so that no field manager owns the added fields.
 *
 * @param old The object before an update; absent on a create.
 * @throws {ApiError} 403, if a plugin refuses the object.
 */
export function admit(
  kind: KindInfo,
  object: KubeObject,
  cluster: ClusterView,
  old?: KubeObject,
): KubeObject {
  const { admit: own } = recordOf(kind);
  if (own === undefined) return object;
  const before = old as unknown as JsonObject | undefined;
  return own(object as unknown as JsonObject, before, cluster) as unknown as KubeObject;
}

/** Returns a new, valid object with the defaults that the real server sets when it reads the object back. */
export function asRead(kind: KindInfo, object: KubeObject): KubeObject {
  const { asRead: own } = recordOf(kind);
  if (own === undefined) return object;
  return own(object as unknown as JsonObject) as unknown as KubeObject;
}

/**
 * Refuses a valid object, or warns of it, as the admission plugins that are on by default do.
 *
 * @param old The object before an update; absent on a create.
 * @throws {ApiError} 403
 */
export function confirm(
  kind: KindInfo,
  object: KubeObject,
  confirmation: Confirmation,
  old?: KubeObject,
): void {
  const before = old as unknown as JsonObject | undefined;
  recordOf(kind).confirm?.(object as unknown as JsonObject, before, confirmation);
}

/**
 * Prepares a new object for storage. Resets the status, sets the generation, and sets the fields that depend on the
 * name and the UID, which must be set.
 */
export function prepareForCreate(
  kind: KindInfo,
  object: KubeObject,
  writer: Writer,
): KubeObject {
  const record = recordOf(kind);
  let result = object as unknown as JsonObject;
  for (const name of ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"]) {
    if (getPath(result, "metadata", name) !== undefined) {
      result = withPath(result, ["metadata", name], undefined);
    }
  }
  if (record.counts !== undefined) result = withPath(result, ["metadata", "generation"], 1);
  if (record.hasStatus) result = withPath(result, ["status"], undefined);
  result = dropGated(kind, record, result);
  return stored(
    kind,
    record.prepareCreate?.(result, writer, object as unknown as JsonObject) ?? result,
  );
}

function dropGated(kind: KindInfo, { gated }: KindRecord, object: JsonObject): JsonObject {
  const kept = kind.custom === undefined ? withoutGatedFields(kind, object) : object;
  return gated.filter((one) => !kind.release.has(one))
    .reduce((rest, { path }) => withPath(rest, path, undefined), kept);
}

/**
 * Prepares an updated object for storage. Takes from `next` only the fields that the request may write, and keeps the
 * system metadata of `old`.
 *
 * @param next The object that the request writes, with managed fields.
 * @param old The current object.
 * @param writer The user and the time of the write.
 * @param subresource The subresource that the request writes, as in `status`; empty for the object itself.
 */
export function prepareForUpdate(
  kind: KindInfo,
  next: KubeObject,
  old: KubeObject,
  writer: Writer,
  subresource = "",
): KubeObject {
  const record = recordOf(kind);
  const before = old as unknown as JsonObject;
  let result = keepSystemMetadata(next as unknown as JsonObject, before);
  result = dropGated(kind, record, result);
  const part = Object.hasOwn(record.parts, subresource) ? record.parts[subresource] : undefined;
  if (subresource === "status") {
    result = takeStatus(kind, record, result, before);
    result = record.prepareStatus?.(result, before, writer) ?? result;
  } else if (part !== undefined) {
    result = part.prepare(result, before, writer);
  } else {
    if (record.hasStatus) result = withPath(result, ["status"], getOwn(before, "status"));
    if (subresource === "") result = record.prepareUpdate?.(result, before, writer) ?? result;
  }
  if (subresource !== "status" && changes(record, result, before)) {
    const generation = getPath(before, "metadata", "generation");
    const count = isInteger(generation) ? BigInt(generation) : 0n;
    result = withPath(result, ["metadata", "generation"], goInteger(count + 1n));
  }
  return stored(kind, result);
}

function keepSystemMetadata(next: JsonObject, old: JsonObject): JsonObject {
  const metadata: JsonObject = { ...getObject(next, "metadata") };
  const before = getObject(old, "metadata");
  delete metadata["selfLink"];
  for (const name of ["generation", "creationTimestamp"]) {
    const value = getOwn(before, name);
    if (value === undefined) delete metadata[name];
    else metadata[name] = value;
  }
  if (!getString(metadata, "uid") && before["uid"] !== undefined) metadata["uid"] = before["uid"];
  if (before["deletionTimestamp"] !== undefined) {
    metadata["deletionTimestamp"] = before["deletionTimestamp"];
  }
  const grace = before["deletionGracePeriodSeconds"];
  if (grace !== undefined && metadata["deletionGracePeriodSeconds"] === undefined) {
    metadata["deletionGracePeriodSeconds"] = grace;
  }
  return { ...next, metadata };
}

/** Applies a write to the status subresource. Takes the status from `next`, and the metadata that the kind allows. */
function takeStatus(
  kind: KindInfo,
  { statusKeeps }: KindRecord,
  next: JsonObject,
  old: JsonObject,
): JsonObject {
  const wanted = getObject(next, "metadata");
  let metadata: JsonObject = { ...wanted };
  if (statusKeeps.includes("*")) {
    metadata = { ...getObject(old, "metadata") };
    const managed = getOwn(wanted, "managedFields");
    if (managed === undefined) delete metadata["managedFields"];
    else metadata["managedFields"] = managed;
  } else {
    for (const name of statusKeeps) {
      const value = getPath(old, "metadata", name);
      if (value === undefined) delete metadata[name];
      else metadata[name] = value;
    }
  }
  const result: JsonObject = { ...(kind.custom === undefined ? next : old), metadata };
  if (kind.custom === undefined) {
    if (getOwn(old, "spec") !== undefined) result["spec"] = getOwn(old, "spec")!;
  }
  const status = getOwn(next, "status");
  if (status === undefined) delete result["status"];
  else result["status"] = status;
  return result;
}

/** Reports whether an update changes the desired state, so that the generation increases. */
function changes({ counts = [] }: KindRecord, next: JsonObject, old: JsonObject): boolean {
  return counts.some((path) =>
    path.length === 0
      ? !jsonEqual(withoutMetadata(next), withoutMetadata(old))
      : !jsonEqual(countedAt(next, path), countedAt(old, path))
  );
}

/** Returns the value at a path. An absent value and an empty list are the same as an empty object. */
function countedAt(object: JsonObject, path: readonly string[]): Json {
  const value = getPath(object, ...path) ?? {};
  return Array.isArray(value) && value.length === 0 ? {} : value;
}

function withoutMetadata(object: JsonObject): JsonObject {
  const rest: JsonObject = { ...object };
  delete rest["metadata"];
  return rest;
}

/** Returns an object in its storage format. */
function stored(kind: KindInfo, object: JsonObject): KubeObject {
  if (kind.custom === undefined) {
    const read = recordOf(kind).storedAsJson ? canonical : fromProtobuf;
    return read(object, kind.schema) as unknown as KubeObject;
  }
  const metadata = getOwn(object, "metadata");
  const sorted = isObject(metadata) ? { ...object, metadata: sortKeys(metadata) } : object;
  return sortKeys(sorted) as unknown as KubeObject;
}

/**
 * Reports whether an update changes nothing, apart from the resource version and the timestamps in managed fields. Such
 * an update is not written, so that the resource version stays the same.
 */
export function isNoop(next: KubeObject, old: KubeObject): boolean {
  return jsonEqual(comparable(next), comparable(old));
}

function comparable(object: KubeObject): JsonObject {
  const json = object as unknown as JsonObject;
  const metadata: JsonObject = { ...getObject(json, "metadata") };
  delete metadata["resourceVersion"];
  if (Array.isArray(metadata["managedFields"])) {
    metadata["managedFields"] = metadata["managedFields"].map((entry: Json) => {
      if (!isObject(entry)) return entry;
      const copy: JsonObject = { ...entry };
      delete copy["time"];
      return copy;
    });
  }
  return { ...json, metadata };
}
