import {
  getArray,
  getObject,
  getOwn,
  getPath,
  isObject,
  type Json,
  type JsonObject,
  withPath,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";
import { withAppArmor } from "../pod_spec/mod.ts";
import type { Writer } from "../../record/mod.ts";
import { podQosClass } from "./pod_qos.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

/** The condition of a Pod with scheduling gates. */
const GATED: JsonObject = {
  type: "PodScheduled",
  status: "False",
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
};

/**
 * Returns a new Pod with its first status. Adds the `matchLabelKeys` and `mismatchLabelKeys` of its affinity and its
 * topology spread constraints to their label selectors.
 */
export function preparePod(pod: JsonObject, { warn }: Writer): JsonObject {
  const spec = getObject(pod, "spec");
  const now = getPath(pod, "metadata", "creationTimestamp") ?? null;
  const gated = getArray(spec, "schedulingGates").length > 0;
  const status = {
    phase: "Pending",
    ...(gated ? { conditions: [{ ...GATED, lastProbeTime: null, lastTransitionTime: now }] } : {}),
    qosClass: podQosClass(spec),
  };
  const labels = getObject(pod, "metadata", "labels");
  const withStatus = withAppArmor(withPath(pod, ["status"], status as JsonObject), warn);
  const spread = getOwn(spec, "topologySpreadConstraints");
  const constrained = Array.isArray(spread)
    ? withPath(withStatus, ["spec", "topologySpreadConstraints"], mergeAll(spread, labels))
    : withStatus;
  return ["podAffinity", "podAntiAffinity"].reduce((result, kind) => {
    const at = ["spec", "affinity", kind];
    const required = getPath(result, ...at, REQUIRED);
    const preferred = getPath(result, ...at, PREFERRED);
    const first = Array.isArray(required)
      ? withPath(result, [...at, REQUIRED], mergeAll(required, labels))
      : result;
    if (!Array.isArray(preferred)) return first;
    const terms = preferred.map((weighted) =>
      isObject(weighted) && isObject(weighted["podAffinityTerm"])
        ? { ...weighted, podAffinityTerm: mergeKeys(weighted["podAffinityTerm"], labels) }
        : weighted
    );
    return withPath(first, [...at, PREFERRED], terms);
  }, constrained);
}

function mergeAll(terms: readonly Json[], labels: JsonObject): Json[] {
  return terms.map((term) => isObject(term) ? mergeKeys(term, labels) : term);
}

/** Returns a term whose label selector also has an expression for each of its keys that the Pod has a label for. */
function mergeKeys(term: JsonObject, labels: JsonObject): JsonObject {
  const selector = getOwn(term, "labelSelector");
  if (!isObject(selector)) return term;
  const added = [["matchLabelKeys", "In"], ["mismatchLabelKeys", "NotIn"]].flatMap((
    [list, operator],
  ) =>
    getArray(term, list!).map(String).filter((key) => Object.hasOwn(labels, key))
      .map((key) => ({ key, operator: operator!, values: [labels[key]!] }))
  );
  if (added.length === 0) return term;
  const matchExpressions = [...objects(selector, "matchExpressions"), ...added];
  return { ...term, labelSelector: { ...selector, matchExpressions } };
}
