import {
  compareQuantities,
  getObject,
  getOwn,
  getString,
  givenOf,
  jsonEqual,
  type JsonObject,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";
import type { ClusterView } from "../../record/mod.ts";
import { refusedPod } from "../pod_security/mod.ts";

const CLASSES = "runtimeclasses.node.k8s.io";

/**
 * Applies the overhead, node selector and tolerations of its RuntimeClass to a new Pod.
 *
 * @throws {ApiError} 403, if there is no such class, or the Pod contradicts it.
 */
export function admitRuntimeClass(pod: JsonObject, cluster: ClusterView): JsonObject {
  const found = runtimeClassOf(pod, cluster);
  if (found === undefined) return pod;
  const spec: JsonObject = { ...getObject(pod, "spec") };
  const overhead = getOwn(found, "overhead");
  if (overhead !== undefined) {
    const own = getObject(spec, "overhead");
    const fixed = getObject(overhead, "podFixed");
    if (Object.keys(own).length > 0 && !sameAmounts(own, fixed)) throw mismatch(pod);
    spec["overhead"] = fixed;
  }
  const scheduling = getOwn(found, "scheduling");
  if (scheduling !== undefined) {
    const selector = { ...getObject(spec, "nodeSelector") };
    const wanted = getObject(scheduling, "nodeSelector");
    for (const key of Object.keys(wanted).sort()) {
      const value = getString(wanted, key);
      const own = getOwn(selector, key);
      if (own !== undefined && own !== value) {
        throw refusedPod(
          pod,
          `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; ` +
            `pod.spec.nodeSelector[${key}] = ${own}`,
        );
      }
      selector[key] = value;
    }
    if (Object.keys(selector).length > 0) spec["nodeSelector"] = selector;
    spec["tolerations"] = mergeTolerations(
      objects(spec, "tolerations"),
      objects(scheduling, "tolerations"),
    );
  }
  return { ...pod, spec };
}

/**
 * Refuses a new Pod whose overhead is not that of its RuntimeClass.
 *
 * @throws {ApiError} 403
 */
export function confirmOverhead(pod: JsonObject, cluster: ClusterView): void {
  const found = runtimeClassOf(pod, cluster);
  const own = givenOf(getObject(pod, "spec"), "overhead");
  const overhead = found === undefined ? undefined : getOwn(found, "overhead");
  if (overhead !== undefined) {
    if (!sameAmounts(getObject(own), getObject(overhead, "podFixed"))) throw mismatch(pod);
  } else if (own !== null) {
    throw refusedPod(
      pod,
      "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
    );
  }
}

function runtimeClassOf(pod: JsonObject, cluster: ClusterView): JsonObject | undefined {
  const name = getOwn(getObject(pod, "spec"), "runtimeClassName");
  if (typeof name !== "string") return undefined;
  const found = cluster.get(CLASSES, "", name);
  if (found === undefined) {
    throw refusedPod(pod, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  }
  return found;
}

function mismatch(pod: JsonObject): Error {
  return refusedPod(
    pod,
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  );
}

function sameAmounts(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => compareQuantities(getString(a, name), getString(b, name)) === 0);
}

/** Merges two lists of tolerations. Drops each toleration that another one includes. */
export function mergeTolerations(
  first: readonly JsonObject[],
  second: readonly JsonObject[],
): JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  for (const [index, one] of all.entries()) {
    if (merged.some((other) => includes(other, one))) continue;
    // Of two that are equal, the first one stays.
    const later = all.slice(index + 1);
    if (later.some((other) => !jsonEqual(other, one) && includes(other, one))) continue;
    merged.push(one);
  }
  return merged;
}

/** Reports whether `wide` tolerates all taints that `one` tolerates. */
function includes(wide: JsonObject, one: JsonObject): boolean {
  if (jsonEqual(wide, one)) return true;
  const text = (toleration: JsonObject, field: string) => getString(toleration, field);
  const all = text(wide, "operator") === "Exists";
  if (text(one, "key") !== text(wide, "key") && (text(wide, "key") !== "" || !all)) return false;
  if (text(one, "effect") !== text(wide, "effect") && text(wide, "effect") !== "") return false;
  const seconds = getOwn(wide, "tolerationSeconds");
  if (text(wide, "effect") === "NoExecute" && seconds !== undefined) {
    const own = getOwn(one, "tolerationSeconds");
    if (own === undefined || Number(own) > Number(seconds)) return false;
  }
  if (all) return true;
  return text(one, "operator") !== "Exists" && text(one, "value") === text(wide, "value");
}
