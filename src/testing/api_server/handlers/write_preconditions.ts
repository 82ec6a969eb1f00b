import type { KubeObject } from "@kubeloop/controller/types";
import type { ResourceExchange } from "./exchange.ts";
import { checkNameMatches, checkNamespaceMatches, type ResourceInfo } from "../kinds/mod.ts";
import { conflict, internalError, modified, resourceVersionRequired } from "../values/mod.ts";
import type { StoredObject } from "../storage/mod.ts";

const MAX_UINT64 = 2n ** 64n - 1n;

/** Refuses an object that names another place than the path does. */
export function checkPlace({ info }: ResourceExchange, object: KubeObject): void {
  checkNamespaceMatches(info.namespace, object);
  checkNameMatches(info.name, object);
}

/** Refuses a create that names a revision. One that is not a number is not looked at. */
export function checkNoRevision({ metadata }: KubeObject): void {
  const revision = readUint64(metadata.resourceVersion ?? "");
  if (typeof revision === "bigint" && revision !== 0n) {
    throw internalError("resourceVersion should not be set on objects to be created");
  }
}

/** Refuses an update that was meant for another object, or another version of it, than the stored one. */
export function checkPreconditions(
  exchange: ResourceExchange,
  stored: StoredObject | undefined,
  next: KubeObject,
  dryRun: boolean,
): void {
  const { definition, capabilities } = exchange.resource;
  const { uid = "", resourceVersion = "" } = next.metadata;
  // A patch that changes the uid is refused by validation.
  if (exchange.method === "PUT" && uid !== "" && uid !== stored?.uid) {
    throw otherObject(exchange, uid, stored?.uid ?? "", dryRun);
  }
  const revision = readUint64(resourceVersion);
  if (typeof revision === "string") {
    throw internalError(
      `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: ${revision}`,
    );
  }
  // What is not there yet has no version to compare.
  if (stored === undefined) return;
  if (revision === 0n && !capabilities.allowUnconditionalUpdate) {
    throw resourceVersionRequired(definition, exchange.info.name);
  }
  if (revision !== 0n && revision !== BigInt(stored.revision)) {
    throw modified(definition, exchange.info.name);
  }
}

/** The number that `text` is, 0 when it is empty; or what is wrong with it. */
function readUint64(text: string): bigint | "invalid syntax" | "value out of range" {
  if (text === "") return 0n;
  if (!/^[0-9]+$/.test(text)) return "invalid syntax";
  const value = BigInt(text);
  return value > MAX_UINT64 ? "value out of range" : value;
}

function otherObject(
  { info, resource }: ResourceExchange,
  wanted: string,
  found: string,
  dryRun: boolean,
): Error {
  const place = info.namespace === "" ? info.name : `${info.namespace}/${info.name}`;
  // A dry run is checked before the prefix of the storage is put in front.
  const key = `${dryRun ? "" : "/registry"}/${registryPath(resource)}/${place}`;
  return conflict(
    resource.definition,
    info.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`,
  );
}

/** Where the real server keeps a resource, as its messages show it. */
function registryPath({ custom, definition, storageName }: ResourceInfo): string {
  const { group, plural } = definition;
  if (storageName === "services") return "services/specs";
  return custom ? `${group}/${plural}` : plural;
}
