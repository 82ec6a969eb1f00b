import { isRecord, jsonEqual, own, storedQuantity } from "../../base/mod.ts";

/**
 * The groups of built-in kinds in whose objects a path says what type a value has. There is none for kinds that hold any
 * JSON, such as the defaults in a CustomResourceDefinition.
 */
const TYPED: ReadonlySet<string> = new Set([
  "",
  "apps",
  "autoscaling",
  "batch",
  "discovery.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
]);

/** Maps whose values are quantities. No map of texts has a map in it, so that its keys cannot be mistaken for these. */
const QUANTITY_MAPS: ReadonlySet<string> = new Set([
  "f:capacity",
  "f:hard",
  "f:limits",
  "f:overhead",
  "f:requests",
]);

/** Other fields that are quantities. */
const QUANTITIES: ReadonlySet<string> = new Set([
  "f:emptyDir/f:sizeLimit",
  "f:resourceFieldRef/f:divisor",
  "f:target/f:averageValue",
  "f:target/f:value",
]);

/**
 * The defaults within values that are owned as a whole, by the end of the path. Elsewhere, the server owns the defaults
 * that it sets.
 */
const DEFAULTS: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map<
  string,
  Readonly<Record<string, unknown>>
>([
  ["f:valueFrom/f:fieldRef", { apiVersion: "v1" }],
  ["f:items/f:fieldRef", { apiVersion: "v1" }],
  ["f:valueFrom/f:resourceFieldRef", { divisor: "0" }],
  ["f:items/f:resourceFieldRef", { divisor: "0" }],
  ["f:sources/f:serviceAccountToken", { expirationSeconds: 3600 }],
  ["f:rules/f:onPodConditions", { status: "True" }],
  ["f:ingress/f:ports", { protocol: "TCP" }],
  ["f:egress/f:ports", { protocol: "TCP" }],
  ["f:spec/f:volumeClaimTemplates", {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    status: { phase: "Pending" },
  }],
  ["f:volumeClaimTemplates/f:metadata", { creationTimestamp: null }],
  ["f:volumeClaimTemplates/f:spec", { volumeMode: "Filesystem" }],
]);

/**
 * Reports whether the server stores some values of a kind in a form that depends on nothing but their path: quantities, as
 * `1000m`, which becomes `1`, and defaults.
 */
export function hasStoredForms(apiVersion: string): boolean {
  const slash = apiVersion.indexOf("/");
  return TYPED.has(slash < 0 ? "" : apiVersion.slice(0, slash));
}

/**
 * Reports whether the server stores `desired` as `live`.
 *
 * @param desired A scalar, or a value that is owned as a whole.
 * @param live The stored value.
 * @param path The path of the value, which is changed during the call; undefined if the server stores what it gets.
 */
export function isStoredAs(desired: unknown, live: unknown, path: string[] | undefined): boolean {
  if (path === undefined || path[0] === "f:data") return jsonEqual(desired, live);
  if (Array.isArray(desired)) {
    return Array.isArray(live) && live.length === desired.length &&
      desired.every((item, i) => isStoredAs(item, live[i], path));
  }
  if (!isRecord(desired)) return desired === live || isStoredQuantity(desired, live, path);
  if (!isRecord(live)) return false;
  for (const key of Object.keys(desired)) {
    path.push(`f:${key}`);
    const isStored = isStoredAs(desired[key], own(live, key), path);
    path.pop();
    if (!isStored) return false;
  }
  const defaults = DEFAULTS.get(endOf(path));
  return Object.keys(live).every((key) =>
    Object.hasOwn(desired, key) ||
    (defaults !== undefined && Object.hasOwn(defaults, key) && jsonEqual(defaults[key], live[key]))
  );
}

function isStoredQuantity(desired: unknown, live: unknown, path: readonly string[]): boolean {
  if (typeof live !== "string" || (typeof desired !== "string" && typeof desired !== "number")) {
    return false;
  }
  if (!QUANTITY_MAPS.has(path.at(-2) ?? "") && !QUANTITIES.has(endOf(path))) return false;
  return storedQuantity(`${desired}`) === live;
}

function endOf(path: readonly string[]): string {
  return `${path.at(-2)}/${path.at(-1)}`;
}
