import {
  getArray,
  getObject,
  getString,
  type Json,
  type JsonObject,
  withPath,
} from "../../values/mod.ts";
import { fill } from "../defaults/pod_defaults.ts";
import { defineKind, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";
import { accessModesText, classOf, defaultClaimSpec, phaseOf } from "./volume_text.ts";

/** PersistentVolumeClaims. */
export const PERSISTENT_VOLUME_CLAIM: KindRecord = defineKind(
  "v1",
  "persistentvolumeclaims",
  "PersistentVolumeClaim",
  {
    shortNames: ["pvc"],
    subresources: [STATUS],
    defaults: (claim) => {
      defaultClaimSpec(getObject(claim, "spec"));
      fill(getObject(claim, "status"), "phase", "Pending");
    },
    prepareCreate: (claim) => withPath(claim, ["status"], { phase: "Pending" }),
    names: "subdomain",
    returnsDeleted: true,
    table: {
      columns: [
        NAME,
        column("Status"),
        column("Volume"),
        column("Capacity"),
        column("Access Modes"),
        column("StorageClass", "StorageClass of the pvc"),
        column("VolumeAttributesClass", "VolumeAttributesClass of the pvc"),
        AGE,
        column("VolumeMode", "", 1),
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
