import type { KubeObject } from "@kubeloop/controller/types";
import {
  cloneJson,
  getObject,
  getPath,
  internalError,
  isObject,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";
import {
  applyStructuralDefaults,
  canonical,
  type KindInfo,
  type Structural,
  TooLargeError,
  withFieldDefaults,
} from "../schema/mod.ts";
import { recordOf } from "./record_of.ts";

/**
 * Returns an object with the defaults of its kind. Does not modify the given object.
 *
 * @param now The current time, in the format of object metadata. If omitted, times get no default.
 */
export function applyDefaults(kind: KindInfo, object: KubeObject, now?: string): KubeObject {
  if (kind.custom !== undefined) {
    return fill(object as unknown as JsonObject, kind.custom.schema) as unknown as KubeObject;
  }
  const draft = cloneJson(object as unknown as Json);
  if (!isObject(draft)) return object;
  const complete = withFieldDefaults(draft, kind.schema);
  const { defaults } = recordOf(kind);
  if (defaults === undefined) return complete as unknown as KubeObject;
  defaults(complete, kind.release, now);
  const result = canonical(complete, kind.schema);
  return shareLabels(result, complete) as unknown as KubeObject;
}

/**
 * Returns a copy of a custom resource with the defaults of its schema.
 *
 * @throws {ApiError} 500, as etcd answers, if the object gets too large to be stored.
 */
function fill(object: JsonObject, schema: Structural): JsonObject {
  try {
    return applyStructuralDefaults(object, schema);
  } catch (error) {
    if (error instanceof TooLargeError) throw internalError("etcdserver: request is too large");
    throw error;
  }
}

/** Makes the labels of an object and of its Pods one map, if the defaults have made them one. */
function shareLabels(object: JsonObject, defaulted: JsonObject): JsonObject {
  const labels = (one: JsonObject) => getPath(one, "spec", "template", "metadata", "labels");
  const shared = labels(defaulted);
  if (shared === undefined || shared !== getPath(defaulted, "metadata", "labels")) return object;
  getObject(object, "metadata")["labels"] = labels(object)!;
  return object;
}
