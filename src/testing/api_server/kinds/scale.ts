import type { KubeObject } from "@kubeloop/controller/types";
import { getObject, getOwn, getPath, type JsonObject, withPath } from "../../values/mod.ts";
import { withOwnersOf, withOwnersOfScale } from "../apply/mod.ts";
import { apiVersionOf, canonical, type KindInfo, SCHEMAS } from "../schema/mod.ts";
import type { ScaledFields } from "./record/mod.ts";
import { recordOf } from "./record_of.ts";

function scaledOf(kind: KindInfo): ScaledFields | undefined {
  return recordOf(kind).scale;
}

/** Returns the `autoscaling/v1` Scale of an object, or undefined if its kind has no scale subresource. */
export function readScale(kind: KindInfo, object: KubeObject): JsonObject | undefined {
  const scaled = scaledOf(kind);
  if (scaled === undefined) return undefined;
  const json = object as unknown as JsonObject;
  const meta = getObject(json, "metadata");
  const metadata: JsonObject = {};
  for (const name of ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"]) {
    const value = getOwn(meta, name);
    if (value !== undefined) metadata[name] = value;
  }
  const selector = scaled.selector(json);
  const scale: JsonObject = {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata,
    spec: { replicas: getPath(json, ...scaled.spec) ?? 0 },
    status: {
      replicas: getPath(json, ...scaled.status) ?? 0,
      ...(selector === "" ? {} : { selector }),
    },
  };
  return canonical(scale, SCHEMAS.struct("autoscaling.Scale"));
}

/**
 * Returns the object with a new number of replicas, for a write to its scale subresource.
 *
 * @throws {RangeError} If the kind has no scale subresource.
 */
export function writeScale(kind: KindInfo, object: KubeObject, replicas: number): KubeObject {
  const scaled = scaledOf(kind);
  if (scaled === undefined) throw new RangeError(`${kind.kind} has no scale`);
  const json = object as unknown as JsonObject;
  return withPath(json, scaled.spec, replicas) as unknown as KubeObject;
}

/**
 * Returns the Scale of an object with managed fields, as server-side apply needs it. Returns undefined if the kind has
 * no scale subresource.
 */
export function readOwnedScale(kind: KindInfo, object: KubeObject): JsonObject | undefined {
  const scale = readScale(kind, object);
  const scaled = scaledOf(kind);
  if (scale === undefined || scaled === undefined) return undefined;
  return withOwnersOf(scale, object as unknown as JsonObject, scaled.spec);
}

/**
 * Returns the object with a new number of replicas and with the managed fields that follow from its applied `scale`,
 * for a server-side apply to the scale subresource.
 *
 * @throws {RangeError} If the kind has no scale subresource.
 */
export function writeOwnedScale(
  kind: KindInfo,
  object: KubeObject,
  scale: KubeObject,
  replicas: number,
): KubeObject {
  const written = writeScale(kind, object, replicas) as unknown as JsonObject;
  const path = scaledOf(kind)?.spec ?? [];
  const json = scale as unknown as JsonObject;
  return withOwnersOfScale(written, json, path, apiVersionOf(kind)) as unknown as KubeObject;
}
