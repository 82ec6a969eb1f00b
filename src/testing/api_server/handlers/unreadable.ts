/**
 * Errors for stored objects that a conversion webhook does not convert.
 *
 * @module
 */

import type { StatusCause } from "@kubeloop/controller/types";
import {
  ApiError,
  conflict,
  failure,
  internalError,
  internalFailure,
  tooManyRequests,
} from "../../values/mod.ts";
import type { ResourceInfo } from "../kinds/mod.ts";
import type { StoredObject } from "../storage/mod.ts";
import { NAMES_UNREADABLE, type UnreadableObject } from "../webhooks/mod.ts";
import type { ResourceExchange } from "./exchange.ts";
import { registryPath } from "./write_preconditions.ts";

/** The largest number of objects that an error names. */
const MAX_NAMED = 100;

type Reader = Pick<ResourceExchange, "request" | "resource" | "server">;

/**
 * Makes one object readable for a request that reads it from etcd. Returns undefined if the object is readable already, so
 * that nothing need be awaited.
 *
 * The promise rejects with an {@linkcode ApiError}, if the webhook fails.
 *
 * @param fresh Whether to ask the webhook again for what it has converted before.
 */
export function prepareRead(
  { resource, server }: Reader,
  object: StoredObject,
  fresh: boolean,
): Promise<void> | undefined {
  const prepared = server.converter.prepare(resource, [object], { fresh });
  if (prepared === undefined || !resource.kind.release.isOn(NAMES_UNREADABLE)) return prepared;
  return prepared.catch((error) => {
    if (!ApiError.is(error)) throw error;
    throw internalFailure(corrupt(`/${placeOf(resource, object)}`, error.message));
  });
}

/**
 * Returns the error of a list from etcd with objects that a webhook does not convert. Undefined if the webhook converts
 * them one by one: then all are readable.
 */
export async function unreadableList(
  { request: { signal }, resource, server }: Reader,
  objects: Iterable<StoredObject>,
): Promise<ApiError | undefined> {
  const isNamed = resource.kind.release.isOn(NAMES_UNREADABLE);
  const limit = isNamed ? MAX_NAMED : 1;
  const found = await server.converter.unreadable(resource, objects, { limit, signal });
  const [first] = found;
  if (first === undefined) return undefined;
  if (!isNamed) return internalError(first.message);
  const { definition: { group, plural }, storageName } = resource;
  const causes = found.map((one) => causeOf(resource, one));
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : "";
  if (found.length === MAX_NAMED) {
    causes.push({ reason: "TooMany", message: "too many errors, the list is truncated" });
  }
  return failure(
    500,
    `failed to read one or more ${storageName} from the storage: ${causes[0]!.message}${more}`,
    { reason: "StorageReadError", details: { name: "list", group, kind: plural, causes } },
  );
}

/**
 * Returns the error of a watch cache, which cannot read all objects of its resource. Undefined if the webhook converts each
 * of them alone, and each of `asked`.
 */
export async function unreadyCache(
  exchange: Reader,
  asked: readonly StoredObject[],
): Promise<ApiError | undefined> {
  const { resource, server } = exchange;
  const stored = server.storage.store(resource.storageName).list("");
  const error = await unreadableList(exchange, new Set([...stored, ...asked]));
  if (error === undefined) return undefined;
  const { release, kind } = resource.kind;
  const what = release.has({ since: "1.37" })
    ? "<unspecified>"
    : `${resource.apiVersion}, Kind=${kind}`;
  return tooManyRequests(
    `storage is (re)initializing: failed to list ${what}: ${error.message}`,
    1,
  );
}

/** Asks the webhook, if there is one, whether an object can be read. */
export async function isReadable(
  { resource, server }: Reader,
  object: StoredObject,
): Promise<boolean> {
  try {
    await server.converter.prepare(resource, [object], { fresh: true });
    return true;
  } catch (error) {
    if (!ApiError.is(error)) throw error;
    return false;
  }
}

/** Returns the error of an unsafe deletion of an object that can be read. */
export function decodable({ resource, info }: ResourceExchange, stored: StoredObject): ApiError {
  const key = `/registry/${placeOf(resource, stored)}`;
  return conflict(
    resource.definition,
    info.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: unsafe deletion is not allowed because the object is decodable from storage`,
  );
}

function causeOf(resource: ResourceInfo, { object, message }: UnreadableObject): StatusCause {
  const field = `/registry/${placeOf(resource, object)}`;
  return { reason: "UnexpectedServerResponse", message: corrupt(field, message), field };
}

function corrupt(key: string, message: string): string {
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${message}`;
}

function placeOf(resource: ResourceInfo, { key }: StoredObject): string {
  return `${registryPath(resource)}/${key}`;
}
