import type { KubeObject } from "@kubeloop/controller/types";
import type { ResourceExchange } from "./exchange.ts";
import { checkNameMatches, checkNamespaceMatches, type ResourceInfo } from "../kinds/mod.ts";
import { conflict, internalError, modified, resourceVersionRequired } from "../../values/mod.ts";
import type { StoredObject } from "../storage/mod.ts";

const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * Refuses an object whose name or namespace differs from the path.
 *
 * @throws {ApiError} 400
 */
export function checkPlace({ info }: ResourceExchange, object: KubeObject): void {
  checkNamespaceMatches(info.namespace, object);
  checkNameMatches(info.name, object);
}

/**
 * Refuses a create with a numeric resourceVersion. Other texts are ignored.
 *
 * @throws {ApiError} 500
 */
export function checkNoRevision({ metadata }: KubeObject): void {
  const revision = readUint64(metadata.resourceVersion ?? "");
  if (typeof revision === "bigint" && revision !== 0n) {
    throw internalError("resourceVersion should not be set on objects to be created");
  }
}

/**
 * Refuses a PUT that is meant for another object than the stored one.
 *
 * @throws {ApiError} 409
 */
export function checkUid(
  exchange: ResourceExchange,
  stored: StoredObject | undefined,
  { metadata: { uid = "" } }: KubeObject,
  dryRun: boolean,
): void {
  // Validation refuses a patch that changes the UID.
  if (exchange.method !== "PUT" || uid === "" || uid === stored?.uid) return;
  throw preconditionFailed(exchange, ["UID", uid, stored?.uid ?? ""], dryRun);
}

/**
 * Refuses an update that is meant for another object, or for another version of it, than the stored one.
 *
 * @throws {ApiError} 409, 422 or 500.
 */
export function checkPreconditions(
  exchange: ResourceExchange,
  stored: StoredObject | undefined,
  next: KubeObject,
  dryRun: boolean,
): void {
  const { definition, record } = exchange.resource;
  const { resourceVersion = "" } = next.metadata;
  checkUid(exchange, stored, next, dryRun);
  const revision = readUint64(resourceVersion);
  if (typeof revision === "string") {
    throw internalError(
      `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: ${revision}`,
    );
  }
  // A new object has no version to compare with.
  if (stored === undefined) return;
  if (revision === 0n && !record.allowUnconditionalUpdate) {
    throw resourceVersionRequired(definition, exchange.info.name);
  }
  if (revision !== 0n && revision !== BigInt(stored.revision)) {
    throw modified(definition, exchange.info.name);
  }
}

/** Parses an unsigned 64-bit integer, 0 for an empty text. Returns Go's error for any other text. */
function readUint64(text: string): bigint | "invalid syntax" | "value out of range" {
  if (text === "") return 0n;
  if (!/^[0-9]+$/.test(text)) return "invalid syntax";
  const value = BigInt(text);
  return value > MAX_UINT64 ? "value out of range" : value;
}

/** Returns the 409 of an object that does not have the UID or the version that a request names. */
export function preconditionFailed(
  { info, resource }: ResourceExchange,
  [what, wanted, found]: readonly [what: "UID" | "ResourceVersion", wanted: string, found: string],
  dryRun: boolean,
): Error {
  const place = info.namespace === "" ? info.name : `${info.namespace}/${info.name}`;
  // In a dry run, the real server checks this before it adds the prefix of the storage.
  const key = `${dryRun ? "" : "/registry"}/${registryPath(resource)}/${place}`;
  return conflict(
    resource.definition,
    info.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`,
  );
}

/** Returns the path at which the real server stores a resource, as its messages show it. */
export function registryPath({ custom, definition, record }: ResourceInfo): string {
  const { group, plural } = definition;
  return custom ? `${group}/${plural}` : record.storagePath ?? plural;
}
