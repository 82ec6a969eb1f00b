import {
  child,
  dnsLabel,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  notSupported,
  required,
  withPath,
} from "../../../values/mod.ts";
import {
  changedTemplateWarnings,
  defaultPodSpec,
  shownLabels,
  UNSELECTED,
  validateClaimSpec,
  validatePodTemplate,
  validateRestarts,
  validateTemplateAnnotations,
  validateTemplateLabels,
} from "../core/pod_spec/mod.ts";
import { defaultClaimSpec } from "../core/volumes/mod.ts";
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
  isEmptySelector,
  matchesSelector,
  NAME,
  named,
  nonNegative,
  notDecremented,
  objects,
  selectorText,
  validateLabelSelector,
} from "../shared/mod.ts";
import type { Release } from "../../release/mod.ts";
import { defineKind, type KindRecord, SCALE, STATUS } from "../record/mod.ts";
import { warnOfPodSecurity } from "../core/pod_security/mod.ts";

/** StatefulSets. */
export const STATEFUL_SET: KindRecord = defineKind("apps/v1", "statefulsets", "StatefulSet", {
  shortNames: ["sts"],
  categories: ["all"],
  subresources: [SCALE, STATUS],
  counts: [["spec"]],
  inBookmark: (object) => withPath(object, ["spec", "replicas"], 0),
  defaults: defaultStatefulSet,
  warnings: warningsOf,
  confirm: (object, _, confirmation) =>
    warnOfPodSecurity(getObject(object, "spec", "template"), confirmation),
  names: "label",
  validatesAgain: false,
  validate: (set, release) => validateSpec(set, true, release),
  validateChange: validateUpdate,
  validateStatus,
  scale: {
    spec: ["spec", "replicas"],
    status: ["status", "replicas"],
    selector: (one) => selectorText(getObject(one, "spec", "selector")),
  },
  table: {
    columns: [
      NAME,
      column("Ready", "Number of the pod with ready state"),
      AGE,
      column("Containers", "Names of each container in the template.", 1),
      column("Images", "Images referenced by each container in the template.", 1),
    ],
    row: named(
      (set) => [
        `${getNumber(set, "status", "readyReplicas")}/${getNumber(set, "spec", "replicas")}`,
      ],
      containerCells,
    ),
  },
});

function defaultStatefulSet(set: JsonObject, release: Release): void {
  const spec = getObject(set, "spec");
  fill(spec, "podManagementPolicy", "OrderedReady");
  const strategy = getObject(spec, "updateStrategy");
  if (getString(strategy, "type") === "") {
    strategy["type"] = "RollingUpdate";
    if (!isObject(getOwn(strategy, "rollingUpdate"))) strategy["rollingUpdate"] = {};
  }
  const rolling = getOwn(strategy, "rollingUpdate");
  if (strategy["type"] === "RollingUpdate" && isObject(rolling)) {
    fillPointer(rolling, "partition", 0);
    if (release.isOn("MaxUnavailableStatefulSet")) fillPointer(rolling, "maxUnavailable", 1);
  }
  const retention = { ...getObject(spec, "persistentVolumeClaimRetentionPolicy") };
  fill(retention, "whenDeleted", "Retain");
  fill(retention, "whenScaled", "Retain");
  spec["persistentVolumeClaimRetentionPolicy"] = retention;
  fill(spec, "replicas", 1);
  fill(spec, "revisionHistoryLimit", 10);
  for (const claim of objects(spec, "volumeClaimTemplates")) {
    claim["kind"] = "PersistentVolumeClaim";
    claim["apiVersion"] = "v1";
    defaultClaimSpec(getObject(claim, "spec"));
    fill(getObject(claim, "status"), "phase", "Pending");
  }
  defaultPodSpec(getObject(spec, "template", "spec"));
}

function warningsOf(set: JsonObject, old: JsonObject | undefined): string[] {
  const limit = getOwn(getObject(set, "spec"), "revisionHistoryLimit");
  const warnings = changedTemplateWarnings(set, old);
  if (typeof limit !== "number" || limit >= 0) return warnings;
  return [
    ...warnings,
    "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
  ];
}

function validateSpec(set: JsonObject, isNew: boolean, release: Release): FieldError[] {
  const spec = getObject(set, "spec");
  const errors: FieldError[] = [];
  const management = getString(spec, "podManagementPolicy");
  if (management !== "OrderedReady" && management !== "Parallel") {
    const text = "must be 'OrderedReady' or 'Parallel'";
    errors.push(invalidValue("spec.podManagementPolicy", management, text));
  }
  errors.push(...validateStrategy(getObject(spec, "updateStrategy")));
  const retention = getObject(spec, "persistentVolumeClaimRetentionPolicy");
  for (const when of ["whenDeleted", "whenScaled"]) {
    const policy = getString(retention, when);
    if (policy === "Retain" || policy === "Delete") continue;
    const field = child("spec.persistentVolumeClaimRetentionPolicy", when);
    errors.push(notSupported(field, policy, ["Retain", "Delete"]));
  }
  const claims = objects(spec, "volumeClaimTemplates");
  if (isNew) {
    claims.forEach((claim, index) => {
      const field = child(item("spec.volumeClaimTemplates", index), "spec");
      errors.push(...validateClaimSpec(getObject(claim, "spec"), field));
    });
  }
  errors.push(...nonNegative(spec, "spec", "replicas", "minReadySeconds"));
  errors.push(...nonNegative(getObject(spec, "ordinals"), "spec.ordinals", "start"));
  const service = getString(spec, "serviceName");
  if (isNew && service !== "") {
    errors.push(
      ...dnsLabel(service).map((text) => invalidValue("spec.serviceName", service, text)),
    );
  }
  return [...errors, ...validateSelection(spec, release)];
}

