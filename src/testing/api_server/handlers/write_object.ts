import { isPromiseLike, randomUuid } from "@kubeloop/controller/internal/base";
import type { KubeObject, Namespace } from "@kubeloop/controller/types";
import {
  admit,
  checkNamespaceMatches,
  confirm,
  isNoop,
  prepareCreate,
  prepareUpdate,
  type ResourceInfo,
  type Writer,
} from "../kinds/mod.ts";
import { type KindInfo, readObject } from "../schema/mod.ts";
import { objectKey, type StoredObject } from "../storage/mod.ts";
import {
  alreadyExists,
  ApiError,
  forbidden,
  generatedNameTaken,
  type Json,
} from "../../values/mod.ts";
import { type WriteAdmission, writeAdmission } from "./admission.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { dryRunAnswer, hasMoved, storageForm, storedAnswer } from "./present_object.ts";
import { chargeQuotas } from "./quotas.ts";
import type { WriteOptions } from "./write_context.ts";
import { checkNoRevision, checkPreconditions, checkUid } from "./write_preconditions.ts";
import {
  allocate,
  clusterView,
  confirmationOf,
  confirmGrants,
  nameFor,
  requireCreate,
  requireNamespace,
  withoutSystemFields,
} from "./write_steps.ts";

/**
 * The steps of every create, in order. The object has defaults and managed fields. Only webhooks make it wait.
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
  const { dryRun, now } = options;
  const namespace = resource.namespaced ? info.namespace : "";
  requireCollection(exchange, defaulted, namespace);

  // Admission: the server's own, then mutating webhooks.
  const admission = writeAdmission(exchange, "CREATE", options);
  const cluster = clusterView(server, info.namespace);
  const own = (object: KubeObject) => admit(kind, object, cluster);
  let admitted = own(defaulted);
  if (admission !== undefined) {
    const placed = { ...admitted.metadata, ...(namespace === "" ? {} : { namespace }) };
    admitted = await admission.mutate({ ...admitted, metadata: placed }, undefined, own);
    checkNamespaceMatches(namespace, admitted);
  }
  confirmGrants(exchange, admitted);

  // Preparation and validation.
  const identified = withIdentity(exchange, admitted, namespace, now);
  const writer = writerOf(exchange, now);
  const prepared = prepareCreate(kind, identified, {
    writer,
    allocate: (one) => allocate(resource, one, undefined, { store, dryRun }),
  });
  exchange.warnings.push(...prepared.warnings);
  if (exchange.method !== "POST") requireCreate(exchange);
  // The storage looks for it, which a dry run does not reach.
  else if (!dryRun) checkNoRevision(prepared.object);

  // Admission that only confirms: the server's own, then validating webhooks.
  confirm(kind, prepared.object, confirmationOf(exchange, cluster, writer));
  if (admission !== undefined) await admission.validate(prepared.object, undefined);

  // Conversion and storage. After the conversion nothing waits, so that no other request is charged in between.
  // While the webhooks were asked, other requests may have taken the addresses.
  const object = pruned(kind, prepared.stored(admission !== undefined), admission);
  const converted = storageForm(exchange, object);
  const form = isPromiseLike(converted) ? await converted : converted;
  const charge = chargeQuotas(exchange, object, undefined);
  const present = store.get(objectKey(namespace, object.metadata.name!));
  if (present !== undefined) {
    if (exchange.method !== "POST") return undefined;
    throw taken(exchange, object, present);
  }
  if (dryRun) return dryRunAnswer(exchange, 201, form);
  charge?.(now);
  const stored = server.storage.putWritten(store, form, resource, exchange.author);
  server.written(resource, stored);
  return storedAnswer(exchange, 201, stored);
}

/** Returns the writer of an object, as its preparation and its confirmation see it. */
function writerOf({ user, warnings }: ResourceExchange, now: string): Writer {
  return { user, now, warn: (text) => warnings.push(text) };
}

/**
 * Requires that the namespace and the resource take new objects.
 *
 * @throws {ApiError} 403 or 404
 */
function requireCollection(
  { resource, server }: ResourceExchange,
  { metadata: { name, generateName } }: KubeObject,
  namespace: string,
): void {
  if (namespace !== "") {
    requireNamespace(server, namespace, resource, name || generateName || "Unknown");
  }
  if (!server.registry.isTerminating(resource.storageName)) return;
  const why = "create not allowed while custom resource definition is terminating";
  throw forbidden(resource.definition, name ?? "", why);
}

