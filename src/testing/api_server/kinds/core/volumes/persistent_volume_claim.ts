import {
  compareQuantities,
  type FieldError,
  forbidden,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isObject,
  type Json,
  jsonEqual,
  type JsonObject,
  withPath,
} from "../../../../values/mod.ts";
import { AGE, column, fill, NAME, named } from "../../shared/mod.ts";
import { type ClusterView, defineKind, type KindRecord, STATUS } from "../../record/mod.ts";
import { CLAIM_QUOTA } from "./claim_quota.ts";
import { claimSpecWarnings, validateClaimSpec } from "../pod_spec/mod.ts";
import { confirmClaimLimits } from "../limits/mod.ts";
import { validateClaimStatus } from "./claim_status.ts";
import { accessModesText, classOf, defaultClaimSpec, phaseOf } from "./volume_text.ts";

/** PersistentVolumeClaims. */
export const PERSISTENT_VOLUME_CLAIM: KindRecord = defineKind(
  "v1",
  "persistentvolumeclaims",
  "PersistentVolumeClaim",
  {
    shortNames: ["pvc"],
    subresources: [STATUS],
    quota: CLAIM_QUOTA,
    defaults: (claim) => {
      defaultClaimSpec(getObject(claim, "spec"));
      fill(getObject(claim, "status"), "phase", "Pending");
    },
    prepareCreate: (claim) => normalizeSources(withPath(claim, ["status"], {})),
    asRead: (claim) => withPath(claim, ["status", "phase"], "Pending"),
    prepareUpdate: (claim, old) => normalizeSources(claim, old),
    names: "subdomain",
    admit: admitClaim,
    confirm: (claim, old, { cluster, subresource }) => {
      if (subresource !== "") return;
      confirmClaimLimits(claim, cluster);
      if (old !== undefined) requireExpandable(claim, old, cluster);
    },
    warnings: claimWarnings,
    validate: (claim) => validateClaimSpec(getObject(claim, "spec"), "spec"),
    validateChange: validateClaimUpdate,
    validateStatus: validateClaimStatus,
    wholeFirst: true,
    deletion: { returnsObject: true },
    table: {
      columns: [
        NAME,
        column("Status", "phase represents the current phase of PersistentVolumeClaim."),
        column(
          "Volume",
          "volumeName is the binding reference to the PersistentVolume backing this claim.",
        ),
        column("Capacity", "capacity represents the actual resources of the underlying volume."),
        column(
          "Access Modes",
          "accessModes contains the actual access modes the volume backing the PVC has. More info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#access-modes-1",
        ),
        column("StorageClass", "StorageClass of the pvc"),
        column("VolumeAttributesClass", "VolumeAttributesClass of the pvc"),
        AGE,
        column(
          "VolumeMode",
          "volumeMode defines what type of volume is required by the claim. Value of Filesystem is implied when not included in claim spec.",
          1,
        ),
      ],
      row: named(claimCells, (claim) => [getString(claim, "spec", "volumeMode") || "<unset>"]),
    },
  },
);

function claimCells(claim: JsonObject): Json[] {
  const bound = getString(claim, "spec", "volumeName") !== "";
  return [
    phaseOf(claim),
    getString(claim, "spec", "volumeName"),
    bound ? getString(claim, "status", "capacity", "storage") || "0" : "",
    bound ? accessModesText(getArray(claim, "status", "accessModes")) : "",
    classOf(claim),
    getString(claim, "spec", "volumeAttributesClassName") || "<unset>",
  ];
}

/**
 * Makes `dataSource` and `dataSourceRef` the same. Drops a `dataSource` that only its successor may have, unless the
 * claim had a source already.
 */
function normalizeSources(claim: JsonObject, old?: JsonObject): JsonObject {
  const spec: JsonObject = { ...getObject(claim, "spec") };
  const before = getObject(old, "spec");
  const hadSource = isObject(before["dataSource"]) || isObject(before["dataSourceRef"]);
  // References to other namespaces are off by default.
  if (getString(spec, "dataSourceRef", "namespace") !== "" && !isObject(before["dataSourceRef"])) {
    delete spec["dataSourceRef"];
  }
  const source = getOwn(spec, "dataSource");
  if (isObject(source) && !hadSource && !isObject(getOwn(spec, "dataSourceRef"))) {
    const group = getString(source, "apiGroup");
    const known = `${group}/${getString(source, "kind")}`;
    const kinds = ["/PersistentVolumeClaim", "snapshot.storage.k8s.io/VolumeSnapshot"];
    if (!kinds.includes(known)) delete spec["dataSource"];
  }
  const [first, second] = [getOwn(spec, "dataSource"), getOwn(spec, "dataSourceRef")];
  if (isObject(first) && second === undefined) spec["dataSourceRef"] = { ...first };
  if (isObject(second) && first === undefined) {
    const { namespace: _, ...rest } = second;
    spec["dataSource"] = rest;
  }
  return { ...claim, spec };
}

