import { formatQuantity, parseQuantity } from "@kubeloop/controller/base";
import { getArray, getObject, getOwn, getString, type JsonObject } from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { podTotals } from "../defaults/pod_totals.ts";
import { podQosClass } from "../strategy/pod_qos.ts";

/** Amounts by the names that a ResourceQuota has for them. */
export type Usage = Record<string, string>;

/** The resources that quotas count under their own name, too. */
const COUNTED = ["configmaps", "replicationcontrollers", "resourcequotas", "secrets"];

/** The resources that an update can use more of. */
const CHANGING = ["persistentvolumeclaims", "services"];

/** The resources of which each container must ask for some, if a quota limits them. */
const REQUIRED = /^(?:(?:requests|limits)\.)?(?:cpu|memory)$/;

/** Reports whether a write can use more of a quota. */
export function usesQuota(
  resource: string,
  next: JsonObject,
  old: JsonObject | undefined,
  subresource: string,
): boolean {
  if (resource === "events" || resource === "events.events.k8s.io") return false;
  if (subresource !== "") return old !== undefined && subresource === "resize";
  if (old === undefined) return true;
  if (resource === "pods") return isTerminating(next) !== isTerminating(old);
  return CHANGING.includes(resource);
}

/** Returns what an object uses. */
export function usageOf(resource: string, object: JsonObject): Usage {
  const count: Usage = { [`count/${resource}`]: "1" };
  if (resource === "pods") return { ...count, ...usageOfPod(object) };
  if (resource === "services") return { ...count, ...usageOfService(object) };
  if (resource === "persistentvolumeclaims") return { ...count, ...usageOfClaim(object) };
  return COUNTED.includes(resource) ? { ...count, [resource]: "1" } : count;
}

function usageOfPod(pod: JsonObject): Usage {
  const phase = getString(pod, "status", "phase");
  if (phase === "Succeeded" || phase === "Failed") return {};
  const spec = getObject(pod, "spec");
  return named(podTotals(spec, "requests"), podTotals(spec, "limits"));
}

/** Returns requests and limits under the names that quotas have for them. */
function named(requests: Usage, limits: Usage): Usage {
  const usage: Usage = { pods: "1" };
  for (const [name, amount] of Object.entries(requests)) {
    const huge = name.startsWith("hugepages-");
    if (huge || ["cpu", "memory", "ephemeral-storage"].includes(name)) usage[name] = amount;
    else if (!isExtended(name)) continue;
    usage[`requests.${name}`] = amount;
  }
  for (const name of ["cpu", "memory", "ephemeral-storage"]) {
    const amount = limits[name];
    if (amount !== undefined) usage[`limits.${name}`] = amount;
  }
  return usage;
}

function isExtended(name: string): boolean {
  return name.includes("/") && !name.includes("kubernetes.io/");
}

function usageOfService(service: JsonObject): Usage {
  const spec = getObject(service, "spec");
  const ports = objects(spec, "ports");
  const usage: Usage = { services: "1" };
  const type = getString(spec, "type");
  if (type === "NodePort") usage["services.nodeports"] = String(ports.length);
  if (type === "LoadBalancer") {
    usage["services.loadbalancers"] = "1";
    const given = ports.filter((port) => Number(getOwn(port, "nodePort") ?? 0) !== 0);
    const own = getOwn(spec, "allocateLoadBalancerNodePorts") === false ? given : ports;
    usage["services.nodeports"] = String(own.length);
  }
  return usage;
}

function usageOfClaim(claim: JsonObject): Usage {
  const usage: Usage = { persistentvolumeclaims: "1" };
  const of = `${getString(claim, "spec", "storageClassName")}.storageclass.storage.k8s.io`;
  const classed = !of.startsWith(".");
  if (classed) usage[`${of}/persistentvolumeclaims`] = "1";
  const size = getString(claim, "spec", "resources", "requests", "storage");
  if (size !== "") {
    usage["requests.storage"] = size;
    if (classed) usage[`${of}/requests.storage`] = size;
  }
  return usage;
}

