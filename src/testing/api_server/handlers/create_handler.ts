import { isPromiseLike, randomUuid } from "@kubeloop/controller/base";
import type { KubeObject } from "@kubeloop/controller/types";
import { attributesOf, refusal, refuseEscalation } from "../access/mod.ts";
import { writeAdmission } from "./admission.ts";
import { allocate } from "./allocate.ts";
import { clusterView, confirmationOf } from "./cluster_view.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { chargeQuotas } from "./quotas.ts";
import { requireNamespace } from "./namespace_lifecycle.ts";
import { generateName } from "./object_names.ts";
import { withoutDuplicateOwners } from "./owner_references.ts";
import { dryRunAnswer, storageForm, storedAnswer } from "./present_object.ts";
import {
  admit,
  applyDefaults,
  checkNamespaceMatches,
  confirm,
  prepareCreate,
  updateManagedFields,
} from "../kinds/mod.ts";
import { alreadyExists, ApiError, forbidden, generatedNameTaken } from "../values/mod.ts";
import { objectKey, type StoredObject } from "../storage/mod.ts";
import {
  readObject,
  readWriteOptions,
  requireObjectType,
  type WriteOptions,
} from "./write_context.ts";
import { checkNoRevision } from "./write_preconditions.ts";

/** The number of generated names to try before a name that is taken is a conflict. */
const MAX_NAME_TRIES = 8;

/** Answers a POST to a collection. */
export async function handleCreate(exchange: ResourceExchange): Promise<Answer> {
  requireObjectType(exchange);
  const options = readWriteOptions(exchange, "CreateOptions");
  const body = await readObject(exchange, options);
  const { resource } = exchange;
  checkNamespaceMatches(exchange.info.namespace, body);
  const next = withManagedFields(exchange, applyDefaults(resource.kind, body), options);
  return (await createObject(exchange, next, options))!;
}

/** Returns a new object with managed fields that record the writer as owner of its fields. */
export function withManagedFields(
  exchange: ResourceExchange,
  object: KubeObject,
  { manager, now }: WriteOptions,
): KubeObject {
  const next = withoutDuplicateOwners(exchange, object);
  return updateManagedFields({ kind: exchange.resource.kind, next, manager, now });
}

/**
 * Stores a new object that has been defaulted and has its managed fields. It waits only for webhooks.
 *
 * For a PUT or an apply, returns undefined if another request has created the object meanwhile.
 */
export async function createObject(
  exchange: ResourceExchange,
  defaulted: KubeObject,
  options: WriteOptions,
): Promise<Answer | undefined> {
  const { info, resource, server, store } = exchange;
  const { kind } = resource;
  const namespace = resource.namespaced ? info.namespace : "";
  if (namespace !== "") {
    const { name, generateName } = defaulted.metadata;
    requireNamespace(server, namespace, resource, name || generateName || "Unknown");
  }
  if (server.registry.isTerminating(resource.storageName)) {
    const { name = "" } = defaulted.metadata;
    const why = "create not allowed while custom resource definition is terminating";
    throw forbidden(resource.definition, name, why);
  }
  const admission = writeAdmission(exchange, "CREATE", options);
  const cluster = clusterView(server.storage, info.namespace);
  const own = (object: KubeObject) => admit(kind, object, cluster);
  let admitted = own(defaulted);
  if (admission !== undefined) {
    const placed = { ...admitted.metadata, ...(namespace === "" ? {} : { namespace }) };
    admitted = await admission.mutate({ ...admitted, metadata: placed }, undefined, own);
    checkNamespaceMatches(namespace, admitted);
  }
  confirmGrants(exchange, admitted);
  const name = nameFor(exchange, admitted, namespace);
  const { selfLink: _, namespace: __, ...metadata } = admitted.metadata as
    & KubeObject["metadata"]
    & {
      selfLink?: string;
    };
  const identified: KubeObject = {
    ...admitted,
    metadata: {
      ...metadata,
      name,
      ...(namespace === "" ? {} : { namespace }),
      uid: randomUuid(server.random.uids),
      creationTimestamp: options.now,
    },
  };
  delete identified.metadata.deletionTimestamp;
  delete identified.metadata.deletionGracePeriodSeconds;
  const prepared = prepareCreate(kind, identified, {
    writer: { user: exchange.user, now: options.now },
    allocate: (one) => allocate(resource, one, undefined, { store, dryRun: options.dryRun }),
  });
  exchange.warnings.push(...prepared.warnings);
  if (exchange.method !== "POST") requireCreate(exchange);
  // The storage looks for it, which a dry run does not reach.
  else if (!options.dryRun) checkNoRevision(prepared.object);
  confirm(kind, prepared.object, confirmationOf(exchange, cluster));
  if (admission !== undefined) await admission.validate(prepared.object, undefined);
  // While webhooks were asked, other requests may have taken the addresses.
  const object = prepared.stored(admission !== undefined);
  const converted = storageForm(exchange, object);
  const form = isPromiseLike(converted) ? await converted : converted;
  // From here on nothing waits, so that no other request is charged in between.
  const charge = chargeQuotas(exchange, object, undefined);
  const present = store.get(objectKey(namespace, name));
  if (present !== undefined) {
    if (exchange.method !== "POST") return undefined;
    throw taken(exchange, object, present);
  }
  if (options.dryRun) return dryRunAnswer(exchange, 201, form);
  charge?.(options.now);
  const stored = server.storage.putWritten(store, form, resource);
  server.written(resource, stored, undefined);
  return storedAnswer(exchange, 201, stored);
}

/**
 * Requires the right to create, for a PUT or an apply that creates the object: the pipeline has required `update` or
 * `patch` only.
 *
 * @throws {ApiError} 403
 */
function requireCreate({ info, server, user }: ResourceExchange): void {
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

/**
 * Returns the 409 for a name that `present` has already. Like the real server, it takes the name of every object with a
 * `generateName` for a generated one.
 */
function taken(
  { resource }: ResourceExchange,
  { metadata }: KubeObject,
  present: StoredObject,
): ApiError {
  const conflict = metadata.generateName
    ? generatedNameTaken(resource.definition, present.name)
    : alreadyExists(resource.definition, present.name);
  if (present.parse().metadata.deletionTimestamp === undefined) return conflict;
  const { status } = conflict;
  return new ApiError({ ...status, message: `object is being deleted: ${status.message}` });
}

/** Returns the object's name, or one generated from its `generateName`; empty if it has neither. */
function nameFor(exchange: ResourceExchange, object: KubeObject, namespace: string): string {
  const { name, generateName: prefix } = object.metadata;
  if (name) return name;
  if (!prefix) return "";
  let generated = "";
  for (let tries = 0; tries < MAX_NAME_TRIES; tries++) {
    generated = generateName(prefix, exchange.server.random.names);
    if (exchange.store.get(objectKey(namespace, generated)) === undefined) break;
  }
  return generated;
}
