import {
  getObject,
  getOwn,
  getPath,
  getString,
  type Json,
  type JsonObject,
  withPath,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";
import type { ClusterView, Confirmation } from "../../record/mod.ts";
import { admitLimits, confirmPodLimits } from "../limits/mod.ts";
import { confirmPodSecurity, isSignificantUpdate, refusedPod } from "../pod_security/mod.ts";
import { admitRuntimeClass, confirmOverhead } from "./runtime_class_admission.ts";

const CLASSES = "priorityclasses.scheduling.k8s.io";
const PREEMPTION = "PreemptLowerPriority";
const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";

/**
 * Returns a Pod with tolerations for five minutes on a node that is not ready or unreachable, and with its priority; a
 * new Pod with what LimitRanges and its RuntimeClass give it, too.
 *
 * @throws {ApiError} 403, if a new Pod has a class that does not exist, or contradicts it.
 */
export function admitPod(
  pod: JsonObject,
  old: JsonObject | undefined,
  cluster: ClusterView,
): JsonObject {
  if (old !== undefined) return prioritized(pod, old, cluster);
  return admitRuntimeClass(
    prioritized(admitLimits(placed(pod, cluster), cluster), old, cluster),
    cluster,
  );
}

/** Returns a new Pod that is bound already with the topology labels of its node. */
function placed(pod: JsonObject, cluster: ClusterView): JsonObject {
  const node = getString(pod, "spec", "nodeName");
  if (node === "") return pod;
  const labels = topologyLabels(cluster.get("nodes", "", node));
  if (Object.keys(labels).length === 0) return pod;
  const own = getObject(pod, "metadata", "labels");
  return withPath(pod, ["metadata", "labels"], { ...own, ...labels });
}

/**
 * Refuses a new or resized Pod that breaks a LimitRange or the Pod Security Standard of its namespace, and a new Pod
 * whose overhead differs from its RuntimeClass.
 *
 * @throws {ApiError} 403
 */
export function confirmPod(
  pod: JsonObject,
  old: JsonObject | undefined,
  confirmation: Confirmation,
): void {
  const { cluster, subresource } = confirmation;
  if (old === undefined || subresource === "resize") confirmPodLimits(pod, cluster);
  const counts = old === undefined || (subresource !== "status" && isSignificantUpdate(pod, old));
  if (counts) confirmPodSecurity(pod, confirmation);
  if (old === undefined) confirmOverhead(pod, cluster);
}

function prioritized(
  pod: JsonObject,
  old: JsonObject | undefined,
  cluster: ClusterView,
): JsonObject {
  const spec: JsonObject = { ...getObject(pod, "spec") };
  admitPriority(pod, spec, old, cluster);
  const tolerations = objects(spec, "tolerations");
  const added = [NOT_READY, UNREACHABLE]
    .filter((key) => !tolerations.some((one) => tolerates(one, key)))
    .map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 }));
  spec["tolerations"] = [...tolerations, ...added];
  return { ...pod, spec };
}

function tolerates(toleration: JsonObject, key: string): boolean {
  const own = getString(toleration, "key");
  const effect = getString(toleration, "effect");
  return (own === key || own === "") && (effect === "NoExecute" || effect === "");
}

function admitPriority(
  pod: JsonObject,
  spec: JsonObject,
  old: JsonObject | undefined,
  cluster: ClusterView,
): void {
  if (old !== undefined) {
    for (const name of ["priority", "preemptionPolicy"]) {
      const before = getPath(old, "spec", name);
      if (getOwn(spec, name) === undefined && before !== undefined) spec[name] = before as Json;
    }
    return;
  }
  const asked = getString(spec, "priorityClassName");
  const found = asked === "" ? defaultClass(cluster) : cluster.get(CLASSES, "", asked);
  if (asked !== "" && found === undefined) {
    throw refusedPod(pod, `no PriorityClass with name ${asked} was found`);
  }
  if (found !== undefined) spec["priorityClassName"] = getString(found, "metadata", "name");
  const priority = found === undefined ? 0 : getOwn(found, "value") ?? 0;
  const given = getOwn(spec, "priority");
  if (given !== undefined && given !== priority) {
    throw refusedPod(
      pod,
      `the integer value of priority (${given}) must not be provided in pod spec; ` +
        `priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  }
  spec["priority"] = priority;
  const wanted = getString(found, "preemptionPolicy") || PREEMPTION;
  const policy = getString(spec, "preemptionPolicy") || wanted;
  if (policy !== wanted) {
    throw refusedPod(
      pod,
      `the string value of PreemptionPolicy (${policy}) must not be provided in pod spec; ` +
        `priority admission controller computed ${wanted} from the given PriorityClass name`,
    );
  }
  spec["preemptionPolicy"] = wanted;
}

/** Returns the default PriorityClass: of several, the class with the lowest value. */
function defaultClass(cluster: ClusterView): JsonObject | undefined {
  const classes = cluster.list(CLASSES, "").filter((one) => getOwn(one, "globalDefault") === true);
  const value = (one: JsonObject) => Number(getOwn(one, "value") ?? 0);
  return classes.sort((a, b) => value(a) - value(b))[0];
}

/** Returns the name of an object as admission knows it: a name that the server is to generate does not exist yet. */

const COPIED = ["topology.kubernetes.io/region", "topology.kubernetes.io/zone"];

/** Returns the topology labels that a Pod copies from its node. */
export function topologyLabels(node: JsonObject | undefined): JsonObject {
  const labels = getObject(node, "metadata", "labels");
  return Object.fromEntries(
    COPIED.filter((name) => getOwn(labels, name) !== undefined).map((name) => [
      name,
      labels[name]!,
    ]),
  );
}
