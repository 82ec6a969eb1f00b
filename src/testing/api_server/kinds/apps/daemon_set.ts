import {
  child,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  jsonEqual,
  type JsonObject,
  notSupported,
  required,
  withPath,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import {
  defaultPodSpec,
  shownLabels,
  templateWarnings,
  UNSELECTED,
  validatePodTemplate,
  validateRestarts,
} from "../core/pod_spec/mod.ts";
import {
  AGE,
  amountOf,
  atMost100Percent,
  column,
  fill,
  fillPointer,
  getNumber,
  immutable,
  intOrPercent,
  isEmptySelector,
  labelsText,
  matchesSelector,
  NAME,
  named,
  nonNegative,
  notDecremented,
  since,
  templateCells,
  validateLabelSelector,
} from "../shared/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { warnOfPodSecurity } from "../core/pod_security/mod.ts";

const GENERATION = "deprecated.daemonset.template.generation";

/** DaemonSets. */
export const DAEMON_SET: KindRecord = defineKind("apps/v1", "daemonsets", "DaemonSet", {
  shortNames: ["ds"],
  categories: ["all"],
  subresources: [STATUS],
  fieldAnnotations: [GENERATION],
  counts: [["spec"]],
  inBookmark: (set) => withTemplateGeneration(set, 0),
  defaults: defaultDaemonSet,
  prepareCreate: (set) => withTemplateGeneration(set, Math.max(1, templateGeneration(set))),
  prepareUpdate,
  prepareStatus: (next, old) => withTemplateGeneration(next, templateGeneration(old)),
  warnings: (set, old) =>
    old === undefined || templateGeneration(set) !== templateGeneration(old)
      ? templateWarnings(getObject(set, "spec", "template"), "spec.template.")
      : [],
  confirm: (object, _, confirmation) =>
    warnOfPodSecurity(getObject(object, "spec", "template"), confirmation),
  names: "subdomain",
  validatesAgain: false,
  validate: validateDaemonSet,
  validateChange: (next, old, release) => [
    ...immutable(next, old, "spec", "selector"),
    ...validateDaemonSet(next, release),
  ],
  validateStatus,
  table: {
    columns: [
      NAME,
      column(
        "Desired",
        "The total number of nodes that should be running the daemon pod (including nodes correctly running the daemon pod). More info: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/",
        0,
        "integer",
      ),
      column(
        "Current",
        "The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon pod. More info: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/",
        0,
        "integer",
      ),
      since(
        column(
          "Ready",
          "The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and ready.",
          0,
          "integer",
        ),
        "1.36",
        "numberReady is the number of nodes that should be running the daemon pod and have one or more of the daemon pod running with a Ready Condition.",
      ),
      column(
        "Up-to-date",
        "The total number of nodes that are running updated daemon pod",
        0,
        "integer",
      ),
      column(
        "Available",
        "The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and available (ready for at least spec.minReadySeconds)",
        0,
        "integer",
      ),
      column(
        "Node Selector",
        "NodeSelector is a selector which must be true for the pod to fit on a node. Selector which must match a node's labels for the pod to be scheduled on that node. More info: https://kubernetes.io/docs/concepts/configuration/assign-pod-node/",
      ),
      AGE,
      column("Containers", "Names of each container in the template.", 1),
      column("Images", "Images referenced by each container in the template.", 1),
      since(
        column(
          "Selector",
          "A label query over pods that are managed by the daemon set. Must match in order to be controlled. If empty, defaulted to labels on Pod template. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
          1,
        ),
        "1.36",
        "A label query over pods that are managed by the daemon set. Must match in order to be controlled. It must match the pod template's labels. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
      ),
    ],
    row: named((set) => [
      getNumber(set, "status", "desiredNumberScheduled"),
      getNumber(set, "status", "currentNumberScheduled"),
      getNumber(set, "status", "numberReady"),
      getNumber(set, "status", "updatedNumberScheduled"),
      getNumber(set, "status", "numberAvailable"),
      labelsText(getObject(set, "spec", "template", "spec", "nodeSelector")),
    ], templateCells),
  },
});

/** The annotation that counts the changes of the template. */
function withTemplateGeneration(set: JsonObject, generation: number): JsonObject {
  const annotations = {
    ...getObject(set, "metadata", "annotations"),
    [GENERATION]: String(generation),
  };
  return withPath(set, ["metadata", "annotations"], annotations);
}

function templateGeneration(set: JsonObject): number {
  return Number(getString(getObject(set, "metadata", "annotations"), GENERATION)) || 0;
}

function prepareUpdate(next: JsonObject, old: JsonObject): JsonObject {
  const same = jsonEqual(getObject(next, "spec", "template"), getObject(old, "spec", "template"));
  return withTemplateGeneration(next, templateGeneration(old) + (same ? 0 : 1));
}

function defaultDaemonSet(set: JsonObject): void {
  const metadata = getObject(set, "metadata");
  const generation = String(templateGeneration(set));
  metadata["annotations"] = { ...getObject(metadata, "annotations"), [GENERATION]: generation };
  const spec = getObject(set, "spec");
  const strategy = getObject(spec, "updateStrategy");
  fill(strategy, "type", "RollingUpdate");
  if (strategy["type"] === "RollingUpdate") {
    const rolling = { ...getObject(strategy, "rollingUpdate") };
    fillPointer(rolling, "maxUnavailable", 1);
    fillPointer(rolling, "maxSurge", 0);
    strategy["rollingUpdate"] = rolling;
  }
  fill(spec, "revisionHistoryLimit", 10);
  defaultPodSpec(getObject(spec, "template", "spec"));
}

function validateDaemonSet(set: JsonObject, release: Release): FieldError[] {
  const spec = getObject(set, "spec");
  const template = getObject(spec, "template");
  const selector = getOwn(spec, "selector");
  const errors = isObject(selector) ? validateLabelSelector(selector, "spec.selector") : [];
  const labels = getObject(template, "metadata", "labels");
  if (errors.length === 0 && (!isObject(selector) || !matchesSelector(selector, labels))) {
    errors.push(invalidValue("spec.template.metadata.labels", shownLabels(spec), UNSELECTED));
  }
  if (isObject(selector) && isEmptySelector(selector)) {
    const text = "empty selector is invalid for daemonset";
    errors.push(invalidValue("spec.selector", selector, text));
  }
  return [
    ...errors,
    ...validatePodTemplate(template, "spec.template", release),
    ...validateRestarts(template, "spec.template", "DaemonSet"),
    ...nonNegative(spec, "spec", "minReadySeconds"),
    ...validateStrategy(getObject(spec, "updateStrategy")),
    ...nonNegative(spec, "spec", "revisionHistoryLimit"),
  ];
}

function validateStrategy(strategy: JsonObject): FieldError[] {
  const field = "spec.updateStrategy";
  const type = getString(strategy, "type");
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") {
    return [notSupported(field, strategy, ["RollingUpdate", "OnDelete"])];
  }
  const rolling = getObject(strategy, "rollingUpdate");
  const unavailable = getOwn(rolling, "maxUnavailable");
  const surge = getOwn(rolling, "maxSurge");
  const [down, up] = ["maxUnavailable", "maxSurge"].map((name) =>
    child(child(field, "rollingUpdate"), name)
  ) as [string, string];
  const errors = [
    ...intOrPercent(unavailable, down),
    ...intOrPercent(surge, up),
    ...atMost100Percent(unavailable, down),
    ...atMost100Percent(surge, up),
  ];
  const [goes, comes] = [amountOf(unavailable) !== 0, amountOf(surge) !== 0];
  if (goes && comes) {
    errors.push(invalidValue(up, surge, "may not be set when maxUnavailable is non-zero"));
  }
  if (!goes && !comes) errors.push(required(down, "cannot be 0 when maxSurge is 0"));
  return errors;
}

function validateStatus(next: JsonObject, old: JsonObject): FieldError[] {
  const counts = [
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
  ];
  return [
    ...nonNegative(getObject(next, "status"), "status", ...counts),
    ...notDecremented(next, old),
  ];
}
