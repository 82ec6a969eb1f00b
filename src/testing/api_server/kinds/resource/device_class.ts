import { withPath } from "../../values/mod.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, NAME } from "../table/column.ts";

/** DeviceClasses. */
export const DEVICE_CLASS: KindRecord = defineKind(
  "resource.k8s.io/v1",
  "deviceclasses",
  "DeviceClass",
  {
    namespaced: false,
    prepareCreate: (one) => withPath(one, ["metadata", "generation"], 1),
    gated: [["spec", "extendedResourceName"]],
    names: "subdomain",
    returnsDeleted: true,
    table: {
      columns: [NAME, AGE],
      row: named(() => []),
    },
  },
);
