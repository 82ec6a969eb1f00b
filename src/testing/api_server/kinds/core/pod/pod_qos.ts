import { parseQuantity } from "@kubeloop/controller/internal/base";
import {
  compareQuantities,
  getOwn,
  getString,
  isObject,
  type JsonObject,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";

/** Returns the quality of service class of a Pod, given the requests and limits of its own or of its containers. */
export function podQosClass(spec: JsonObject): "Guaranteed" | "Burstable" | "BestEffort" {
  // Resources of the Pod as a whole take the place of the resources of its containers.
  const all = isObject(getOwn(spec, "resources"))
    ? [spec]
    : [...objects(spec, "containers"), ...objects(spec, "initContainers")];
  let asksForAny = false;
  let guaranteed = all.length > 0;
  for (const { resources } of all) {
    for (const name of ["cpu", "memory"]) {
      const limit = getString(resources, "limits", name);
      const request = getString(resources, "requests", name);
      if (isPositive(limit) || isPositive(request)) asksForAny = true;
      if (!isPositive(limit) || compareQuantities(limit, request || limit) !== 0) {
        guaranteed = false;
      }
    }
  }
  if (!asksForAny) return "BestEffort";
  return guaranteed ? "Guaranteed" : "Burstable";
}

function isPositive(text: string): boolean {
  const parsed = parseQuantity(text);
  return parsed !== undefined && parsed.nano > 0n;
}
