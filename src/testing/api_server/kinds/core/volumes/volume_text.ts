import {
  getObject,
  getOwn,
  getString,
  type Json,
  type JsonObject,
} from "../../../../values/mod.ts";
import { fillPointer, roundAll } from "../../shared/mod.ts";

/** The annotation that named the storage class before there was a field for it. */
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** Sets the defaults of the spec of a PersistentVolumeClaim, also in a template. */
export function defaultClaimSpec(spec: JsonObject): void {
  fillPointer(spec, "volumeMode", "Filesystem");
  roundAll(getObject(spec, "resources"), "limits", "requests");
}

/** Returns the access modes in short, as in `RWO,ROX`. */
export function accessModesText(modes: readonly Json[]): string {
  const short = {
    ReadWriteOnce: "RWO",
    ReadOnlyMany: "ROX",
    ReadWriteMany: "RWX",
    ReadWriteOncePod: "RWOP",
  };
  return Object.entries(short).filter(([mode]) => modes.includes(mode)).map(([, text]) => text)
    .join(",");
}

/** Returns the phase of a claim or a volume, as tables show it. */
export function phaseOf(object: JsonObject): string {
  const deleted = getString(object, "metadata", "deletionTimestamp") !== "";
  return deleted ? "Terminating" : getString(object, "status", "phase");
}

/** Returns the storage class of a claim or a volume; empty if it has none. */
export function classOf(object: JsonObject): string {
  const annotation = getOwn(getObject(object, "metadata", "annotations"), CLASS_ANNOTATION);
  return typeof annotation === "string"
    ? annotation
    : getString(object, "spec", "storageClassName");
}
