import {
  child,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  type JsonObject,
  notSupported,
  withPath,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { defaultPodSpec, validateTemplate, workloadWarnings } from "../core/pod_spec/mod.ts";
import {
  AGE,
  amountOf,
  atMost,
  atMost100Percent,
  column,
  containerCells,
  fill,
  fillPointer,
  getNumber,
  immutable,
  intOrPercent,
  NAME,
  named,
  nonNegative,
  notDecremented,
  selectorText,
  since,
} from "../shared/mod.ts";
import { defineKind, type KindRecord, SCALE, STATUS } from "../record/mod.ts";
import { warnOfPodSecurity } from "../core/pod_security/mod.ts";

/** Deployments. */
export const DEPLOYMENT: KindRecord = defineKind("apps/v1", "deployments", "Deployment", {
  shortNames: ["deploy"],
  categories: ["all"],
  subresources: [SCALE, STATUS],
  // The Deployment controller copies annotations to the ReplicaSets, so a change of annotations counts too.
  counts: [["spec"], ["metadata", "annotations"]],
  inBookmark: (object) => withPath(object, ["spec", "replicas"], 0),
  statusKeeps: ["labels"],
  defaults: defaultDeployment,
  warnings: workloadWarnings,
  confirm: (object, _, confirmation) =>
    warnOfPodSecurity(getObject(object, "spec", "template"), confirmation),
  names: "subdomain",
  validatesAgain: false,
  validate: validateDeployment,
  validateChange: (next, old, release) => [
    ...validateDeployment(next, release),
    ...immutable(next, old, "spec", "selector"),
  ],
  validateStatus: validateDeploymentStatus,
  scale: {
    spec: ["spec", "replicas"],
    status: ["status", "replicas"],
    selector: (one) => selectorText(getObject(one, "spec", "selector")),
  },
  table: {
    columns: [
      NAME,
      column("Ready", "Number of the pod with ready state"),
      column(
        "Up-to-date",
        "Total number of non-terminating pods targeted by this deployment that have the desired template spec.",
      ),
      column(
        "Available",
        "Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment.",
      ),
      AGE,
      column("Containers", "Names of each container in the template.", 1),
      column("Images", "Images referenced by each container in the template.", 1),
      since(
        column(
          "Selector",
          "Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones affected by this deployment.",
          1,
        ),
        "1.36",
        "Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones affected by this deployment. It must match the pod template's labels.",
      ),
    ],
    row: named((one) => [
      `${getNumber(one, "status", "readyReplicas")}/${getNumber(one, "spec", "replicas")}`,
      getNumber(one, "status", "updatedReplicas"),
      getNumber(one, "status", "availableReplicas"),
    ], (one) => [...containerCells(one), selectorText(getObject(one, "spec", "selector"))]),
  },
});

function defaultDeployment(deployment: JsonObject): void {
  const spec = getObject(deployment, "spec");
  fill(spec, "replicas", 1);
  const strategy = getObject(spec, "strategy");
  fill(strategy, "type", "RollingUpdate");
  if (strategy["type"] === "RollingUpdate") {
    const rolling = { ...getObject(strategy, "rollingUpdate") };
    fillPointer(rolling, "maxUnavailable", "25%");
    fillPointer(rolling, "maxSurge", "25%");
    strategy["rollingUpdate"] = rolling;
  }
  fill(spec, "revisionHistoryLimit", 10);
  fill(spec, "progressDeadlineSeconds", 600);
  defaultPodSpec(getObject(spec, "template", "spec"));
}

/** Returns the validation errors of a Deployment apart from its metadata. */
function validateDeployment(deployment: JsonObject, release: Release): FieldError[] {
  const spec = getObject(deployment, "spec");
  const deadline = getOwn(spec, "progressDeadlineSeconds");
  const ready = getOwn(spec, "minReadySeconds") ?? 0;
  const tooEarly = typeof deadline === "number" && deadline <= Number(ready);
  return [
    ...nonNegative(spec, "spec", "replicas"),
    ...validateTemplate(spec, release),
    ...validateStrategy(getObject(spec, "strategy")),
    ...nonNegative(
      spec,
      "spec",
      "minReadySeconds",
      "revisionHistoryLimit",
      "progressDeadlineSeconds",
    ),
    ...(tooEarly
      ? [
        invalidValue(
          "spec.progressDeadlineSeconds",
          deadline,
          "must be greater than minReadySeconds",
        ),
      ]
      : []),
  ];
}

function validateStrategy(strategy: JsonObject): FieldError[] {
  const type = getString(strategy, "type");
  if (type !== "Recreate" && type !== "RollingUpdate") {
    return [notSupported("spec.strategy", strategy, ["Recreate", "RollingUpdate"])];
  }
  const rolling = getOwn(strategy, "rollingUpdate");
  if (!isObject(rolling)) return [];
  const field = "spec.strategy.rollingUpdate";
  if (type === "Recreate") {
    return [forbiddenField(field, "may not be specified when strategy `type` is 'Recreate'")];
  }
  const unavailable = getOwn(rolling, "maxUnavailable");
  const surge = getOwn(rolling, "maxSurge");
  const at = child(field, "maxUnavailable");
  return [
    ...intOrPercent(unavailable, at),
    ...intOrPercent(surge, child(field, "maxSurge")),
    ...(amountOf(unavailable) === 0 && amountOf(surge) === 0
      ? [invalidValue(at, unavailable, "may not be 0 when `maxSurge` is 0")]
      : []),
    ...atMost100Percent(unavailable, at),
  ];
}

/** Returns the validation errors of the status of a Deployment. */
function validateDeploymentStatus(deployment: JsonObject, old: JsonObject): FieldError[] {
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
    ...notDecremented(deployment, old),
  ];
}
