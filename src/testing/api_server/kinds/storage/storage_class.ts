import {
  getObject,
  getOwn,
  getString,
  humanAge,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";
import { fill } from "../defaults/pod_defaults.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** StorageClasses. */
export const STORAGE_CLASS: KindRecord = defineKind(
  "storage.k8s.io/v1",
  "storageclasses",
  "StorageClass",
  {
    namespaced: false,
    shortNames: ["sc"],
    defaults: (one) => {
      fill(one, "reclaimPolicy", "Delete");
      fill(one, "volumeBindingMode", "Immediate");
    },
    names: "subdomain",
    returnsDeleted: true,
    table: {
      columns: [
        NAME,
        column("Provisioner"),
        column("ReclaimPolicy"),
        column("VolumeBindingMode"),
        column("AllowVolumeExpansion"),
        AGE,
      ],
      row: classRow,
    },
  },
);

const DEFAULT = "storageclass.kubernetes.io/is-default-class";

function classRow(one: JsonObject, nowMs: number): Json[] {
  const isDefault = getString(getObject(one, "metadata", "annotations"), DEFAULT) === "true";
  return [
    `${getString(one, "metadata", "name")}${isDefault ? " (default)" : ""}`,
    getString(one, "provisioner"),
    getString(one, "reclaimPolicy"),
    getString(one, "volumeBindingMode"),
    getOwn(one, "allowVolumeExpansion") === true,
    humanAge(getString(one, "metadata", "creationTimestamp"), nowMs),
  ];
}
