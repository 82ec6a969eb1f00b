import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonObject,
  withPath,
} from "../../../../values/mod.ts";
import { AGE, column, fill, fillPointer, NAME, named, roundAll } from "../../shared/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../../record/mod.ts";
import {
  validateVolume,
  validateVolumeUpdate,
  volumeWarnings,
} from "./persistent_volume_validation.ts";
import { accessModesText, classOf, phaseOf } from "./volume_text.ts";

/** PersistentVolumes. */
export const PERSISTENT_VOLUME: KindRecord = defineKind(
  "v1",
  "persistentvolumes",
  "PersistentVolume",
  {
    namespaced: false,
    shortNames: ["pv"],
    subresources: [STATUS],
    defaults: defaultVolume,
    prepareCreate: (volume) => {
      const lastPhaseTransitionTime = getString(volume, "metadata", "creationTimestamp");
      return withPath(volume, ["status"], { phase: "Pending", lastPhaseTransitionTime });
    },
    prepareStatus: keepTransitionTime,
    names: "subdomain",
    validatesMetaChange: false,
    admit: (volume, old) => old === undefined ? addProtection(volume) : volume,
    warnings: volumeWarnings,
    validate: validateVolume,
    // As in a real server, which looks at the whole volume twice.
    validateChange: (next, old) => [...validateVolume(next), ...validateVolumeUpdate(next, old)],
    wholeFirst: true,
    deletion: { returnsObject: true },
    table: {
      columns: [
        NAME,
        column(
          "Capacity",
          "capacity is the description of the persistent volume's resources and capacity. More info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#capacity",
        ),
        column(
          "Access Modes",
          "accessModes contains all ways the volume can be mounted. More info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#access-modes",
        ),
        column(
          "Reclaim Policy",
          "persistentVolumeReclaimPolicy defines what happens to a persistent volume when released from its claim. Valid options are Retain (default for manually created PersistentVolumes), Delete (default for dynamically provisioned PersistentVolumes), and Recycle (deprecated). Recycle must be supported by the volume plugin underlying this PersistentVolume. More info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#reclaiming",
        ),
        column(
          "Status",
          "phase indicates if a volume is available, bound to a claim, or released by a claim. More info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#phase",
        ),
        column(
          "Claim",
          "claimRef is part of a bi-directional binding between PersistentVolume and PersistentVolumeClaim. Expected to be non-nil when bound. claim.VolumeName is the authoritative bind between PV and PVC. More info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#binding",
        ),
        column("StorageClass", "StorageClass of the pv"),
        column("VolumeAttributesClass", "VolumeAttributesClass of the pv"),
        column(
          "Reason",
          "reason is a brief CamelCase string that describes any failure and is meant for machine parsing and tidy display in the CLI.",
        ),
        AGE,
        column(
          "VolumeMode",
          "volumeMode defines if a volume is intended to be used with a formatted filesystem or to remain in raw block state. Value of Filesystem is implied when not included in spec.",
          1,
        ),
      ],
      row: named(volumeCells, (volume) => [getString(volume, "spec", "volumeMode") || "<unset>"]),
    },
  },
);

/** Keeps the time of the last change of the phase; sets it, if the phase changes. */
function keepTransitionTime(next: JsonObject, old: JsonObject): JsonObject {
  const [status, before] = [getObject(next, "status"), getObject(old, "status")];
  if (getOwn(status, "phase") !== getOwn(before, "phase")) {
    const sent = getOwn(status, "lastPhaseTransitionTime");
    const known = sent !== undefined && sent !== getOwn(before, "lastPhaseTransitionTime");
    return known ? next : withPath(next, ["status", "lastPhaseTransitionTime"], lastWrite(next));
  }
  const time = getOwn(before, "lastPhaseTransitionTime");
  if (time === undefined || getOwn(status, "lastPhaseTransitionTime") !== undefined) return next;
  return withPath(next, ["status", "lastPhaseTransitionTime"], time);
}

/** Returns the time of the write: the managed fields have it already. */
function lastWrite(volume: JsonObject): Json {
  const times = getArray(volume, "metadata", "managedFields").map((one) => getString(one, "time"));
  return times.sort().at(-1) ?? getString(volume, "metadata", "creationTimestamp");
}

function defaultVolume(volume: JsonObject): void {
  fill(getObject(volume, "status"), "phase", "Pending");
  const spec = getObject(volume, "spec");
  fill(spec, "persistentVolumeReclaimPolicy", "Retain");
  fillPointer(spec, "volumeMode", "Filesystem");
  const hostPath = getOwn(spec, "hostPath");
  if (isObject(hostPath) && getOwn(hostPath, "type") === undefined) hostPath["type"] = "";
  roundAll(spec, "capacity");
}

function volumeCells(volume: JsonObject): Json[] {
  const claim = getObject(volume, "spec", "claimRef");
  const name = getString(claim, "name");
  return [
    getString(volume, "spec", "capacity", "storage") || "0",
    accessModesText(getArray(volume, "spec", "accessModes")),
    getString(volume, "spec", "persistentVolumeReclaimPolicy"),
    phaseOf(volume),
    name === "" ? "" : `${getString(claim, "namespace")}/${name}`,
    classOf(volume),
    getString(volume, "spec", "volumeAttributesClassName") || "<unset>",
    getString(volume, "status", "reason"),
  ];
}

const PROTECTION = "kubernetes.io/pv-protection";

/** Adds the finalizer that keeps a volume in use. */
function addProtection(volume: JsonObject): JsonObject {
  const finalizers = getArray(volume, "metadata", "finalizers");
  if (finalizers.includes(PROTECTION)) return volume;
  return withPath(volume, ["metadata", "finalizers"], [...finalizers, PROTECTION]);
}