/** Returns those resources of a quota that objects of a resource use. */
export function matchingResources(resource: string, hard: readonly string[]): string[] {
  return hard.filter((name) => {
    if (name === `count/${resource}` || name === resource) return true;
    if (resource === "pods") {
      return /^(?:(?:requests|limits)\.)?(?:cpu|memory|ephemeral-storage)$/.test(name) ||
        /^(?:requests\.)?hugepages-/.test(name) ||
        (name.startsWith("requests.") && isExtended(name));
    }
    if (resource === "services") return name.startsWith("services.");
    if (resource !== "persistentvolumeclaims") return false;
    return name === "requests.storage" ||
      /\.storageclass\.storage\.k8s\.io\/(?:requests\.storage|persistentvolumeclaims)$/.test(name);
  });
}

/** Returns what a Pod must say because quotas limit it; empty if it says all. */
export function missingAmounts(pod: JsonObject, limited: readonly string[]): string {
  const spec = getObject(pod, "spec");
  if (Object.keys(getObject(spec, "resources")).length > 0) return "";
  const all = [...objects(spec, "containers"), ...objects(spec, "initContainers")];
  return limited.filter((name) => REQUIRED.test(name)).sort().flatMap((name) => {
    const lacking = all.filter((container) => {
      const resources = getObject(container, "resources");
      const given = named(
        getObject(resources, "requests") as Usage,
        getObject(resources, "limits") as Usage,
      );
      return given[name] === undefined;
    }).map((container) => getString(container, "name"));
    return lacking.length === 0 ? [] : [`${name} for: ${lacking.sort().join(",")}`];
  }).join("; ");
}

/** Reports whether a quota's scopes include an object. */
export function inScopes(quota: JsonObject, resource: string, object: JsonObject): boolean {
  const exist = getArray(quota, "spec", "scopes").map((scopeName) => ({
    scopeName,
    operator: "Exists",
  }));
  return [...exist, ...objects(quota, "spec", "scopeSelector", "matchExpressions")]
    .every((scope) => resource === "pods" && inScope(object, scope));
}

function inScope(pod: JsonObject, scope: JsonObject): boolean {
  const spec = getObject(pod, "spec");
  switch (getString(scope, "scopeName")) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return podQosClass(spec) === "BestEffort";
    case "NotBestEffort":
      return podQosClass(spec) !== "BestEffort";
    case "CrossNamespacePodAffinity":
      return hasWideAffinity(spec);
    case "PriorityClass":
      return inClasses(getString(spec, "priorityClassName"), scope);
    default:
      return false;
  }
}

function inClasses(name: string, scope: JsonObject): boolean {
  const known = name !== "" && getArray(scope, "values").includes(name);
  switch (getString(scope, "operator")) {
    case "In":
      return known;
    case "NotIn":
      return !known;
    case "Exists":
      return name !== "";
    default:
      return name === "";
  }
}

function hasWideAffinity(spec: JsonObject): boolean {
  return ["podAffinity", "podAntiAffinity"].some((kind) => {
    const affinity = getObject(spec, "affinity", kind);
    const terms = [
      ...objects(affinity, "requiredDuringSchedulingIgnoredDuringExecution"),
      ...objects(affinity, "preferredDuringSchedulingIgnoredDuringExecution")
        .map((one) => getObject(one, "podAffinityTerm")),
    ];
    return terms.some((term) =>
      getArray(term, "namespaces").length > 0 || getOwn(term, "namespaceSelector") !== undefined
    );
  });
}

function isTerminating(pod: JsonObject): boolean {
  const seconds = getOwn(getObject(pod, "spec"), "activeDeadlineSeconds");
  return typeof seconds === "number" && seconds >= 0;
}

/** Returns the sum of two amounts. */
export function addAmounts(a: string, b: string): string {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left === undefined) return b;
  if (right === undefined) return a;
  const format = left.nano === 0n ? right.format : left.format;
  return formatQuantity({ nano: left.nano + right.nano, format });
}

/** Returns what `a` is more than `b`; zero if it is less. */
export function moreThan(a: string, b: string): string {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left === undefined || right === undefined) return a;
  const nano = left.nano - right.nano;
  return formatQuantity({ nano: nano > 0n ? nano : 0n, format: left.format });
}
