import type { KubeObject } from "@kubeloop/controller/types";
import { resetFieldsOf } from "./strategy.ts";
import {
  applyConflict,
  badRequest,
  byteLength,
  conflict,
  CONVERTED,
  getOwn,
  getPath,
  getString,
  internalError,
  isObject,
  type Json,
  jsonEqual,
  type JsonObject,
  sortKeys,
  withPath,
} from "../../values/mod.ts";
import {
  type ApplyConflict,
  capUpdaters,
  checkTyped,
  isReset,
  LAST_APPLIED,
  lastAppliedSet,
  lastAppliedText,
  type Owner,
  parseOwners,
  readOwners,
  showErrors,
  showPath,
  TrackingError,
  Updater,
  type VersionViews,
  writeOwners,
} from "../apply/mod.ts";
import {
  apiVersionOf,
  canonical,
  DecodeError,
  type KindInfo,
  readObject,
  schemasOf,
} from "../schema/mod.ts";
import { applyDefaults } from "./defaults.ts";
import { builtinRecords } from "./record_of.ts";
import type { KindRecord } from "./record/mod.ts";

/** The maximum length of a field manager's name, in bytes. */
const MAX_MANAGER_BYTES = 128;

/** The field manager that owns the existing fields of an object that has no managed fields before its first apply. */
const BEFORE_FIRST_APPLY = "before-first-apply";

/** A create, update or patch whose managed fields are to be recorded. */
export interface UpdateRequest {
  /** The kind, in the version of the request. */
  readonly kind: KindInfo;
  /** The current object; absent on a create. */
  readonly live?: KubeObject | undefined;
  /** The object that the request writes, after defaulting and before admission. */
  readonly next: KubeObject;
  /** The field manager: the `fieldManager` of the request, or the result of `managerFromUserAgent()`. */
  readonly manager: string;
  /** The subresource that the request writes; empty or absent for the object itself. */
  readonly subresource?: string;
  /** The time to record in the managed fields, in RFC 3339. */
  readonly now: string;
  /** The other versions of a custom resource that a webhook converts. */
  readonly views?: VersionViews | undefined;
}

/** A server-side apply request. */
export interface ApplyRequest {
  /** The kind, in the version of the request. */
  readonly kind: KindInfo;
  /** The current object; absent if the apply creates it. */
  readonly live?: KubeObject | undefined;
  /** The applied configuration. */
  readonly patch: Json;
  /** The field manager. */
  readonly manager: string;
  /** Whether the apply takes over fields that other managers own, instead of failing with a conflict. */
  readonly force: boolean;
  /** The subresource that the request writes; empty or absent for the object itself. */
  readonly subresource?: string;
  /** The name of the object, from the path. */
  readonly name: string;
  /** The time to record in the managed fields, in RFC 3339. */
  readonly now: string;
  /** The other versions of a custom resource that a webhook converts. */
  readonly views?: VersionViews | undefined;
}

/**
 * Returns the default field manager of a User-Agent: the part before the first slash, without unprintable characters
 * and cut to 128 bytes.
 */
export function managerFromUserAgent(userAgent: string): string {
  let result = "";
  for (const char of userAgent.split("/")[0] ?? "") {
    if (/[\p{C}\p{Z}]/u.test(char) && char !== " ") continue;
    if (byteLength(result + char) > MAX_MANAGER_BYTES) break;
    result += char;
  }
  return result;
}

/** Returns why the managed fields of an object cannot be read; undefined if they can. */
export function ownersProblem(object: KubeObject): string | undefined {
  const owners = parseOwners(object as unknown as JsonObject);
  return typeof owners === "string" ? owners : undefined;
}

/** Returns an empty object of a kind: the state before the first write. */
function nothing(kind: KindInfo): JsonObject {
  const head = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
  return kind.custom === undefined ? canonical(head as JsonObject, kind.schema) : head;
}

/**
 * Updates `metadata.managedFields` after a create, an update or a patch. The manager of the request owns the fields
 * that it changed. The other managers lose the fields that were changed or removed. An existing object without managed
 * fields stays without them.
 */
export function updateManagedFields(request: UpdateRequest): KubeObject {
  const { kind, live, manager, now, subresource = "" } = request;
  const before = live as unknown as JsonObject | undefined;
  const written = request.next as unknown as JsonObject;
  const next = before === undefined ? withoutDeletion(written) : written;
  const owners = subresource === "" ? ownersOfWrite(before, next) : readOwners(before) ?? new Map();
  const bare = withPath(next, ["metadata", "managedFields"], undefined);
  if (owners.size === 0 && before !== undefined) return finish(kind, bare);
  // A custom resource that does not match its schema gets no managed fields, even if the mismatch is in a status that
  // is about to be dropped.
  if (kind.custom !== undefined && checkTyped(bare, kind.schema).length > 0) {
    return finish(kind, bare);
  }
  const base = before ?? nothing(kind);
  const updater = updaterOf(kind, subresource, request.views);
  let settled: Map<string, Owner>;
  try {
    settled = updater.update(withoutOwners(base), bare, owners, manager, now);
  } catch (error) {
    if (!(error instanceof TrackingError)) throw error;
    // The real server logs the error, and drops all managers until Kubernetes 1.37.
    if (!kind.release.has({ since: "1.37" })) return finish(kind, bare);
    const kept = getPath(before, "metadata", "managedFields");
    return finish(kind, withPath(bare, ["metadata", "managedFields"], kept));
  }
  return finish(kind, writeOwners(bare, capUpdaters(settled)));
}