/** Returns a new object with the name, namespace, UID and creation time under which it is stored. */
function withIdentity(
  exchange: ResourceExchange,
  object: KubeObject,
  namespace: string,
  now: string,
): KubeObject {
  const { resource, server } = exchange;
  const name = nameFor(exchange, object, namespace);
  const { namespace: _, ...metadata } = withoutSystemFields(object.metadata);
  return {
    ...object,
    metadata: {
      ...metadata,
      name,
      ...(namespace === "" ? {} : { namespace }),
      uid: randomUuid(
        server.random.uids.of(`${resource.storageName} ${objectKey(namespace, name)}`),
      ),
      creationTimestamp: now,
    },
  };
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

/** Returns a custom resource without the fields that webhooks have added and its schema does not have. */
function pruned(
  kind: KindInfo,
  object: KubeObject,
  admission: WriteAdmission | undefined,
): KubeObject {
  if (kind.custom === undefined || admission === undefined) return object;
  return readObject(object as unknown as Json, kind).object;
}

/** The form in which a subresource shows an object. */
export interface SubresourceView {
  /** The kind of that form. */
  readonly kind: KindInfo;
  /** Returns the form of an object. */
  readonly of: (object: KubeObject) => KubeObject;
}

/**
 * The steps of every update, in order. The object has defaults and managed fields. Only webhooks make it wait.
 *
 * Returns undefined if another request has changed the object meanwhile.
 *
 * @param view The form that validating webhooks see, if it is not the object. Mutating webhooks must have been called then.
 */
export async function updateObject(
  exchange: ResourceExchange,
  stored: StoredObject,
  defaulted: KubeObject,
  options: WriteOptions,
  view?: SubresourceView,
): Promise<Answer | undefined> {
  const { info, resource, server, store } = exchange;
  const { kind } = resource;
  const { dryRun, now } = options;
  const old = resource.read(stored);
  checkUid(exchange, stored, defaulted, dryRun);

  // Admission: the server's own, then mutating webhooks.
  const admission = writeAdmission(exchange, "UPDATE", options, view?.kind);
  const cluster = clusterView(server, info.namespace);
  const isAdmitted = info.subresource !== "status" || resource.record.admitsStatus;
  const own = (object: KubeObject) => isAdmitted ? admit(kind, object, cluster, old) : object;
  let admitted = own(defaulted);
  if (admission !== undefined && view === undefined) {
    admitted = await admission.mutate(admitted, old, own);
    checkNamespaceMatches(info.namespace, admitted);
  }
  confirmGrants(exchange, admitted, old);
  checkPreconditions(exchange, stored, admitted, dryRun);

  // Preparation and validation.
  const writer = writerOf(exchange, now);
  const prepared = prepareUpdate(kind, admitted, old, {
    writer,
    subresource: info.subresource,
    allocate: (one) => allocate(resource, one, old, { store, dryRun }),
  });
  let next = prepared.object;
  exchange.warnings.push(...prepared.warnings);
  next.metadata.resourceVersion = String(stored.revision);

  // Admission that only confirms: the server's own, then validating webhooks.
  confirm(kind, next, confirmationOf(exchange, cluster, writer), old);
  if (admission !== undefined) {
    const { of: shown } = view ?? { of: (object: KubeObject) => object };
    await admission.validate(shown(next), shown(old));
    if (hasMoved(exchange, stored)) return undefined;
    next = pruned(kind, prepared.stored(true), admission);
    next.metadata.resourceVersion = String(stored.revision);
  }

  // Conversion and storage. After the conversion nothing waits, so that no other request is charged in between.
  const gone = isGone(resource, next, old);
  // An object that was stored in an older version is stored again, which is how objects are migrated.
  const noop = !gone && isNoop(next, old) && !resource.isOutdated(stored);
  const converted = gone || noop ? next : storageForm(exchange, next, stored);
  const form = isPromiseLike(converted) ? await converted : converted;
  if (hasMoved(exchange, stored)) return undefined;
  const charge = chargeQuotas(exchange, next, old);
  if (gone) {
    // The update removed the last finalizer. The object is removed in its stored state, while the answer shows the
    // update.
    if (!dryRun) server.remove(resource, store, stored, exchange.author);
    return { type: "object", code: 200, text: resource.encode(next) };
  }
  if (noop) return { type: "object", code: 200, text: resource.text(stored) };
  if (dryRun) return dryRunAnswer(exchange, 200, form);
  charge?.(now);
  const written = server.storage.putWritten(store, form, resource, exchange.author);
  server.written(resource, written);
  return storedAnswer(exchange, 200, written);
}

/** Reports whether an update completes the deletion of an object: no finalizers and no grace period are left. */
function isGone({ record }: ResourceInfo, next: KubeObject, old: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [] } = next.metadata;
  if (deletionTimestamp === undefined || finalizers.length > 0) return false;
  if ((old.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  if (record.deletion.mode !== "namespace") return true;
  // A namespace has finalizers for its content in its spec, too.
  return ((next as Namespace).spec?.finalizers ?? []).length === 0;
}
