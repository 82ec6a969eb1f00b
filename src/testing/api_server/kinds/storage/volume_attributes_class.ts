import { getString } from "../../values/mod.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** VolumeAttributesClasses. */
export const VOLUME_ATTRIBUTES_CLASS: KindRecord = defineKind(
  "storage.k8s.io/v1",
  "volumeattributesclasses",
  "VolumeAttributesClass",
  {
    namespaced: false,
    shortNames: ["vac"],
    names: "subdomain",
    returnsDeleted: true,
    table: {
      columns: [NAME, column("DriverName"), AGE],
      row: named((one) => [getString(one, "driverName")]),
    },
  },
);