function updaterOf(
  kind: KindInfo,
  subresource: string,
  views: VersionViews = versionsOf(kind),
): Updater {
  return new Updater(kind, subresource, resetFieldsOf(kind, subresource), views);
}

/** Removes the deletion fields of a new object: a create ignores them. */
function withoutDeletion(object: JsonObject): JsonObject {
  const names = ["deletionTimestamp", "deletionGracePeriodSeconds"];
  return names.reduce((rest, name) => withPath(rest, ["metadata", name], undefined), object);
}

function withoutOwners(object: JsonObject): JsonObject {
  return withPath(object, ["metadata", "managedFields"], undefined);
}

/**
 * Returns the managers to start from. The managed fields of the request replace the live managed fields, unless they
 * are missing or invalid. An empty list in the request removes all managers.
 */
function ownersOfWrite(live: JsonObject | undefined, next: JsonObject): Map<string, Owner> {
  if (isReset(next)) return new Map();
  const given = readOwners(next);
  if (given !== undefined && given.size > 0) return given;
  return readOwners(live) ?? new Map();
}

function finish(kind: KindInfo, object: JsonObject): KubeObject {
  if (kind.custom === undefined) return object as unknown as KubeObject;
  const metadata = getOwn(object, "metadata");
  const sorted = isObject(metadata) ? { ...object, metadata: sortKeys(metadata) } : object;
  return sorted as unknown as KubeObject;
}

/**
 * Merges an applied configuration into an object and records which fields the manager owns. Removes the fields that the
 * manager applied before and no longer applies, unless another manager owns them too.
 *
 * @returns The object with defaults and managed fields, which equals `live` if nothing changed; and whether the apply
 * creates the object.
 * @throws {ApiError} 400, if the patch is of another kind or has managed fields. 409, if the apply conflicts with
 * another manager, or if the patch has a UID and the object does not exist. 500, if the patch does not match the
 * schema.
 */
export function applyPatch(request: ApplyRequest): { object: KubeObject; created: boolean } {
  const { kind, live, now, subresource = "" } = request;
  const config = checkPatch(request);
  const base = (live as unknown as JsonObject | undefined) ?? nothing(kind);
  const updater = updaterOf(kind, subresource, request.views);
  let owners = readOwners(base) ?? new Map<string, Owner>();
  const bare = withoutOwners(base);
  if (owners.size === 0) {
    owners = updater.update(nothing(kind), bare, owners, BEFORE_FIRST_APPLY, now);
  }
  const merge = (force: boolean) => {
    try {
      return updater.apply(bare, config, owners, request.manager, force);
    } catch (error) {
      throw error instanceof TrackingError ? internalError(error.message) : error;
    }
  };
  let result = merge(request.force);
  if (result.conflicts.length > 0 && request.manager === "kubectl") {
    const allowed = lastAppliedSet(kind, bare);
    const paths = new Set(allowed.paths().map((path) => JSON.stringify(path)));
    const left = result.conflicts.filter(({ path }) => !paths.has(JSON.stringify(path)));
    if (left.length > 0) throw conflictError(left);
    result = merge(true);
  }
  if (result.conflicts.length > 0) throw conflictError(result.conflicts);
  const changed = !jsonEqual(result.object, bare);
  const own = result.owners.get(result.own);
  if (changed && own !== undefined) result.owners.set(result.own, { ...own, time: now });
  let object = changed
    ? read(kind, result.object, subjectOf(config))
    : bare as unknown as KubeObject;
  object = noteLastApplied(object, config, request.manager);
  const written = writeOwners(object as unknown as JsonObject, result.owners);
  checkUid(request, written);
  return { object: finish(kind, written), created: live === undefined };
}

/** Checks the kind and the schema of a patch, and returns the patch. */
function checkPatch({ kind, patch }: ApplyRequest): JsonObject {
  const config = isObject(patch) ? patch : {};
  const apiVersion = getString(config, "apiVersion");
  const named = getString(config, "kind");
  if (apiVersion !== apiVersionOf(kind) || named !== kind.kind) {
    throw badRequest(`invalid object type: ${showKind(apiVersion, named)}`);
  }
  if ((getPath(config, "metadata", "managedFields") ?? null) !== null) {
    throw badRequest("metadata.managedFields must be nil");
  }
  const errors = checkTyped(config, kind.schema);
  if (errors.length > 0) {
    const text = showErrors(errors);
    throw internalError(`failed to create typed patch object (${subjectOf(config)}): ${text}`);
  }
  return config;
}

