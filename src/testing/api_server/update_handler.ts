import type { KubeObject } from "../../types/mod.ts";
import { createObject } from "./create_handler.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { mediaType, readBody, unknownBodyFormat } from "./body.ts";
import {
  admit,
  type ApiError,
  applyDefaults,
  applyPatch,
  badRequest,
  checkNameMatches,
  checkNamespaceMatches,
  conflict,
  failure,
  internalError,
  invalid,
  invalidValue,
  isNoop,
  type Json,
  modified,
  notFound,
  patchObject,
  prepareForUpdate,
  updateManagedFields,
  validateUpdate,
} from "./_pure.ts";
import { findObject } from "./read_handlers.ts";
import { parseRevision } from "./list_options.ts";
import { allocateAddresses } from "./service_addresses.ts";
import type { StoredObject } from "./stored_object.ts";
import { parseYamlBody, YamlError } from "./yaml_body.ts";
import { readObject, readWriteOptions, type WriteOptions } from "./write_context.ts";

/** Answers a PUT. */
export async function handleUpdate(exchange: ResourceExchange): Promise<Answer> {
  const options = readWriteOptions(exchange, "UpdateOptions");
  const body = await readObject(exchange, options);
  const { info, resource } = exchange;
  checkNameMatches(info.name, body);
  checkNamespaceMatches(info.namespace, body);
  const placed = inNamespace(body, info.namespace);
  const stored = findObject(exchange);
  const next = applyDefaults(resource.kind, placed);
  if (stored === undefined) {
    if (!resource.capabilities.allowCreateOnUpdate || info.subresource !== "") {
      throw notFound(resource.definition, info.name);
    }
    const managed = updateManagedFields({
      kind: resource.kind,
      next,
      manager: options.manager,
      now: options.now,
    });
    return createObject(exchange, managed, options);
  }
  return updateObject(exchange, stored, owned(exchange, stored, next, options), options);
}

/** An object that does not say its namespace is in that of the path. */
function inNamespace(object: KubeObject, namespace: string): KubeObject {
  if (namespace === "" || object.metadata.namespace) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** `next` with its fields owned by who writes it. */
function owned(
  { info, resource }: ResourceExchange,
  stored: StoredObject,
  next: KubeObject,
  { manager, now }: WriteOptions,
): KubeObject {
  return updateManagedFields({
    kind: resource.kind,
    live: resource.read(stored),
    next,
    manager,
    now,
    ...(info.subresource === "" ? {} : { subresource: info.subresource }),
  });
}

/** The media types of patches. */
export const PATCH_TYPES: ReadonlyMap<string, "json" | "merge" | "strategic" | "apply"> = new Map([
  ["application/json-patch+json", "json"],
  ["application/merge-patch+json", "merge"],
  ["application/strategic-merge-patch+json", "strategic"],
  ["application/apply-patch+yaml", "apply"],
]);

/** 415 for a patch that says no known type. */
export function unknownPatchType(): ApiError {
  return failure(415, "415: Unsupported Media Type", {
    reason: "UnsupportedMediaType",
    details: {},
  });
}

/** Answers a PATCH. */
export async function handlePatch(exchange: ResourceExchange): Promise<Answer> {
  const { info, request, resource } = exchange;
  const type = PATCH_TYPES.get(mediaType(request));
  if (type === undefined) throw unknownPatchType();
  if (type === "strategic" && resource.custom) {
    throw unknownBodyFormat(
      "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    );
  }
  const options = readWriteOptions(exchange, "PatchOptions", type === "apply");
  const text = await readBody(request);
  const stored = findObject(exchange);
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
  checkNameMatches(info.name, object);
  checkNamespaceMatches(info.namespace, object);
  const next = applyDefaults(resource.kind, inNamespace(object, info.namespace));
  return updateObject(exchange, stored, owned(exchange, stored, next, options), options);
}

function handleApply(
  exchange: ResourceExchange,
  stored: StoredObject | undefined,
  text: string,
  options: WriteOptions,
): Answer {
  const { info, resource } = exchange;
  if (stored === undefined && info.subresource !== "") {
    throw notFound(resource.definition, info.name);
  }
  const { object, created } = applyPatch({
    kind: resource.kind,
    ...(stored === undefined ? {} : { live: resource.read(stored) }),
    patch: parseApplyBody(text),
    manager: options.manager,
    force: options.force,
    ...(info.subresource === "" ? {} : { subresource: info.subresource }),
    name: info.name,
    now: options.now,
  });
  checkNameMatches(info.name, object);
  checkNamespaceMatches(info.namespace, object);
  const placed = inNamespace(object, info.namespace);
  if (created || stored === undefined) return createObject(exchange, placed, options);
  return updateObject(exchange, stored, placed, options);
}

function parseApplyBody(text: string): Json {
  try {
    return parseYamlBody(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

/** Stores a changed object that has been defaulted and has its managed fields. */
export function updateObject(
  exchange: ResourceExchange,
  stored: StoredObject,
  defaulted: KubeObject,
  options: WriteOptions,
): Answer {
  const { info, resource, server, store } = exchange;
  checkPreconditions(exchange, stored, defaulted);
  const old = resource.read(stored);
  const subresource = info.subresource === "" ? undefined : info.subresource;
  const admitted = admit(resource.kind, defaulted, old);
  const prepared = prepareForUpdate(resource.kind, admitted, old, subresource);
  const next = resource.storageName === "services" && subresource === undefined
    ? allocateAddresses(prepared, old, store)
    : prepared;
  validateUpdate(resource.kind, next, old, subresource);
  next.metadata.resourceVersion = String(stored.revision);
  if (isGone(next, old)) {
    // The last finalizer went: the object is removed as it was stored, and the caller sees what it asked for.
    if (!options.dryRun) server.remove(resource, store, stored);
    return { type: "object", code: 200, text: resource.encode(next) };
  }
  if (options.dryRun) return { type: "object", code: 200, text: resource.encode(next) };
  if (isNoop(next, old)) return { type: "object", code: 200, text: resource.text(stored) };
  const written = server.storage.put(store, resource.toStorage(next), resource.encodeStored);
  server.written(resource, "MODIFIED", written, stored);
  return { type: "object", code: 200, text: resource.text(written) };
}

function checkPreconditions(
  { resource, info, method }: ResourceExchange,
  stored: StoredObject,
  next: KubeObject,
): void {
  const { definition } = resource;
  const { uid = "", resourceVersion = "" } = next.metadata;
  const revision = resourceVersion === "" ? 0 : parseRevision(resourceVersion);
  if (revision === undefined) {
    throw internalError(
      `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`,
    );
  }
  // A patch that changes the uid is refused by validation.
  if (method === "PUT" && uid !== "" && uid !== stored.uid) {
    const path = definition.group === "" || !resource.custom ? "" : `${definition.group}/`;
    throw conflict(
      definition,
      info.name,
      `StorageError: invalid object, Code: 4, Key: /registry/${path}${definition.plural}/${stored.key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored.uid}`,
    );
  }
  if (revision === 0 && !resource.capabilities.allowUnconditionalUpdate) {
    throw invalid(
      { group: definition.group, kind: definition.plural },
      info.name,
      [invalidValue("metadata.resourceVersion", 0, "must be specified for an update")],
    );
  }
  if (revision !== 0 && revision !== stored.revision) throw modified(definition, info.name);
}

/** Whether an update leaves nothing to wait for of an object that is being deleted. */
function isGone(next: KubeObject, old: KubeObject): boolean {
  return next.metadata.deletionTimestamp !== undefined &&
    (next.metadata.finalizers ?? []).length === 0 &&
    (old.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}
