import { getString } from "../../values/mod.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** RuntimeClasses. */
export const RUNTIME_CLASS: KindRecord = defineKind(
  "node.k8s.io/v1",
  "runtimeclasses",
  "RuntimeClass",
  {
    namespaced: false,
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    names: "subdomain",
    table: {
      columns: [NAME, column("Handler"), AGE],
      row: named((one) => [getString(one, "handler")]),
    },
  },
);
