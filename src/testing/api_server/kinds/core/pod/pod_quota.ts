import {
  getArray,
  getObject,
  getOwn,
  getString,
  isNumber,
  type JsonObject,
} from "../../../../values/mod.ts";
import { isNativeResource, largerAmount, objects, type Usage } from "../../shared/mod.ts";
import { podTotals } from "../pod_spec/mod.ts";
import { podQosClass } from "./pod_qos.ts";
import { countOf, type QuotaRules, selectsClass } from "../../record/mod.ts";

const COUNT = countOf("pods");

/** The resources without a domain that quotas limit as requests and as limits. */
const COMPUTE = ["cpu", "memory", "ephemeral-storage"];

/** Quota resource names for Pod usage, except huge pages and devices. */
const NAMES = /^(?:pods|(?:(?:requests|limits)\.)?(?:cpu|memory|ephemeral-storage))$/;

/** The resources that each container must request if a quota limits them. */
const REQUIRED = /^(?:(?:requests|limits)\.)?(?:cpu|memory)$/;

/** The prefix of extended resources for devices of a class. */
const DEVICE_CLASS = "deviceclass.resource.kubernetes.io/";

/** The quota rules of Pods: their number and their resources, until they have ended. */
export const POD_QUOTA: QuotaRules = {
  counts: (name) =>
    name === COUNT || NAMES.test(name) || /^(?:requests\.)?hugepages-/.test(name) ||
    (name.startsWith("requests.") && isDevice(name, `requests.${DEVICE_CLASS}`)),
  usage: (pod, nowMs) => {
    const count = { [COUNT]: "1" };
    if (hasEnded(pod, nowMs)) return count;
    const spec = heldSpec(pod);
    return { ...count, ...named(podTotals(spec, "requests"), podTotals(spec, "limits")) };
  },
  grows: (next, old, subresource) =>
    subresource === "resize" || (subresource === "" && isTerminating(next) !== isTerminating(old)),
  inScope,
  missing,
};

/** Reports whether a Pod has come to its end, or should be gone, as when its node is lost. */
function hasEnded(pod: JsonObject, nowMs: number): boolean {
  const phase = getString(pod, "status", "phase");
  if (phase === "Succeeded" || phase === "Failed") return true;
  const metadata = getObject(pod, "metadata");
  const graceSeconds = getOwn(metadata, "deletionGracePeriodSeconds");
  const endMs = Date.parse(getString(metadata, "deletionTimestamp"));
  // The time of deletion includes the grace period. The real server adds it again.
  return isNumber(graceSeconds) && nowMs > endMs + 1000 * Number(graceSeconds);
}

/** Returns the spec of a Pod with the larger of requested and actual resources during a resize. */
function heldSpec(pod: JsonObject): JsonObject {
  const spec = getObject(pod, "spec");
  const statuses = new Map(
    ["containerStatuses", "initContainerStatuses"].flatMap((list) => objects(pod, "status", list))
      .filter((status) => getOwn(status, "resources") !== undefined)
      .map((status) => [getString(status, "name"), status]),
  );
  if (statuses.size === 0) return spec;
  const pending = objects(pod, "status", "conditions")
    .find((condition) => getString(condition, "type") === "PodResizePending");
  const isInfeasible = getString(pending, "reason") === "Infeasible";
  const held = (container: JsonObject): JsonObject => {
    const status = statuses.get(getString(container, "name"));
    if (status === undefined) return container;
    const of = (list: string, ...more: JsonObject[]) =>
      largest([
        ...(isInfeasible ? [] : [getObject(container, "resources", list)]),
        getObject(status, "resources", list),
        ...more,
      ]);
    const requests = of("requests", getObject(status, "allocatedResources"));
    return { ...container, resources: { requests, limits: of("limits") } };
  };
  return {
    ...spec,
    containers: objects(spec, "containers").map(held),
    initContainers: objects(spec, "initContainers").map((container) =>
      getString(container, "restartPolicy") === "Always" ? held(container) : container
    ),
  };
}

/** Returns the largest amount of each resource. */
function largest(all: readonly JsonObject[]): JsonObject {
  const result: Record<string, string> = {};
  for (const amounts of all) {
    for (const name of Object.keys(amounts)) {
      const amount = getString(amounts, name);
      result[name] = largerAmount(result[name] ?? amount, amount);
    }
  }
  return result;
}

/** Returns requests and limits under the names that quotas have for them. */
function named(requests: Usage, limits: Usage): Usage {
  const usage: Record<string, string> = { pods: "1" };
  for (const [name, amount] of Object.entries(requests)) {
    if (name.startsWith("hugepages-") || COMPUTE.includes(name)) usage[name] = amount;
    else if (!isDevice(name, DEVICE_CLASS)) continue;
    usage[`requests.${name}`] = amount;
  }
  for (const name of COMPUTE) {
    const amount = limits[name];
    if (amount !== undefined) usage[`limits.${name}`] = amount;
  }
  return usage;
}

function isDevice(name: string, deviceClass: string): boolean {
  return !isNativeResource(name) || name.startsWith(deviceClass);
}

function missing(pod: JsonObject, limited: readonly string[]): string {
  const spec = getObject(pod, "spec");
  if (saysItself(spec)) return "";
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

/** Reports whether a Pod has resources as a whole. */
function saysItself(spec: JsonObject): boolean {
  return ["requests", "limits"].some((list) =>
    Object.keys(getObject(spec, "resources", list)).length > 0
  );
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
    case "PriorityClass": {
      const name = getString(spec, "priorityClassName");
      return selectsClass(scope, name === "" ? [] : [name]);
    }
    default:
      return false;
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

/** Reports whether the scope `Terminating` includes a Pod: whether it has a deadline. */
function isTerminating(pod: JsonObject): boolean {
  const seconds = getOwn(getObject(pod, "spec"), "activeDeadlineSeconds");
  return isNumber(seconds) && seconds >= 0;
}
