import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
} from "../../../../values/mod.ts";
import type { Release } from "../../../release/mod.ts";
import { legacyCidrWarnings, legacyIpWarnings, objects } from "../../shared/mod.ts";

/** Reports whether a Service of this type has a `clusterIP`, which may be `None`. */
export function needsClusterIp(spec: JsonObject): boolean {
  return getString(spec, "type") !== "ExternalName";
}

/** Reports whether the ports of a Service can have node ports. */
export function needsNodePorts(spec: JsonObject): boolean {
  const type = getString(spec, "type");
  return type === "NodePort" || type === "LoadBalancer";
}

/** Reports whether the server allocates node ports for the ports of a Service that have none. */
export function allocatesNodePorts(spec: JsonObject): boolean {
  return needsNodePorts(spec) && (getString(spec, "type") !== "LoadBalancer" ||
    getOwn(spec, "allocateLoadBalancerNodePorts") !== false);
}

/** Reports whether a Service is accessible from outside the cluster. */
export function isExternal(spec: JsonObject): boolean {
  return needsNodePorts(spec) ||
    (getString(spec, "type") === "ClusterIP" && getArray(spec, "externalIPs").length > 0);
}

/** Reports whether a Service needs a health check node port, which tells load balancers which nodes have endpoints. */
export function needsHealthCheckPort(spec: JsonObject): boolean {
  return getString(spec, "type") === "LoadBalancer" &&
    getString(spec, "externalTrafficPolicy") === "Local";
}

/**
 * Prepares the update of a Service for storage. Keeps allocated values that the request omits. Removes fields that the
 * new type does not use, unless the request changes them.
 */
export function prepareServiceUpdate(service: JsonObject, old: JsonObject): JsonObject {
  const before = getObject(old, "spec");
  const next: JsonObject = { ...getObject(service, "spec") };
  keepAllocated(next, before);
  matchClusterIps(next, before);
  dropUnused(next, before);
  const result: JsonObject = { ...service, spec: next };
  if (getString(next, "type") !== "LoadBalancer" && isObject(getOwn(result, "status"))) {
    result["status"] = { ...getObject(result, "status"), loadBalancer: {} };
  }
  return result;
}

function keepAllocated(next: JsonObject, before: JsonObject): void {
  if (needsClusterIp(before) && needsClusterIp(next)) {
    if (!getString(next, "clusterIP")) copy("clusterIP", before, next);
    const same = getOwn(next, "clusterIP") === getOwn(before, "clusterIP");
    if (same && getArray(next, "clusterIPs").length === 0) copy("clusterIPs", before, next);
  }
  if (needsNodePorts(before) && needsNodePorts(next)) {
    next["ports"] = keepNodePorts(objects(next, "ports"), objects(before, "ports"));
  }
  if (
    needsHealthCheckPort(before) && needsHealthCheckPort(next) &&
    !getOwn(next, "healthCheckNodePort")
  ) copy("healthCheckNodePort", before, next);
}

function copy(name: string, from: JsonObject, to: JsonObject): void {
  const value = getOwn(from, name);
  if (value !== undefined) to[name] = value;
}

/** Keeps the node port of the old port with the same name, for a port without one, if no other port uses it now. */
function keepNodePorts(ports: readonly JsonObject[], before: readonly JsonObject[]): Json[] {
  const wanted = new Set(nodePorts(ports));
  const used = new Set(nodePorts(before).filter((port) => wanted.has(port)));
  return ports.map((port) => {
    if (getOwn(port, "nodePort")) return port;
    const kept = before.find((one) => getString(one, "name") === getString(port, "name"));
    const nodePort = kept === undefined ? undefined : getOwn(kept, "nodePort");
    if (!nodePort || used.has(nodePort)) return port;
    used.add(nodePort);
    return { ...port, nodePort };
  });
}

