import {
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  type JsonObject,
} from "../../values/mod.ts";
import { nonNegative } from "./object_meta.ts";

/** Returns the validation errors of the status of a Deployment. */
export function validateDeploymentStatus(deployment: JsonObject): FieldError[] {
  const status = getObject(deployment, "status");
  return [
    ...["observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas"]
      .flatMap((name) => nonNegative(status, "status", name)),
    ...nonNegative(status, "status", "unavailableReplicas"),
    ...nonNegative(status, "status", "terminatingReplicas"),
    ...nonNegative(status, "status", "collisionCount"),
    ...atMost(status, "updatedReplicas", "replicas", "status.replicas"),
    ...atMost(status, "readyReplicas", "replicas", "status.replicas"),
    ...atMost(status, "availableReplicas", "replicas", "status.replicas"),
    ...atMost(status, "availableReplicas", "readyReplicas", "readyReplicas"),
  ];
}

/** Returns the validation errors of the status of a ReplicaSet. */
export function validateReplicaSetStatus(set: JsonObject): FieldError[] {
  const status = getObject(set, "status");
  return [
    ...["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"]
      .flatMap((name) => nonNegative(status, "status", name)),
    ...nonNegative(status, "status", "terminatingReplicas"),
    ...nonNegative(status, "status", "observedGeneration"),
    ...atMost(status, "fullyLabeledReplicas", "replicas", "status.replicas"),
    ...atMost(status, "readyReplicas", "replicas", "status.replicas"),
    ...atMost(status, "availableReplicas", "replicas", "status.replicas"),
    ...atMost(status, "availableReplicas", "readyReplicas", "readyReplicas"),
  ];
}

/** Returns the validation errors of the status of a Namespace: the phase must agree with `deletionTimestamp`. */
export function validateNamespaceStatus(namespace: JsonObject): FieldError[] {
  const phase = getString(namespace, "status", "phase");
  const [wanted, state] = getString(namespace, "metadata", "deletionTimestamp") === ""
    ? ["Active", "empty"]
    : ["Terminating", "not empty"];
  if (phase === wanted) return [];
  const why = `may only be '${wanted}' if \`deletionTimestamp\` is ${state}`;
  return [invalidValue("status.Phase", phase, why)];
}

function atMost(status: JsonObject, name: string, bound: string, shown: string): FieldError[] {
  const value = numberOf(status, name);
  if (value <= numberOf(status, bound)) return [];
  return [invalidValue(`status.${name}`, value, `cannot be greater than ${shown}`)];
}

function numberOf(status: JsonObject, name: string): number {
  const value = getOwn(status, name);
  return typeof value === "number" ? value : 0;
}
