import type { KubeObject, Namespace } from "@kubeloop/controller/types";
import { isPromiseLike } from "@kubeloop/controller/base";
import { writeAdmission } from "./admission.ts";
import { allocate } from "./allocate.ts";
import { applyYaml } from "./apply_body.ts";
import { clusterView, confirmationOf } from "./cluster_view.ts";
import { confirmGrants, createObject, withManagedFields } from "./create_handler.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { chargeQuotas } from "./quotas.ts";
import { readBody } from "../http/mod.ts";
import {
  admit,
  applyDefaults,
  applyPatch,
  checkNamespaceMatches,
  confirm,
  isNoop,
  prepareUpdate,
  type ResourceInfo,
  updateManagedFields,
} from "../kinds/mod.ts";
import { patchObject } from "../patch/mod.ts";
import type { KindInfo } from "../schema/mod.ts";
import { type Json, notFound } from "../values/mod.ts";
import { requirePatchType } from "./patch_type.ts";
import {
  dryRunAnswer,
  hasMoved,
  storageForm,
  storedAnswer,
  writePresent,
} from "./present_object.ts";
import { withoutDuplicateOwners } from "./owner_references.ts";
import type { StoredObject } from "../storage/mod.ts";
import { readObject, readWriteOptions, type WriteOptions } from "./write_context.ts";
import { checkPlace, checkPreconditions } from "./write_preconditions.ts";

/** Answers a PUT. */
export async function handleUpdate(exchange: ResourceExchange): Promise<Answer> {
  const options = readWriteOptions(exchange, "UpdateOptions");
  const body = await readObject(exchange, options);
  const { info, resource } = exchange;
  checkPlace(exchange, body);
  const placed = inNamespace(body, info.namespace);
  const next = applyDefaults(resource.kind, placed);
  return writePresent(exchange, (stored) => {
    if (stored !== undefined) {
      return updateObject(exchange, stored, owned(exchange, stored, next, options), options);
    }
    if (!resource.record.allowCreateOnUpdate || info.subresource !== "") {
      throw notFound(resource.definition, info.name);
    }
    checkPreconditions(exchange, undefined, next, options.dryRun);
    return createObject(exchange, withManagedFields(exchange, next, options), options);
  });
}