/** Returns the text by which error messages refer to an applied object. */
function subjectOf(config: JsonObject): string {
  const kind = showKind(getString(config, "apiVersion"), getString(config, "kind"));
  return `${getString(config, "metadata", "namespace")}/${
    getString(config, "metadata", "name")
  }; ${kind}`;
}

/** Formats a kind as Go prints a `GroupVersionKind`. */
function showKind(apiVersion: string, kind: string): string {
  const [version = "", group = "", ...more] = apiVersion.split("/").reverse();
  if (more.length > 0) return "/, Kind=";
  return `${group}/${version}, Kind=${kind}`;
}

function checkUid({ kind, live, name }: ApplyRequest, object: JsonObject): void {
  const uid = getString(object, "metadata", "uid");
  if (live !== undefined || uid === "") return;
  throw conflict(
    kind,
    name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}

function read(kind: KindInfo, object: JsonObject, subject: string): KubeObject {
  let decoded: KubeObject;
  try {
    decoded = readObject(object, kind, CONVERTED).object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const reason = error.message.replace(/^illegal base64/, "error decoding from json: $&")
      .replace(/Go struct field \S+ of/, "Go value of");
    const target = showKind(apiVersionOf(kind), kind.kind);
    throw internalError(
      `failed to convert new object (${subject}) to proper version: ` +
        `unable to convert unstructured object to ${target}: ${reason}`,
    );
  }
  if (kind.custom === undefined) return applyDefaults(kind, decoded);
  // A map that lost its last entry is null here. It stays null, so that validation rejects it as the real server does.
  const whole = { ...object, metadata: decoded.metadata as unknown as Json };
  return applyDefaults(kind, whole as unknown as KubeObject);
}

function noteLastApplied(object: KubeObject, config: JsonObject, manager: string): KubeObject {
  const path = ["metadata", "annotations", LAST_APPLIED];
  const json = object as unknown as JsonObject;
  if (manager !== "kubectl" || getString(json, ...path) === "") return object;
  return withPath(json, path, lastAppliedText(config)) as unknown as KubeObject;
}

/** Formats a conflicting manager as in the conflict message. */
function showOwner(one: Owner): string {
  const through = one.subresource === ""
    ? ""
    : ` with subresource ${JSON.stringify(one.subresource)}`;
  const using = one.applied ? "" : ` using ${one.apiVersion}`;
  return `${JSON.stringify(one.manager)}${through}${using}`;
}

function conflictError(conflicts: readonly ApplyConflict[]): Error {
  const causes = conflicts.map((one) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${showOwner(one.owner)}`,
    field: showPath(one.path),
  }));
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    const text = `conflict with ${showOwner(first.owner)}: ${showPath(first.path)}`;
    return applyConflict(`Apply failed with 1 conflict: ${text}`, causes);
  }
  const lines: string[] = [];
  let last: Owner | undefined;
  for (const { owner, path } of conflicts) {
    if (owner !== last) lines.push(`conflicts with ${showOwner(owner)}:`);
    last = owner;
    lines.push(`- ${showPath(path)}`);
  }
  const message = `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
  return applyConflict(message, causes);
}

/**
 * Returns the views of a built-in kind in the other versions of its group that have the same stored objects. Other
 * kinds have none: an Event of another group is another kind.
 */
export function versionsOf(kind: KindInfo): VersionViews {
  if (kind.custom !== undefined) return () => undefined;
  const records = builtinRecords(kind.release);
  const recordIn = (apiVersion: string) => records.get(`${apiVersion}/${kind.kind}`);
  const own = recordIn(apiVersionOf(kind));
  if (own === undefined) return () => undefined;
  return (apiVersion) => {
    const record = recordIn(apiVersion);
    if (record === undefined || record.definition.group !== kind.group) return undefined;
    if (storedVersion(record) !== storedVersion(own)) return undefined;
    const schema = apiVersion === apiVersionOf(kind)
      ? kind.schema
      : schemasOf(kind.release.minor).kind(kind.group, record.definition.version, kind.kind)!;
    return { schema, convert: (object) => convert(object, record, recordIn) };
  };
}

function storedVersion({ definition, stored }: KindRecord): string {
  return apiVersionOf(stored ?? definition);
}

/** Returns an object in the version of a record, by way of the version in which it would be stored. */
function convert(
  object: JsonObject,
  to: KindRecord,
  recordIn: (apiVersion: string) => KindRecord | undefined,
): JsonObject {
  const apiVersion = getString(object, "apiVersion");
  if (apiVersion === apiVersionOf(to.definition)) return object;
  const from = recordIn(apiVersion)?.stored?.conversion;
  const own = object as unknown as KubeObject;
  const stored = from === undefined ? own : (from.toBareStorage ?? from.toStorage)(own);
  return (to.stored?.conversion.fromStorage(stored) ?? stored) as unknown as JsonObject;
}
