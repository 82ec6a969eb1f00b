import { objects } from "../defaults/pod_defaults.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** CSINodes. */
export const CSI_NODE: KindRecord = defineKind("storage.k8s.io/v1", "csinodes", "CSINode", {
  namespaced: false,
  allowUnconditionalUpdate: false,
  names: "subdomain",
  returnsDeleted: true,
  table: {
    columns: [
      NAME,
      column(
        "Drivers",
        "Drivers indicates the number of CSI drivers registered on the node",
        0,
        "integer",
      ),
      AGE,
    ],
    row: named((node) => [objects(node, "spec", "drivers").length]),
  },
});