/** Returns the node ports of `ports`, without the ports that have none. */
function nodePorts(ports: readonly JsonObject[]): Json[] {
  return ports.map((port) => getOwn(port, "nodePort") ?? 0).filter((port) => port !== 0);
}

/** Sets `clusterIPs` from a changed `clusterIP`, for clients that know only the older field. */
function matchClusterIps(next: JsonObject, before: JsonObject): void {
  const address = getString(next, "clusterIP");
  if (address === getString(before, "clusterIP")) return;
  if (!jsonEqual(getOwn(next, "clusterIPs"), getOwn(before, "clusterIPs"))) return;
  if (address === "") delete next["clusterIPs"];
  else next["clusterIPs"] = [address];
}

function dropUnused(next: JsonObject, before: JsonObject): void {
  const lost = (needs: (spec: JsonObject) => boolean) => needs(before) && !needs(next);
  const drop = (...names: string[]) => {
    if (!names.every((name) => jsonEqual(getOwn(next, name), getOwn(before, name)))) return;
    for (const name of names) delete next[name];
  };
  if (lost(needsClusterIp)) {
    drop("clusterIP", "clusterIPs");
    drop("ipFamilies", "ipFamilyPolicy");
    drop("internalTrafficPolicy");
  }
  if (lost(needsNodePorts)) {
    const [ports, had] = [objects(next, "ports"), objects(before, "ports")];
    if (jsonEqual(nodePorts(ports), nodePorts(had))) {
      next["ports"] = ports.map(({ nodePort: _, ...port }) => port);
    }
  }
  if (lost(needsHealthCheckPort)) drop("healthCheckNodePort");
  if (lost((spec) => getString(spec, "type") === "LoadBalancer")) {
    drop("allocateLoadBalancerNodePorts");
    drop("loadBalancerClass");
  }
  if (lost(isExternal)) drop("externalTrafficPolicy");
}

/** Returns the warnings for a write of a Service. */
export function serviceWarnings(
  service: JsonObject,
  _old: JsonObject | undefined,
  release: Release,
): string[] {
  const spec = getObject(service, "spec");
  const texts = (name: string) => getArray(spec, name).map(String);
  const ips = (name: string) =>
    texts(name).flatMap((ip, index) => legacyIpWarnings(ip, item(`spec.${name}`, index)));
  const warnings: string[] = [];
  const annotations = getObject(service, "metadata", "annotations");
  if (getOwn(annotations, TOPOLOGY_HINTS) !== undefined) {
    const use = `please use ${TOPOLOGY_MODE} instead`;
    warnings.push(`annotation ${TOPOLOGY_HINTS} is deprecated, ${use}`);
  }
  const balancer = getString(spec, "loadBalancerIP");
  const isHeadless = getString(spec, "clusterIP") === "None";
  const isReached = texts("externalIPs").length > 0;
  const named = getString(spec, "type") === "ExternalName";
  if (isHeadless) {
    const ignored = (name: string) =>
      warnings.push(`spec.${name} is ignored for headless services`);
    if (balancer !== "") ignored("loadBalancerIP");
    if (isReached) ignored("externalIPs");
    if (getString(spec, "sessionAffinity") !== "None") ignored("SessionAffinity");
  } else warnings.push(...ips("clusterIPs"));
  warnings.push(...ips("externalIPs"));
  if (isReached && !isHeadless && !named && release.has({ since: "1.36" })) {
    warnings.push(
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    );
  }
  warnings.push(...legacyIpWarnings(balancer, "spec.loadBalancerIP"));
  texts("loadBalancerSourceRanges").forEach((range, index) => {
    warnings.push(...legacyCidrWarnings(range, item("spec.loadBalancerSourceRanges", index)));
  });
  if (named && isReached) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (!named && getString(spec, "externalName") !== "") {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (getString(spec, "trafficDistribution") === "PreferClose") {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

/** The annotation of topology aware routing, and its predecessor. */
export const TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";
export const TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