function validateStrategy(strategy: JsonObject): FieldError[] {
  const field = "spec.updateStrategy";
  const type = getString(strategy, "type");
  const rolling = getOwn(strategy, "rollingUpdate");
  if (type !== "RollingUpdate" && type !== "OnDelete") {
    const text = "must be 'RollingUpdate' or 'OnDelete'";
    return [invalidValue(field, strategy, text)];
  }
  if (!isObject(rolling)) return [];
  if (type === "RollingUpdate") {
    const at = child(field, "rollingUpdate");
    return [
      ...nonNegative(rolling, at, "partition"),
      ...validateUnavailable(getOwn(rolling, "maxUnavailable"), child(at, "maxUnavailable")),
    ];
  }
  const text = "only allowed for updateStrategy 'RollingUpdate'";
  return [invalidValue(child(field, "rollingUpdate"), rolling, text)];
}

function validateUnavailable(value: Json | undefined, field: string): FieldError[] {
  if (value === undefined) return [];
  return [
    ...intOrPercent(value, field),
    ...(amountOf(value) === 0 ? [invalidValue(field, value, "cannot be 0")] : []),
    ...atMost100Percent(value, field),
  ];
}

/** Returns the errors of the selector and the Pod template. */
function validateSelection(spec: JsonObject, release: Release): FieldError[] {
  const selector = getOwn(spec, "selector");
  const errors: FieldError[] = [];
  let usable = true;
  if (!isObject(selector)) errors.push(required("spec.selector"));
  else {
    const wrong = validateLabelSelector(selector, "spec.selector");
    errors.push(...wrong);
    usable = wrong.length === 0;
    if (isEmptySelector(selector)) {
      const text = "empty selector is invalid for statefulset";
      errors.push(invalidValue("spec.selector", selector, text));
    }
  }
  if (!usable) errors.push(invalidValue("spec.selector", selector ?? null, ""));
  else {
    const template = withClaims(spec);
    const labels = getObject(template, "metadata", "labels");
    if (!isObject(selector) || (!isEmptySelector(selector) && !matchesSelector(selector, labels))) {
      errors.push(invalidValue("spec.template.metadata.labels", shownLabels(spec), UNSELECTED));
    }
    errors.push(
      ...validatePodTemplate(template, "spec.template", release),
      ...validateTemplateLabels(template, "spec.template"),
      ...validateTemplateAnnotations(template, "spec.template"),
    );
  }
  return [
    ...errors,
    ...validateRestarts(getObject(spec, "template"), "spec.template", "StatefulSet"),
  ];
}

/** Returns the Pod template as the controller completes it: a volume for each claim, and the names of each Pod. */
function withClaims(spec: JsonObject): JsonObject {
  const template = getObject(spec, "template");
  const { subdomain: _, hostname: __, ...pod } = getObject(template, "spec");
  // Several templates of one name are one volume.
  const names = new Set(
    objects(spec, "volumeClaimTemplates").map((claim) => getString(claim, "metadata", "name")),
  );
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = objects(pod, "volumes").filter((volume) => !names.has(getString(volume, "name")));
  return { ...template, spec: { ...pod, volumes: [...claims, ...own] } };
}

const FIXED =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

const CHANGEABLE = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
];

const IMMUTABLE = ["selector", "volumeClaimTemplates", "serviceName", "podManagementPolicy"];

function validateUpdate(next: JsonObject, old: JsonObject, release: Release): FieldError[] {
  const fixed = (set: JsonObject) =>
    Object.fromEntries(
      Object.entries(getObject(set, "spec")).filter(([name]) => !CHANGEABLE.includes(name)),
    );
  const errors = validateSpec(next, false, release);
  if (release.has({ since: "1.37" })) {
    return errors.concat(IMMUTABLE.flatMap((name) => immutable(next, old, "spec", name)));
  }
  return jsonEqual(fixed(next), fixed(old)) ? errors : [...errors, forbiddenField("spec", FIXED)];
}

function validateStatus(next: JsonObject, old: JsonObject): FieldError[] {
  const status = getObject(next, "status");
  return [
    ...nonNegative(
      status,
      "status",
      "replicas",
      "readyReplicas",
      "currentReplicas",
      "updatedReplicas",
      "availableReplicas",
      "observedGeneration",
      "collisionCount",
    ),
    ...["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"].flatMap((
      name,
    ) => atMost(status, name, "replicas", "status.replicas")),
    ...atMost(status, "availableReplicas", "readyReplicas", "status.readyReplicas"),
    ...notDecremented(next, old),
  ];
}
