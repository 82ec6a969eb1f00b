import type { KubeObject } from "@kubeloop/controller/types";
import {
  forbidden,
  getObject,
  getOwn,
  getPath,
  getString,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import type { KindInfo } from "../../schema/mod.ts";

const PREEMPTION = "PreemptLowerPriority";
const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";

/** The values of the priority classes that every cluster has. An empty name means the default priority. */
const PRIORITIES: Readonly<Record<string, number>> = {
  "": 0,
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

/**
 * Applies the admission plugins that are on by default. A Pod gets tolerations for five minutes on a node that is not
 * ready or unreachable, and a priority. A new Node gets the not-ready taint. Call this after the managed fields are
 * updated, so that no field manager owns the added fields.
 *
 * @param old The object before an update; absent on a create.
 * @throws {ApiError} 403, if a new Pod has a priority class that does not exist, or a preemption policy other than
 * `PreemptLowerPriority`.
 */
export function admit(kind: KindInfo, object: KubeObject, old?: KubeObject): KubeObject {
  if (kind.group !== "") return object;
  const json = object as unknown as JsonObject;
  if (kind.kind === "Pod") {
    return admitPod(json, old as unknown as JsonObject) as unknown as KubeObject;
  }
  if (kind.kind === "Node" && old === undefined) return admitNode(json) as unknown as KubeObject;
  return object;
}

function admitPod(pod: JsonObject, old: JsonObject | undefined): JsonObject {
  const spec: JsonObject = { ...getObject(pod, "spec") };
  admitPriority(pod, spec, old);
  const tolerations = objects(spec, "tolerations");
  const added = [NOT_READY, UNREACHABLE].filter((key) =>
    !tolerations.some((one) => tolerates(one, key))
  );
  if (added.length > 0) {
    spec["tolerations"] = [
      ...tolerations,
      ...added.map((key) => ({
        key,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      })),
    ];
  }
  return { ...pod, spec };
}

function tolerates(toleration: JsonObject, key: string): boolean {
  const own = getString(toleration, "key");
  const effect = getString(toleration, "effect");
  return (own === key || own === "") && (effect === "NoExecute" || effect === "");
}

function admitPriority(pod: JsonObject, spec: JsonObject, old: JsonObject | undefined): void {
  if (old !== undefined) {
    for (const name of ["priority", "preemptionPolicy"]) {
      const before = getPath(old, "spec", name);
      if (getOwn(spec, name) === undefined && before !== undefined) spec[name] = before as Json;
    }
    return;
  }
  const name = getString(spec, "priorityClassName");
  if (!Object.hasOwn(PRIORITIES, name)) {
    throw forbidden(
      { group: "", plural: "pods" },
      nameOf(pod),
      `no PriorityClass with name ${name} was found`,
    );
  }
  spec["priority"] = PRIORITIES[name]!;
  const policy = getString(spec, "preemptionPolicy") || PREEMPTION;
  if (policy !== PREEMPTION) {
    throw forbidden(
      { group: "", plural: "pods" },
      nameOf(pod),
      `the string value of PreemptionPolicy (${policy}) must not be provided in pod spec; ` +
        `priority admission controller computed ${PREEMPTION} from the given PriorityClass name`,
    );
  }
  spec["preemptionPolicy"] = PREEMPTION;
}

/** Returns the name of an object as admission knows it: a name that the server is to generate does not exist yet. */
function nameOf(object: JsonObject): string {
  return getString(object, "metadata", "name") || getString(object, "metadata", "generateName") ||
    "Unknown";
}

function admitNode(node: JsonObject): JsonObject {
  const spec = getObject(node, "spec");
  const taints = objects(spec, "taints");
  if (taints.some((taint) => taint["key"] === NOT_READY && taint["effect"] === "NoSchedule")) {
    return node;
  }
  return {
    ...node,
    spec: { ...spec, taints: [...taints, { key: NOT_READY, effect: "NoSchedule" }] },
  };
}
