import { getString } from "../../values/mod.ts";
import { defineKind } from "../define_kind.ts";
import { at } from "../field_labels.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** ResourceSlices. */
export const RESOURCE_SLICE: KindRecord = defineKind(
  "resource.k8s.io/v1",
  "resourceslices",
  "ResourceSlice",
  {
    namespaced: false,
    counts: [["spec"]],
    names: "subdomain",
    returnsDeleted: true,
    fields: {
      "spec.nodeName": at("spec", "nodeName"),
      "spec.driver": at("spec", "driver"),
    },
    table: {
      columns: [NAME, column("Node"), column("Driver"), column("Pool"), AGE],
      row: named((slice) => [
        getString(slice, "spec", "nodeName"),
        getString(slice, "spec", "driver"),
        getString(slice, "spec", "pool", "name"),
      ]),
    },
  },
);
