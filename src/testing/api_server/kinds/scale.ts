import type { KubeObject } from "@kubeloop/controller/types";
import {
  getObject,
  getOwn,
  getPath,
  getString,
  type Json,
  type JsonObject,
  withPath,
} from "../values/mod.ts";
import { withOwnersOf, withOwnersOfScale } from "../apply/mod.ts";
import { apiVersionOf, canonical, type KindInfo, SCHEMAS } from "../schema/mod.ts";
import { objects } from "./defaults/pod_defaults.ts";

/** The paths of the fields that the scale subresource of a kind exposes. */
interface Scaled {
  readonly spec: readonly string[];
  readonly status: readonly string[];
  readonly selector: (object: JsonObject) => string;
}

function steps(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

function scaledOf(kind: KindInfo): Scaled | undefined {
  if (kind.custom !== undefined) {
    const { scale } = kind.custom;
    if (scale === undefined) return undefined;
    const { selector } = scale;
    return {
      spec: steps(scale.spec),
      status: steps(scale.status),
      selector: (object) => selector === undefined ? "" : getString(object, ...steps(selector)),
    };
  }
  if (kind.group !== "apps") return undefined;
  return {
    spec: ["spec", "replicas"],
    status: ["status", "replicas"],
    selector: (object) => selectorText(getObject(object, "spec", "selector")),
  };
}

/** Returns a label selector as text, as in `app=web,tier in (a,b)`. */
export function selectorText(selector: JsonObject): string {
  const labels = getObject(selector, "matchLabels");
  const parts = Object.keys(labels).map((key) => ({
    key,
    text: `${key}=${getString(labels, key)}`,
  }));
  for (const expression of objects(selector, "matchExpressions")) {
    const key = getString(expression, "key");
    const values = (getOwn(expression, "values") as Json[] | undefined ?? []).map(String).sort();
    const list = `(${values.join(",")})`;
    const text = {
      In: `${key} in ${list}`,
      NotIn: `${key} notin ${list}`,
      Exists: key,
      DoesNotExist: `!${key}`,
    }[getString(expression, "operator")];
    if (text !== undefined) parts.push({ key, text });
  }
  return parts.sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0).map((one) => one.text)
    .join(",");
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
