import {
  type FieldError,
  getObject,
  getOwn,
  invalidValue,
  type JsonObject,
} from "../../../values/mod.ts";
import { nonNegative } from "./object_meta.ts";

/** Returns an error if a number of a status is greater than another. `shown` is how the error calls the other. */
export function atMost(
  status: JsonObject,
  name: string,
  bound: string,
  shown: string,
): FieldError[] {
  const value = numberOf(status, name);
  if (value <= numberOf(status, bound)) return [];
  return [invalidValue(`status.${name}`, value, `cannot be greater than ${shown}`)];
}

function numberOf(status: JsonObject, name: string): number {
  const value = getOwn(status, name);
  return typeof value === "number" ? value : 0;
}

/** Returns an error if the collision count of a status has become smaller. */
export function notDecremented(next: JsonObject, old: JsonObject): FieldError[] {
  const before = getOwn(getObject(old, "status"), "collisionCount");
  const count = getOwn(getObject(next, "status"), "collisionCount");
  if (typeof before !== "number" || (typeof count === "number" && count >= before)) return [];
  return [invalidValue("status.collisionCount", count ?? 0, "cannot be decremented")];
}

/** Returns the errors of the status of a ReplicaSet or ReplicationController. */
export function replicaStatusErrors(set: JsonObject): FieldError[] {
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
