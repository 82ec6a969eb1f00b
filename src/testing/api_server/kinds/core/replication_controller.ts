import {
  type FieldError,
  getObject,
  getOwn,
  invalidValue,
  isObject,
  type JsonObject,
  required,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import {
  defaultPodSpec,
  shownLabels,
  UNSELECTED,
  validatePodTemplate,
  validateRestarts,
  workloadWarnings,
} from "./pod_spec/mod.ts";
import {
  AGE,
  column,
  containerCells,
  fill,
  getNumber,
  labelsText,
  matchesSelector,
  NAME,
  named,
  nonNegative,
  replicaStatusErrors,
  selectorText,
} from "../shared/mod.ts";
import { defineKind, type KindRecord, objectCount, SCALE, STATUS } from "../record/mod.ts";
import { warnOfPodSecurity } from "./pod_security/mod.ts";

/** ReplicationControllers. */
export const REPLICATION_CONTROLLER: KindRecord = defineKind(
  "v1",
  "replicationcontrollers",
  "ReplicationController",
  {
    quota: objectCount("replicationcontrollers", "replicationcontrollers"),
    storagePath: "controllers",
    shortNames: ["rc"],
    categories: ["all"],
    subresources: [SCALE, STATUS],
    counts: [["spec"]],
    defaults: defaultController,
    warnings: workloadWarnings,
    confirm: (object, _, confirmation) =>
      warnOfPodSecurity(getObject(object, "spec", "template"), confirmation),
    names: "subdomain",
    validate: validateController,
    validateChange: (next, _, release) => validateController(next, release),
    validateStatus: replicaStatusErrors,
    validatesAgain: false,
    fields: {
      "status.replicas": (one) =>
        String(getNumber(one as unknown as JsonObject, "status", "replicas")),
    },
    deletion: { orphansByDefault: "" },
    scale: {
      spec: ["spec", "replicas"],
      status: ["status", "replicas"],
      selector: (one) => selectorText({ matchLabels: getObject(one, "spec", "selector") }),
    },
    table: {
      columns: [
        NAME,
        column(
          "Desired",
          "Replicas is the number of desired replicas. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller#what-is-a-replicationcontroller",
          0,
          "integer",
        ),
        column(
          "Current",
          "Replicas is the most recently observed number of replicas. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller#what-is-a-replicationcontroller",
          0,
          "integer",
        ),
        column(
          "Ready",
          "The number of ready replicas for this replication controller.",
          0,
          "integer",
        ),
        AGE,
        column("Containers", "Names of each container in the template.", 1),
        column("Images", "Images referenced by each container in the template.", 1),
        column(
          "Selector",
          "Selector is a label query over pods that should match the Replicas count. If Selector is empty, it is defaulted to the labels present on the Pod template. Label keys and values that must match in order to be controlled by this replication controller, if empty defaulted to labels on Pod template. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
          1,
        ),
      ],
      row: named((one) => [
        getNumber(one, "spec", "replicas"),
        getNumber(one, "status", "replicas"),
        getNumber(one, "status", "readyReplicas"),
      ], (one) => [...containerCells(one), labelsText(getObject(one, "spec", "selector"))]),
    },
  },
);

function defaultController(controller: JsonObject): void {
  const spec = getObject(controller, "spec");
  fill(spec, "replicas", 1);
  const template = getOwn(spec, "template");
  if (!isObject(template)) return;
  const labels = getObject(template, "metadata", "labels");
  if (Object.keys(labels).length > 0) {
    const metadata = getObject(controller, "metadata");
    if (Object.keys(getObject(spec, "selector")).length === 0) spec["selector"] = { ...labels };
    if (Object.keys(getObject(metadata, "labels")).length === 0) metadata["labels"] = { ...labels };
  }
  defaultPodSpec(getObject(template, "spec"));
}

function validateController(controller: JsonObject, release: Release): FieldError[] {
  const spec = getObject(controller, "spec");
  const errors = nonNegative(spec, "spec", "minReadySeconds");
  const selector = getObject(spec, "selector");
  if (Object.keys(selector).length === 0) errors.push(required("spec.selector"));
  errors.push(...nonNegative(spec, "spec", "replicas"));
  const template = getOwn(spec, "template");
  if (!isObject(template)) return [...errors, required("spec.template")];
  const labels = getObject(template, "metadata", "labels");
  if (Object.keys(selector).length > 0 && !matchesSelector({ matchLabels: selector }, labels)) {
    errors.push(invalidValue("spec.template.metadata.labels", shownLabels(spec), UNSELECTED));
  }
  return [
    ...errors,
    ...validatePodTemplate(template, "spec.template", release),
    ...validateRestarts(template, "spec.template", "ReplicationController"),
  ];
}
