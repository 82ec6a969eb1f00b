import { isPromiseLike } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import { readBody } from "../http/mod.ts";
import {
  applyDefaults,
  applyPatch,
  checkNamespaceMatches,
  updateManagedFields,
  type VersionViews,
} from "../kinds/mod.ts";
import { patchObject, requireJson } from "../patch/mod.ts";
import type { StoredObject } from "../storage/mod.ts";
import { type Json, notFound } from "../../values/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { requirePatchType } from "./patch_type.ts";
import { writePresent } from "./present_object.ts";
import {
  applyYaml,
  readObject,
  readWriteOptions,
  requireObjectType,
  type WriteOptions,
} from "./write_context.ts";
import { createObject, updateObject } from "./write_object.ts";
import { checkPlace, checkPreconditions } from "./write_preconditions.ts";
import { withVersionViews } from "./version_views.ts";
import { withoutDuplicateOwners, withoutSystemFields } from "./write_steps.ts";

/** Answers a POST to a collection. */
export async function handleCreate(exchange: ResourceExchange): Promise<Answer> {
  requireObjectType(exchange);
  const options = readWriteOptions(exchange, "CreateOptions");
  const body = await readObject(exchange, options);
  const { resource } = exchange;
  checkNamespaceMatches(exchange.info.namespace, body);
  const defaulted = applyDefaults(resource.kind, body, options.now);
  const sent = { ...defaulted, metadata: withoutSystemFields(defaulted.metadata) };
  const next = withManagedFields(exchange, sent, options);
  return (await createObject(exchange, next, options))!;
}

/** Returns a new object with managed fields that record the writer as owner of its fields. */
function withManagedFields(
  exchange: ResourceExchange,
  object: KubeObject,
  { manager, now }: WriteOptions,
): KubeObject {
  const next = withoutDuplicateOwners(exchange, object);
  return updateManagedFields({ kind: exchange.resource.kind, next, manager, now });
}

/** Answers a PUT. */
export async function handleUpdate(exchange: ResourceExchange): Promise<Answer> {
  const options = readWriteOptions(exchange, "UpdateOptions");
  const body = await readObject(exchange, options);
  const { info, resource } = exchange;
  checkPlace(exchange, body);
  const placed = inNamespace(body, info.namespace);
  const next = applyDefaults(resource.kind, placed, options.now);
  return writePresent(exchange, (stored) => {
    if (stored !== undefined) {
      return updateOwned(exchange, stored, next, options);
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

/** Stores `next` with managed fields that record the writer as owner of the changed fields. */
function updateOwned(
  exchange: ResourceExchange,
  stored: StoredObject,
  next: KubeObject,
  options: WriteOptions,
): Promise<Answer | undefined> {
  const result = owned(exchange, stored, next, options);
  return isPromiseLike(result)
    ? result.then((one) => updateObject(exchange, stored, one, options))
    : updateObject(exchange, stored, result, options);
}

/** Returns `next` with managed fields that record the writer as owner of the changed fields. */
function owned(
  exchange: ResourceExchange,
  stored: StoredObject,
  object: KubeObject,
  { manager, now }: WriteOptions,
): KubeObject | Promise<KubeObject> {
  const { info, resource } = exchange;
  const next = withoutDuplicateOwners(exchange, object);
  const live = resource.read(stored);
  return withVersionViews(exchange, (views) =>
    updateManagedFields({
      kind: resource.kind,
      live,
      next,
      manager,
      now,
      views,
      ...(info.subresource === "" ? {} : { subresource: info.subresource }),
    }));
}

/** The result of a server-side apply. */
type Applied = ReturnType<typeof applyPatch>;

/** Answers a PATCH. */
export async function handlePatch(exchange: ResourceExchange): Promise<Answer> {
  const { info, request, resource } = exchange;
  const type = requirePatchType(request, resource);
  const options = readWriteOptions(exchange, "PatchOptions", type === "apply");
  const text = await readBody(request);
  if (type !== "apply") requireJson(text, resource.kind);
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
    const next = applyDefaults(resource.kind, inNamespace(object, info.namespace), options.now);
    return updateOwned(exchange, stored, next, options);
  });
}

function handleApply(
  exchange: ResourceExchange,
  stored: StoredObject | undefined,
  text: string,
  options: WriteOptions,
): Promise<Answer | undefined> {
  const { info, resource } = exchange;
  const apply = (patch: Json, views: VersionViews | undefined) =>
    applyPatch({
      kind: resource.kind,
      ...(stored === undefined ? {} : { live: resource.read(stored) }),
      patch,
      manager: options.manager,
      force: options.force,
      ...(info.subresource === "" ? {} : { subresource: info.subresource }),
      name: info.name,
      now: options.now,
      views,
    });
  const applied = withVersionViews(
    exchange,
    (views) => applyYaml(exchange, text, options, (patch) => apply(patch, views)),
  );
  const finish = (result: Applied) => storeApplied(exchange, stored, result, options);
  return isPromiseLike(applied) ? applied.then(finish) : finish(applied);
}

/** Stores the result of a server-side apply. */
function storeApplied(
  exchange: ResourceExchange,
  stored: StoredObject | undefined,
  { object, created }: Applied,
  options: WriteOptions,
): Promise<Answer | undefined> {
  const { info, resource } = exchange;
  const isNameless = (object.metadata?.name ?? "") === "";
  if (stored === undefined && info.subresource !== "" && (resource.custom || isNameless)) {
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
