import type { KubeObject } from "@kubeloop/controller/types";
import { mediaType, readObjectText } from "../http/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import {
  applyPatch,
  readOwnedScale,
  readScale,
  type ResourceInfo,
  updateManagedFields,
  writeOwnedScale,
  writeScale,
} from "../kinds/mod.ts";
import { patchObject, requireJson } from "../patch/mod.ts";
import type { Decoded } from "../schema/mod.ts";
import {
  ApiError,
  badRequest,
  encodeJson,
  getArray,
  getPath,
  getString,
  internalError,
  internalFailure,
  invalid,
  invalidValue,
  isNumber,
  type Json,
  jsonEqual,
  type JsonObject,
  notFound,
  readJson,
} from "../../values/mod.ts";
import { writeAdmission } from "./admission.ts";

import { writePresent } from "./present_object.ts";
import { findObject } from "./read_handlers.ts";
import { prepareRead } from "./unreadable.ts";
import type { StoredObject } from "../storage/mod.ts";
import { requirePatchType } from "./patch_type.ts";
import { SCALE } from "./subresource_kinds.ts";
import { type SubresourceView, updateObject } from "./write_object.ts";
import { applyYaml, decodeBody, readWriteOptions, type WriteOptions } from "./write_context.ts";
import { yamlToJson } from "../yaml/mod.ts";
import { checkPlace } from "./write_preconditions.ts";

const APPLY_TYPE = "application/apply-patch+yaml";

/** Answers a GET of a scale subresource. */
export async function handleGetScale(exchange: ResourceExchange): Promise<Answer> {
  const { resource } = exchange;
  const stored = findObject(exchange);
  const present = requirePresent(exchange, stored);
  const prepared = prepareRead(exchange, present, false);
  if (prepared !== undefined) await prepared;
  return { type: "object", code: 200, text: scaleText(exchange, resource.read(present)) };
}

/** Answers a PUT or PATCH of a scale subresource: sets the number of replicas in the object. */
export async function handleWriteScale(exchange: ResourceExchange): Promise<Answer> {
  const { method, resource } = exchange;
  const applies = method === "PATCH" && mediaType(exchange.request) === APPLY_TYPE;
  const options = readWriteOptions(
    exchange,
    method === "PUT" ? "UpdateOptions" : "PatchOptions",
    applies,
  );
  const text = await readObjectText(exchange.request, SCALE.schema, SCALE);
  if (method === "PATCH" && !applies) requireJson(text, resource.kind);
  // A real server decodes the body of a PUT before it looks up the object. A patch can only be decoded with the object.
  const put = method === "PUT" ? readPut(exchange, text, options) : undefined;
  const isNamed = put === undefined || namesKind(text);
  return writePresent(exchange, async (found) => {
    const stored = requirePresent(exchange, found);
    const live = resource.read(stored);
    const sent = put ?? patchedScale(exchange, live, text, options);
    checkPlace(exchange, sent);
    const admission = writeAdmission(exchange, "UPDATE", options, SCALE);
    const scale = admission === undefined
      ? sent
      : await admission.mutate(...reviewedScales(exchange, live, sent, { applies, options }));
    return await storeScale(exchange, stored, scale, { applies, isNamed, options });
  });
}

/** Returns the new and the old Scale as mutating webhooks see them: with managed fields. */
function reviewedScales(
  { method, resource }: ResourceExchange,
  live: KubeObject,
  sent: KubeObject,
  { applies, options }: { readonly applies: boolean; readonly options: WriteOptions },
): [next: KubeObject, old: KubeObject] {
  const old = readOwnedScale(resource.kind, live) as unknown as KubeObject;
  // The server for custom resources has no managed fields of a Scale.
  if (applies || (resource.custom && method === "PUT")) return [sent, old];
  const { manager, now } = options;
  const subresource = "scale";
  const next = updateManagedFields({
    kind: SCALE,
    live: old,
    next: sent,
    manager,
    subresource,
    now,
  });
  return [next, old];
}

