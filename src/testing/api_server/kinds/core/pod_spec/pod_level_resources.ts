import {
  compareQuantities,
  getObject,
  getOwn,
  getString,
  isObject,
  type JsonObject,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";
import { containerTotals } from "./pod_totals.ts";

/** The resources that a Pod can request as a whole. */
const OF_PODS = /^(?:cpu|memory|hugepages-.*)$/;

/**
 * Sets the requests of a Pod as a whole, if it has limits: the sum of the requests of its containers, or else the
 * limits. Sets its limits of huge pages to the sum of its containers.
 */
export function defaultPodResources(spec: JsonObject): void {
  const resources = getOwn(spec, "resources");
  if (!isObject(resources)) return;
  const limits = pagesOf(spec, resources);
  if (Object.keys(limits).length === 0) return;
  resources["limits"] = limits;
  const defaults = { ...limits, ...containerTotals(spec, "requests") };
  const requests = { ...onlyOfPods(defaults), ...getObject(resources, "requests") };
  if (Object.keys(requests).length > 0) resources["requests"] = requests;
}

/**
 * Returns a spec with the defaults of the resources of a Pod as a whole since Kubernetes 1.37: the requests and the huge
 * pages of earlier releases, whether the Pod has limits or only requests, and limits for what all containers limit. A
 * limit is the sum of the containers or the request of the Pod, whichever is more.
 */
export function withPodResources(spec: JsonObject): JsonObject {
  const resources = getObject(spec, "resources");
  const given = ["requests", "limits"].some((list) => isFilled(resources, list));
  if (!given) return spec;
  const pages = pagesOf(spec, resources);
  const defaults = { ...pages, ...containerTotals(spec, "requests") };
  const requests = { ...onlyOfPods(defaults), ...getObject(resources, "requests") };
  const containers = [...objects(spec, "containers"), ...objects(spec, "initContainers")];
  const totals = containerTotals(spec, "limits");
  const limited = Object.keys(requests).filter((name) =>
    OF_PODS.test(name) && getOwn(pages, name) === undefined &&
    containers.every((one) => getOwn(getObject(one, "resources", "limits"), name) !== undefined)
  );
  const added = limited.map((name) => {
    const [request, total] = [getString(requests, name), totals[name]!];
    return [name, compareQuantities(request, total)! > 0 ? request : total];
  });
  const limits = { ...pages, ...Object.fromEntries(added) };
  return {
    ...spec,
    resources: {
      ...resources,
      ...(Object.keys(requests).length > 0 ? { requests } : {}),
      ...(Object.keys(limits).length > 0 ? { limits } : {}),
    },
  };
}

function isFilled(resources: JsonObject, list: string): boolean {
  return Object.keys(getObject(resources, list)).length > 0;
}

/** Returns the limits of a Pod, with the huge pages of its containers that it neither limits nor requests itself. */
function pagesOf(spec: JsonObject, resources: JsonObject): JsonObject {
  const totals = containerTotals(spec, "limits");
  const requested = getObject(resources, "requests");
  const pages = Object.keys(totals).filter((name) =>
    name.startsWith("hugepages-") && getOwn(requested, name) === undefined
  );
  return {
    ...Object.fromEntries(pages.map((name) => [name, totals[name]!])),
    ...getObject(resources, "limits"),
  };
}

function onlyOfPods(amounts: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(amounts).filter((name) => OF_PODS.test(name))
      .map((name) => [name, getString(amounts, name)]),
  );
}