const PROTECTION = "kubernetes.io/pvc-protection";
const CLASSES = "storageclasses.storage.k8s.io";
const CLASS = "volume.beta.kubernetes.io/storage-class";
const DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

/** Adds the protection finalizer and the default class to a new claim. */
function admitClaim(
  claim: JsonObject,
  old: JsonObject | undefined,
  cluster: ClusterView,
): JsonObject {
  if (old !== undefined) return claim;
  const finalizers = getArray(claim, "metadata", "finalizers");
  const kept = finalizers.includes(PROTECTION)
    ? claim
    : withPath(claim, ["metadata", "finalizers"], [...finalizers, PROTECTION]);
  const named = getPath(claim, "spec", "storageClassName") !== undefined ||
    getOwn(getObject(claim, "metadata", "annotations"), CLASS) !== undefined;
  const standard = named ? undefined : defaultClass(cluster);
  return standard === undefined ? kept : withPath(kept, ["spec", "storageClassName"], standard);
}

/** Returns the name of the default class; of several, the newest. */
function defaultClass(cluster: ClusterView): string | undefined {
  const created = (one: JsonObject) => getString(one, "metadata", "creationTimestamp");
  const classes = cluster.list(CLASSES, "").filter((one) =>
    getString(getObject(one, "metadata", "annotations"), DEFAULT_CLASS) === "true"
  ).sort((a, b) => (created(a) < created(b) ? 1 : -1));
  return classes[0] && getString(classes[0], "metadata", "name");
}

function requireExpandable(claim: JsonObject, old: JsonObject, cluster: ClusterView): void {
  const size = (one: JsonObject) =>
    getString(one, "spec", "resources", "requests", "storage") || "0";
  if (getString(old, "status", "phase") !== "Bound") return;
  if ((compareQuantities(size(claim), size(old)) ?? 0) <= 0) return;
  const found = cluster.get(CLASSES, "", classOf(claim));
  if (found !== undefined && getOwn(found, "allowVolumeExpansion") === true) return;
  throw forbidden(
    { group: "", plural: "persistentvolumeclaims" },
    getString(claim, "metadata", "name"),
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
  );
}

function claimWarnings(claim: JsonObject): string[] {
  const annotated = getOwn(getObject(claim, "metadata", "annotations"), CLASS) !== undefined;
  const use = 'use "storageClassName" attribute instead';
  return [
    ...(annotated ? [`metadata.annotations[${CLASS}]: deprecated since v1.8; ${use}`] : []),
    ...claimSpecWarnings(getObject(claim, "spec"), "spec"),
  ];
}

function validateClaimUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [{ ...getObject(next, "spec") }, { ...getObject(old, "spec") }];
  const bound = getString(next, "status", "phase") === "Bound";
  if (getString(before, "volumeName") === "") {
    // It may be set once.
    delete before["volumeName"];
    delete spec["volumeName"];
  }
  // So may the class of a claim that waits for one. If an annotation names the class, the field must name the same.
  const annotated = getOwn(getObject(old, "metadata", "annotations"), CLASS);
  if (
    getOwn(before, "storageClassName") === undefined &&
    (annotated === undefined || annotated === getOwn(spec, "storageClassName"))
  ) delete spec["storageClassName"];
  const size = (one: JsonObject) => getString(one, "resources", "requests", "storage") || "0";
  const [wanted, had] = [size(spec), size(before)];
  if (bound) {
    for (const one of [spec, before]) {
      const { storage: _, ...requests } = getObject(one, "resources", "requests");
      one["resources"] = { ...getObject(one, "resources"), requests };
      delete one["volumeAttributesClassName"];
    }
  }
  const errors: FieldError[] = [];
  if (!jsonEqual(spec, before)) {
    const reason =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    errors.push(forbiddenField("spec", reason));
  }
  const status = getString(old, "status", "capacity", "storage") || "0";
  if (compareQuantities(wanted, had)! < 0 && compareQuantities(wanted, status)! <= 0) {
    const reason = "field can not be less than status.capacity";
    errors.push(forbiddenField("spec.resources.requests.storage", reason));
  }
  const [mode, modeBefore] = [getOwn(spec, "volumeMode"), getOwn(before, "volumeMode")];
  if (mode !== modeBefore) errors.push(invalidValue("volumeMode", mode, "field is immutable"));
  return errors;
}