/** Stores an object with the number of replicas of a Scale. */
async function storeScale(
  exchange: ResourceExchange,
  stored: StoredObject,
  scale: KubeObject,
  { applies, isNamed, options }: {
    readonly applies: boolean;
    /** Whether the body says that it is a Scale. */
    readonly isNamed: boolean;
    readonly options: WriteOptions;
  },
): Promise<Answer | undefined> {
  const { info, resource } = exchange;
  const live = resource.read(stored);
  const replicas = replicasOf(scale) ?? 0;
  // The validation of a custom resource looks at its replicas itself.
  if (isNumber(replicas) && replicas < 0 && !resource.custom) {
    throw invalid(SCALE, info.name, [
      invalidValue("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  }
  const { resourceVersion, uid } = scale.metadata;
  const scaled = applies
    ? writeOwnedScale(resource.kind, live, scale, Number(replicas))
    : writeScale(resource.kind, live, Number(replicas));
  const wanted = {
    ...scaled,
    metadata: { ...scaled.metadata, ...identity(stored, resourceVersion, uid) },
  };
  const next = applies ? wanted : withScaleOwner(exchange, live, wanted, { isNamed, options });
  const answer = await updateObject(exchange, stored, next, options, scaleView(resource));
  if (answer === undefined || !("text" in answer)) return answer;
  return { ...answer, text: scaleText(exchange, readJson<KubeObject>(answer.text)) };
}

/**
 * Updates the managed fields for a write of the scale subresource, without a time, as in a real server. A Scale without
 * managed fields stays without them. A Scale omits zero replicas, so that no
 * manager owns them. For a custom resource with replicas outside `.spec.replicas`, a PUT without `apiVersion` and `kind`
 * gives no ownership either, and takes the old one away until Kubernetes 1.37.
 */
function withScaleOwner(
  { resource }: ResourceExchange,
  live: KubeObject,
  next: KubeObject,
  { isNamed, options: { manager } }: { readonly isNamed: boolean; readonly options: WriteOptions },
): KubeObject {
  const { kind } = resource;
  const [before, after] = [readOwnedScale(kind, live), readScale(kind, next)];
  if (getArray(before, "metadata", "managedFields").length === 0) return next;
  const unowned = () =>
    writeOwnedScale(kind, next, after as unknown as KubeObject, replicasIn(after));
  const usual = (kind.custom?.scale?.spec ?? ".spec.replicas") === ".spec.replicas";
  if (!isNamed && !usual) return kind.release.has({ since: "1.37" }) ? next : unowned();
  if (replicasIn(before) === replicasIn(after)) return next;
  if (replicasIn(after) === 0) return unowned();
  const object = updateManagedFields({ kind, live, next, manager, subresource: "scale", now: "" });
  const managedFields = (object.metadata.managedFields ?? [])
    .map(({ time, ...entry }) => time ? { ...entry, time } : entry);
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

/** Reports whether the text of a PUT, which has been decoded already, has an `apiVersion` and a `kind`. */
function namesKind(text: string): boolean {
  const { value } = yamlToJson(text);
  return getString(value, "apiVersion") !== "" && getString(value, "kind") !== "";
}

function replicasIn(scale: JsonObject | undefined): number {
  return Number(getPath(scale, "spec", "replicas") ?? 0);
}

/** Returns the metadata with which the write checks that the object is still the expected one. */
function identity(stored: StoredObject, sent = "", uid?: string): KubeObject["metadata"] {
  // A Scale without a resourceVersion updates any version of the object, even if the resource itself forbids that.
  const resourceVersion = sent === "" ? String(stored.revision) : sent;
  return { resourceVersion, ...(uid === undefined ? {} : { uid }) };
}

function readPut(
  exchange: ResourceExchange,
  text: string,
  { fieldValidation }: WriteOptions,
): KubeObject {
  let decoded: Decoded;
  try {
    decoded = decodeBody(mediaType(exchange.request), text, SCALE, fieldValidation);
  } catch (error) {
    // The scheme of the server for custom resources has no Scale, so every decoding error becomes this one.
    if (!ApiError.is(error) || !exchange.resource.custom) throw error;
    throw badRequest(
      'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"',
    );
  }
  exchange.warnings.push(...decoded.warnings);
  checkPlace(exchange, decoded.object);
  return decoded.object;
}

function patchedScale(
  exchange: ResourceExchange,
  live: KubeObject,
  text: string,
  options: WriteOptions,
): KubeObject {
  const { request, resource, warnings } = exchange;
  const type = requirePatchType(request, resource);
  if (type === "apply") return appliedScale(exchange, live, text, options);
  // An error about the patched Scale shows it with its managed fields.
  const current = readOwnedScale(resource.kind, live) as unknown as KubeObject;
  const patched = patchObject(type, text, current, SCALE, options.fieldValidation);
  warnings.push(...patched.warnings);
  return patched.object;
}

function appliedScale(
  exchange: ResourceExchange,
  live: KubeObject,
  text: string,
  options: WriteOptions,
): KubeObject {
  const { info, resource } = exchange;
  const { force, manager, now } = options;
  const current = readOwnedScale(resource.kind, live) as unknown as KubeObject;
  const apply = (patch: Json) => {
    const subresource = "scale";
    const { name } = info;
    if (resource.custom && current.metadata.managedFields === undefined) {
      throw internalError(
        "failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) " +
          "to proper version: request to convert CR to an invalid group/version: autoscaling/v1",
      );
    }
    return applyPatch({
      kind: SCALE,
      live: current,
      patch,
      manager,
      force,
      subresource,
      name,
      now,
    });
  };
  const { object } = applyYaml(exchange, text, options, apply);
  // The server for custom resources cannot convert a Scale that has changed.
  if (resource.custom && !jsonEqual(replicasOf(object), replicasOf(current))) {
    throw internalError(
      `failed to convert new object (${info.namespace}/${info.name}; autoscaling/v1, Kind=Scale) to proper version: ` +
        "request to convert CR to an invalid group/version: autoscaling/v1",
    );
  }
  return object;
}

function replicasOf(scale: KubeObject): Json | undefined {
  return getPath(scale as unknown as Json, "spec", "replicas");
}

/** Returns the form in which webhooks see an object whose scale is written. */
function scaleView({ kind }: ResourceInfo): SubresourceView {
  return { kind: SCALE, of: (object) => readScale(kind, object) as unknown as KubeObject };
}

function requirePresent(
  exchange: ResourceExchange,
  stored: StoredObject | undefined,
): StoredObject {
  if (stored === undefined) throw notFound(exchange.resource.definition, exchange.info.name);
  return stored;
}

function scaleText({ resource: { kind } }: ResourceExchange, object: KubeObject): string {
  const path = kind.custom?.scale?.spec;
  if (path !== undefined) {
    const steps = path.replace(/^\./, "").split(".");
    if (getPath(object as unknown as Json, ...steps) === undefined) throw missingReplicas(path);
  }
  return encodeJson(readScale(kind, object), SCALE.schema);
}

function missingReplicas(path: string): ApiError {
  return internalFailure(`the spec replicas field ${JSON.stringify(path)} does not exist`);
}