/** Returns the object in the namespace of the path, if it names none itself. */
function inNamespace(object: KubeObject, namespace: string): KubeObject {
  if (namespace === "") {
    const { namespace: _, ...metadata } = object.metadata;
    return { ...object, metadata };
  }
  if (object.metadata.namespace) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** Returns `next` with managed fields that record the writer as owner of the changed fields. */
function owned(
  exchange: ResourceExchange,
  stored: StoredObject,
  object: KubeObject,
  { manager, now }: WriteOptions,
): KubeObject {
  const { info, resource } = exchange;
  const next = withoutDuplicateOwners(exchange, object);
  return updateManagedFields({
    kind: resource.kind,
    live: resource.read(stored),
    next,
    manager,
    now,
    ...(info.subresource === "" ? {} : { subresource: info.subresource }),
  });
}

/** Answers a PATCH. */
export async function handlePatch(exchange: ResourceExchange): Promise<Answer> {
  const { info, request, resource } = exchange;
  const type = requirePatchType(request, resource);
  const options = readWriteOptions(exchange, "PatchOptions", type === "apply");
  const text = await readBody(request);
  return writePresent(exchange, (stored) => {
    if (type === "apply") return handleApply(exchange, stored, text, options);
    if (stored === undefined) throw notFound(resource.definition, info.name);
    const current = resource.read(stored);
    const { object, warnings } = patchObject(
      type,
      text,
      current,
      resource.kind,
      options.fieldValidation,
    );
    exchange.warnings.push(...warnings);
    checkPlace(exchange, object);
    const next = applyDefaults(resource.kind, inNamespace(object, info.namespace));
    return updateObject(exchange, stored, owned(exchange, stored, next, options), options);
  });
}

function handleApply(
  exchange: ResourceExchange,
  stored: StoredObject | undefined,
  text: string,
  options: WriteOptions,
): Promise<Answer | undefined> {
  const { info, resource } = exchange;
  const apply = (patch: Json) =>
    applyPatch({
      kind: resource.kind,
      ...(stored === undefined ? {} : { live: resource.read(stored) }),
      patch,
      manager: options.manager,
      force: options.force,
      ...(info.subresource === "" ? {} : { subresource: info.subresource }),
      name: info.name,
      now: options.now,
    });
  const { object, created } = applyYaml(exchange, text, options, apply);
  if (stored === undefined && info.subresource !== "" && resource.custom) {
    throw notFound(resource.definition, info.name);
  }
  checkPlace(exchange, object);
  const placed = inNamespace(object, info.namespace);
  if (stored === undefined && info.subresource !== "") {
    throw notFound(resource.definition, info.name);
  }
  if (created || stored === undefined) {
    checkPreconditions(exchange, undefined, placed, options.dryRun);
    return createObject(exchange, placed, options);
  }
  return updateObject(exchange, stored, placed, options);
}

/** The form in which a subresource shows an object. */
export interface SubresourceView {
  /** The kind of that form. */
  readonly kind: KindInfo;
  /** Returns the form of an object. */
  readonly of: (object: KubeObject) => KubeObject;
}

/**
 * Stores a changed object that has been defaulted and has its managed fields. It waits only for webhooks.
 *
 * Returns undefined if another request has changed the object meanwhile.
 *
 * @param view What validating webhooks see, if it is not the object. Mutating webhooks must have been called then.
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
  const old = resource.read(stored);
  const admission = writeAdmission(exchange, "UPDATE", options, view?.kind);
  const cluster = clusterView(server.storage, info.namespace);
  const own = (object: KubeObject) => admit(kind, object, cluster, old);
  let admitted = own(defaulted);
  if (admission !== undefined && view === undefined) {
    admitted = await admission.mutate(admitted, old, own);
    checkNamespaceMatches(info.namespace, admitted);
  }
  confirmGrants(exchange, admitted, old);
  checkPreconditions(exchange, stored, admitted, options.dryRun);
  const prepared = prepareUpdate(kind, admitted, old, {
    writer: { user: exchange.user, now: options.now },
    subresource: info.subresource,
    allocate: (one) => allocate(resource, one, old, { store, dryRun: options.dryRun }),
  });
  let next = prepared.object;
  exchange.warnings.push(...prepared.warnings);
  next.metadata.resourceVersion = String(stored.revision);
  confirm(kind, next, confirmationOf(exchange, cluster), old);
  if (admission !== undefined) {
    const { of: shown } = view ?? { of: (object: KubeObject) => object };
    await admission.validate(shown(next), shown(old));
    if (hasMoved(exchange, stored)) return undefined;
    next = prepared.stored(true);
    next.metadata.resourceVersion = String(stored.revision);
  }
  const gone = isGone(resource, next, old);
  const noop = !gone && isNoop(next, old);
  const converted = gone || noop ? next : storageForm(exchange, next, stored);
  const form = isPromiseLike(converted) ? await converted : converted;
  // A webhook that has converted the object or admitted it took some time.
  if (hasMoved(exchange, stored)) return undefined;
  const charge = chargeQuotas(exchange, next, old);
  if (gone) {
    // The update removed the last finalizer. The object is removed in its stored state, while the answer shows the
    // update.
    if (!options.dryRun) server.remove(resource, store, stored);
    return { type: "object", code: 200, text: resource.encode(next) };
  }
  if (options.dryRun && !noop) return dryRunAnswer(exchange, 200, form);
  if (noop) return { type: "object", code: 200, text: resource.text(stored) };
  charge?.(options.now);
  const written = server.storage.putWritten(store, form, resource);
  server.written(resource, written, stored);
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
