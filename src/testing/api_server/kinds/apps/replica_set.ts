import { type FieldError, getObject, type JsonObject, withPath } from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { defaultPodSpec, validateTemplate, workloadWarnings } from "../core/pod_spec/mod.ts";
import {
  AGE,
  column,
  fill,
  getNumber,
  immutable,
  NAME,
  named,
  nonNegative,
  replicaStatusErrors,
  selectorText,
  since,
  templateCells,
} from "../shared/mod.ts";
import { defineKind, type KindRecord, SCALE, STATUS } from "../record/mod.ts";
import { warnOfPodSecurity } from "../core/pod_security/mod.ts";

/** ReplicaSets. */
export const REPLICA_SET: KindRecord = defineKind("apps/v1", "replicasets", "ReplicaSet", {
  shortNames: ["rs"],
  categories: ["all"],
  subresources: [SCALE, STATUS],
  counts: [["spec"]],
  inBookmark: (object) => withPath(object, ["spec", "replicas"], 0),
  defaults: defaultReplicaSet,
  warnings: workloadWarnings,
  confirm: (object, _, confirmation) =>
    warnOfPodSecurity(getObject(object, "spec", "template"), confirmation),
  names: "subdomain",
  validatesAgain: false,
  validate: validateReplicaSet,
  validateChange: (next, old, release) => [
    ...validateReplicaSet(next, release),
    ...immutable(next, old, "spec", "selector"),
  ],
  validateStatus: replicaStatusErrors,
  scale: {
    spec: ["spec", "replicas"],
    status: ["status", "replicas"],
    selector: (one) => selectorText(getObject(one, "spec", "selector")),
  },
  table: {
    columns: [
      NAME,
      column(
        "Desired",
        "Replicas is the number of desired pods. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset",
        0,
        "integer",
      ),
      column(
        "Current",
        "Replicas is the most recently observed number of non-terminating pods. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset",
        0,
        "integer",
      ),
      column(
        "Ready",
        "The number of non-terminating pods targeted by this ReplicaSet with a Ready Condition.",
        0,
        "integer",
      ),
      AGE,
      column("Containers", "Names of each container in the template.", 1),
      column("Images", "Images referenced by each container in the template.", 1),
      since(
        column(
          "Selector",
          "Selector is a label query over pods that should match the replica count. If the selector is empty, it is defaulted to the labels present on the pod template. Label keys and values that must match in order to be controlled by this replica set. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
          1,
        ),
        "1.36",
        "Selector is a label query over pods that should match the replica count. Label keys and values that must match in order to be controlled by this replica set. It must match the pod template's labels. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
      ),
    ],
    row: named((one) => [
      getNumber(one, "spec", "replicas"),
      getNumber(one, "status", "replicas"),
      getNumber(one, "status", "readyReplicas"),
    ], templateCells),
  },
});

function defaultReplicaSet(set: JsonObject): void {
  fill(getObject(set, "spec"), "replicas", 1);
  defaultPodSpec(getObject(set, "spec", "template", "spec"));
}

/** Returns the validation errors of a ReplicaSet apart from its metadata. */
function validateReplicaSet(set: JsonObject, release: Release): FieldError[] {
  const spec = getObject(set, "spec");
  return [
    ...nonNegative(spec, "spec", "replicas", "minReadySeconds"),
    ...validateTemplate(spec, release),
  ];
}
