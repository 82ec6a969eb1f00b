import type { KubeObject } from "../../types/mod.ts";
import { mediaType, readBody } from "./body.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import {
  builtinSchema,
  checkNameMatches,
  checkNamespaceMatches,
  decodeObject,
  encodeJson,
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
} from "./_pure.ts";
import { findObject } from "./read_handlers.ts";
import type { StoredObject } from "./stored_object.ts";
import { PATCH_TYPES, unknownPatchType, updateObject } from "./update_handler.ts";
import { readWriteOptions, type WriteOptions } from "./write_context.ts";

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
  const text = await readBody(exchange.request);
  const stored = requireObject(exchange);
  const live = resource.read(stored);
  const scale = wantedScale(exchange, live, text, options);
  checkNameMatches(info.name, scale);
  checkNamespaceMatches(info.namespace, scale);
  const replicas = getPath(scale as unknown as Json, "spec", "replicas") ?? 0;
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
    next: { ...scaled, metadata: { ...scaled.metadata, ...identity(resourceVersion, uid) } },
    manager: options.manager,
    subresource: "scale",
    now: "",
  });
  const answer = updateObject(exchange, stored, withoutEmptyTimes(next), options);
  if (answer.type === "empty") return answer;
  return { ...answer, text: scaleText(exchange, JSON.parse(answer.text)) };
}

/** The API server notes no time for scales. */
function withoutEmptyTimes(object: KubeObject): KubeObject {
  const managedFields = (object.metadata.managedFields ?? []).map(({ time, ...entry }) =>
    time ? { ...entry, time } : entry
  );
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

/** What the caller says the object must still be. */
function identity(resourceVersion = "", uid?: string): KubeObject["metadata"] {
  return { resourceVersion, ...(uid === undefined ? {} : { uid }) };
}

function wantedScale(
  { method, request, resource, warnings }: ResourceExchange,
  live: KubeObject,
  text: string,
  { fieldValidation }: WriteOptions,
): KubeObject {
  if (method === "PUT") {
    const decoded = decodeObject(text, SCALE, fieldValidation);
    warnings.push(...decoded.warnings);
    return decoded.object;
  }
  const type = PATCH_TYPES.get(mediaType(request));
  if (type === undefined) throw unknownPatchType();
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

function scaleText({ resource }: ResourceExchange, object: KubeObject): string {
  return encodeJson(readScale(resource.kind, object), SCALE.schema);
}
