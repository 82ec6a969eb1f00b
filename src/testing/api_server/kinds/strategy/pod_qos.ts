import { parseQuantity } from "@kubeloop/controller/base";
import { objects } from "../defaults/pod_defaults.ts";
import { compareQuantities, getString, type JsonObject } from "../../values/mod.ts";

/** Returns the quality of service class of a Pod, given the requests and limits of its containers. */
export function podQosClass(spec: JsonObject): "Guaranteed" | "Burstable" | "BestEffort" {
  const containers = [...objects(spec, "containers"), ...objects(spec, "initContainers")];
  let asksForAny = false;
  let guaranteed = containers.length > 0;
  for (const container of containers) {
    for (const name of ["cpu", "memory"]) {
      const limit = getString(container, "resources", "limits", name);
      const request = getString(container, "resources", "requests", name);
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
