import { objects } from "../defaults/pod_defaults.ts";
import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type Json,
  jsonEqual,
  type JsonObject,
} from "../../values/mod.ts";

/** Whether a Service of this spec has an address, or says that it wants none. */
export function needsClusterIp(spec: JsonObject): boolean {
  return getString(spec, "type") !== "ExternalName";
}

/** Whether the ports of such a Service may be ports of the nodes. */
export function needsNodePorts(spec: JsonObject): boolean {
  const type = getString(spec, "type");
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether those ports are taken for it where it does not name them. */
export function allocatesNodePorts(spec: JsonObject): boolean {
  return needsNodePorts(spec) && (getString(spec, "type") !== "LoadBalancer" ||
    getOwn(spec, "allocateLoadBalancerNodePorts") !== false);
}

/** Whether such a Service is reached from outside. */
export function isExternal(spec: JsonObject): boolean {
  return needsNodePorts(spec) ||
    (getString(spec, "type") === "ClusterIP" && getArray(spec, "externalIPs").length > 0);
}

/** Whether load balancers ask which nodes have endpoints of such a Service. */
export function needsHealthCheckPort(spec: JsonObject): boolean {
  return getString(spec, "type") === "LoadBalancer" &&
    getString(spec, "externalTrafficPolicy") === "Local";
}

/**
 * Makes of the update of a Service what is stored: values that the server gave it and the writer leaves out stay, and what
 * its new type has no use for goes, unless the writer has changed just that.
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

/** A port keeps the node port that the port of its name had, if no other port has it now. */
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

/** The node ports of `ports`, where they have any. */
function nodePorts(ports: readonly JsonObject[]): Json[] {
  return ports.map((port) => getOwn(port, "nodePort") ?? 0).filter((port) => port !== 0);
}

/** A writer who knows only one of the two fields changes both. */
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

/** What the writer of a Service is to be told that is no error. */
export function serviceWarnings(service: JsonObject): string[] {
  const spec = getObject(service, "spec");
  const warnings: string[] = [];
  if (getString(spec, "clusterIP") === "None") {
    const ignored = (name: string) =>
      warnings.push(`spec.${name} is ignored for headless services`);
    if (getString(spec, "loadBalancerIP") !== "") ignored("loadBalancerIP");
    if (getArray(spec, "externalIPs").length > 0) ignored("externalIPs");
    if (getString(spec, "sessionAffinity") !== "None") ignored("SessionAffinity");
  }
  const named = getString(spec, "type") === "ExternalName";
  if (named && getArray(spec, "externalIPs").length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (!named && getString(spec, "externalName") !== "") {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  return warnings;
}
