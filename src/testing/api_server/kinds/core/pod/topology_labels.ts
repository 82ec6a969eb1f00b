import { getObject, getOwn, type JsonObject } from "../../../../values/mod.ts";

const COPIED = ["topology.kubernetes.io/region", "topology.kubernetes.io/zone"];

/** Returns the labels that a Pod gets from its node: where the node is. */
export function topologyLabels(node: JsonObject | undefined): JsonObject {
  const labels = getObject(node, "metadata", "labels");
  return Object.fromEntries(
    COPIED.filter((name) => getOwn(labels, name) !== undefined).map((name) => [
      name,
      labels[name]!,
    ]),
  );
}
