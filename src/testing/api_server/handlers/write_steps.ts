import { type Random, randomInt } from "@kubeloop/controller/internal/base";
import type { KubeObject, Namespace, OwnerReference } from "@kubeloop/controller/types";
import { attributesOf, refusal, refuseEscalation } from "../access/mod.ts";
import type { ClusterView, Confirmation, ResourceInfo, Writer } from "../kinds/mod.ts";
import { objectKey, type ResourceStore } from "../storage/mod.ts";
import { forbidden, type Json, jsonEqual, type JsonObject, notFound } from "../../values/mod.ts";
import type { ResourceExchange, ServerContext } from "./exchange.ts";

/** The characters of generated suffixes: no vowels, and no characters that look alike. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

const SUFFIX_LENGTH = 5;

/** The maximum length of a generated name. */
const MAX_NAME_LENGTH = 63;

/** The number of generated names to try before a name that is taken is a conflict. */
const MAX_NAME_TRIES = 8;

const TERMINATING = "Terminating";

/** Returns the index value of a namespace that is being terminated; none for any other. */
function terminating({ metadata, status }: Namespace): string[] {
  const ends = metadata.deletionTimestamp !== undefined || status?.phase === TERMINATING;
  return ends ? [TERMINATING] : [];
}

/**
 * Refuses a create in a namespace that does not exist or is being terminated.
 *
 * @throws {ApiError} 404 or 403.
 */
export function requireNamespace(
  server: ServerContext,
  namespace: string,
  resource: ResourceInfo,
  name: string,
): void {
  const namespaces = server.storage.store("namespaces");
  if (namespaces.get(namespace) === undefined) {
    throw notFound({ group: "", plural: "namespaces" }, namespace);
  }
  if (!namespaces.index(terminating).keys(TERMINATING).has(namespace)) return;
  throw forbidden(
    resource.definition,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [{
      reason: "NamespaceTerminating",
      message: `namespace ${namespace} is being terminated`,
      field: "metadata.namespace",
    }],
  );
}

/**
 * Requires the right to create, for a PUT or an apply that creates the object: the pipeline has required `update` or
 * `patch` only.
 *
 * @throws {ApiError} 403
 */
export function requireCreate({ info, server, user }: ResourceExchange): void {
  const attributes = { ...attributesOf(info), verb: "create" };
  const { allowed, reason } = server.authorizer.decide(user, attributes);
  if (!allowed) throw refusal(user, attributes, reason);
}

/**
 * Refuses a role or binding that grants rights which the user does not have.
 *
 * @throws {ApiError} 403 or 404
 */
export function confirmGrants(
  { info, resource, server, user }: ResourceExchange,
  next: KubeObject,
  old?: KubeObject,
): void {
  const { grants } = resource.record;
  if (grants === undefined) return;
  const { namespace, name } = info;
  const { plural } = resource.definition;
  refuseEscalation(server.authorizer, { user, grants, plural, namespace, name, next, old });
}

/** Returns the object's name, or one generated from its `generateName`; empty if it has neither. */
export function nameFor(exchange: ResourceExchange, object: KubeObject, namespace: string): string {
  const { name, generateName: prefix } = object.metadata;
  if (name) return name;
  if (!prefix) return "";
  const { reader, server } = exchange;
  const random = server.random.names.of(`${reader.identity} ${prefix}`);
  let generated = "";
  for (let tries = 0; tries < MAX_NAME_TRIES; tries++) {
    generated = generateName(prefix, random);
    if (exchange.store.get(objectKey(namespace, generated)) === undefined) break;
  }
  return generated;
}

/** Returns a name made of a `generateName` prefix and a random suffix. */
function generateName(prefix: string, random: Random): string {
  let suffix = "";
  for (let i = 0; i < SUFFIX_LENGTH; i++) suffix += ALPHABET[randomInt(random, ALPHABET.length)];
  return prefix.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH) + suffix;
}

/** Returns the metadata of a new object without the fields that only the server sets. */
export function withoutSystemFields(
  metadata: KubeObject["metadata"] & { readonly selfLink?: string },
): KubeObject["metadata"] {
  const { creationTimestamp: _, uid: __, deletionTimestamp: ___, ...rest } = metadata;
  const { deletionGracePeriodSeconds: ____, selfLink: _____, ...given } = rest;
  return given;
}

/**
 * Removes duplicate owner references, with a warning.
 *
 * @param admitted Whether webhooks may have changed the object. A real server looks at a patched object only then.
 */
export function withoutDuplicateOwners(
  { method, warnings }: Pick<ResourceExchange, "method" | "warnings">,
  object: KubeObject,
  admitted: boolean = method === "PATCH",
): KubeObject {
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  for (const one of object.metadata.ownerReferences ?? []) {
    if (kept.some((other) => areEqual(one, other))) duplicates.push(one.uid);
    else kept.push(one);
  }
  if (duplicates.length === 0) return object;
  warnings.push(warningOf(admitted, duplicates));
  return { ...object, metadata: { ...object.metadata, ownerReferences: kept } };
}

function areEqual(one: OwnerReference, other: OwnerReference): boolean {
  return one.uid === other.uid && jsonEqual(one as unknown as Json, other as unknown as Json);
}

function warningOf(admitted: boolean, uids: readonly string[]): string {
  const when = admitted ? " after mutating admission happens" : "";
  return `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
    "and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " +
    uids.join(", ");
}

/**
 * Returns an object with what the server gives to one object at a time, as the IP address of a Service.
 *
 * @param place The store of all objects of the resource, and whether nothing is to be stored.
 * @throws {ApiError} 422, if the object asks for something that it cannot have.
 */
export function allocate(
  { record }: ResourceInfo,
  object: KubeObject,
  old: KubeObject | undefined,
  { store, dryRun }: { readonly store: ResourceStore; readonly dryRun: boolean },
): KubeObject {
  const { allocator } = record;
  if (allocator === undefined) return object;
  const index = store.index(allocator.valuesOf);
  const { uid } = object.metadata;
  const isTaken = (value: string | number) => {
    for (const key of index.keys(value)) if (store.get(key)?.uid !== uid) return true;
    return false;
  };
  const next = object as unknown as JsonObject;
  const before = old as unknown as JsonObject | undefined;
  return allocator.allocate(next, before, { isTaken, dryRun }) as unknown as KubeObject;
}

/** Returns what the admission of a request in `namespace` can see of a server and its objects. */
export function clusterView(
  { registry, storage }: Pick<ServerContext, "registry" | "storage">,
  namespace: string,
): ClusterView {
  return {
    release: registry.release,
    namespace,
    get(resource, namespace, name) {
      const stored = storage.store(resource).get(objectKey(namespace, name));
      return stored?.parse() as unknown as JsonObject | undefined;
    },
    list: (resource, namespace) =>
      storage.store(resource).list(namespace).map((one) => one.parse() as unknown as JsonObject),
  };
}

/** Returns what admission knows of a request when it confirms an object. */
export function confirmationOf(
  exchange: ResourceExchange,
  cluster: ClusterView,
  writer: Writer,
): Confirmation {
  const { info, server, user } = exchange;
  return {
    cluster,
    writer,
    subresource: info.subresource,
    warn: writer.warn,
    isAllowed: (access) => server.authorizer.decide(user, access).allowed,
  };
}
