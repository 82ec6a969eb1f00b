import type { KubeObject } from "../../types/mod.ts";
import { mediaType } from "./body.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import {
  ApiError,
  badRequest,
  builtinSchema,
  type Decoded,
  decodeObject,
  encodeJson,
  failure,
  getPath,
  invalid,
  invalidValue,
  type Json,
  type KindInfo,
  notFound,
  notImplemented,
  patchObject,
  readScale,
  updateManagedFields,
  writeScale,
} from "./pure/mod.ts";
import { readObjectText } from "./protobuf_body.ts";
import { findObject } from "./read_handlers.ts";
import type { StoredObject } from "./stored_object.ts";
import { PATCH_TYPES, requirePatchable, unknownPatchType, updateObject } from "./update_handler.ts";
import { readWriteOptions, type WriteOptions } from "./write_context.ts";
import { checkPlace } from "./write_preconditions.ts";

/** What a scale subresource speaks. */
const SCALE: KindInfo = {
  group: "autoscaling",
  version: "v1",
  kind: "Scale",
  plural: "scales",
  namespaced: true,
  schema: builtinSchema("autoscaling", "v1", "Scale")!,
};

/** Answers a GET of a scale. */
export function handleGetScale(exchange: ResourceExchange): Promise<Answer> {
  try {
    const object = exchange.resource.read(requireObject(exchange));
    return Promise.resolve({ type: "object", code: 200, text: scaleText(exchange, object) });
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Answers a PUT or PATCH of a scale: the object gets the number of replicas. */
export async function handleWriteScale(exchange: ResourceExchange): Promise<Answer> {
  const { info, method, resource } = exchange;
  const options = readWriteOptions(
    exchange,
    method === "PUT" ? "UpdateOptions" : "PatchOptions",
    mediaType(exchange.request) === "application/apply-patch+yaml",
  );
  const text = await readObjectText(exchange.request, SCALE.schema);
  // What is put is read before the object is looked for, which a patch needs to say anything.
  const put = method === "PUT" ? readPut(exchange, text, options) : undefined;
  const stored = requireObject(exchange);
  const live = resource.read(stored);
  const scale = put ?? patchedScale(exchange, live, text, options);
  checkPlace(exchange, scale);
  const replicas = getPath(scale as unknown as Json, "spec", "replicas") ?? 0;
  const customPath = resource.kind.custom?.scale?.spec;
  if (typeof replicas === "number" && replicas < 0 && customPath !== undefined) {
    throw invalid(resource.kind, info.name, [
      invalidValue(customPath, replicas, "should be a non-negative integer"),
    ]);
  }
  if (typeof replicas === "number" && replicas < 0) {
    throw invalid(SCALE, info.name, [
      invalidValue("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  }
  const { resourceVersion, uid } = scale.metadata;
  const scaled = writeScale(resource.kind, live, Number(replicas));
  const next = updateManagedFields({
    kind: resource.kind,
    live,
    next: {
      ...scaled,
      metadata: { ...scaled.metadata, ...identity(stored, resourceVersion, uid) },
    },
    manager: options.manager,
    subresource: "scale",
    now: "",
  });
  const answer = updateObject(exchange, stored, withScaleOwner(exchange, next), options);
  if (answer.type === "empty") return answer;
  return { ...answer, text: scaleText(exchange, JSON.parse(answer.text)) };
}

/** The API server notes no time for scales, and where replicas are kept elsewhere not even who scaled them. */
function withScaleOwner({ resource }: ResourceExchange, object: KubeObject): KubeObject {
  const usual = (resource.kind.custom?.scale?.spec ?? ".spec.replicas") === ".spec.replicas";
  const managedFields = (object.metadata.managedFields ?? [])
    .filter(({ subresource }) => usual || subresource !== "scale")
    .map(({ time, ...entry }) => time ? { ...entry, time } : entry);
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

/** What the caller says the object must still be. */
function identity(stored: StoredObject, sent = "", uid?: string): KubeObject["metadata"] {
  // A scale that names no revision fits every one, also where an object would not.
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
    decoded = decodeObject(text, SCALE, fieldValidation);
  } catch (error) {
    // Those who serve custom resources know no Scale to name in the message.
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
  { request, resource, warnings }: ResourceExchange,
  live: KubeObject,
  text: string,
  { fieldValidation }: WriteOptions,
): KubeObject {
  const type = PATCH_TYPES.get(mediaType(request));
  if (type === undefined) throw unknownPatchType();
  requirePatchable(resource, type);
  if (type === "apply") {
    throw notImplemented("This server does not serve server-side apply of scales");
  }
  const current = readScale(resource.kind, live) as unknown as KubeObject;
  const patched = patchObject(type, text, current, SCALE, fieldValidation);
  warnings.push(...patched.warnings);
  return patched.object;
}

function requireObject(exchange: ResourceExchange): StoredObject {
  const stored = findObject(exchange);
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
  const message = `the spec replicas field ${JSON.stringify(path)} does not exist`;
  return failure(500, `Internal error occurred: ${message}`, {
    reason: "InternalError",
    details: { causes: [{ message }] },
  });
}
