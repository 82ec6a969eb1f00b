import { getObject, getOwn, getString, isObject, type JsonObject } from "../../../../values/mod.ts";
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
