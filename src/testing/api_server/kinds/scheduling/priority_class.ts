import { getOwn, getString } from "../../values/mod.ts";
import { fill } from "../defaults/pod_defaults.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { getNumber, named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** PriorityClasses. */
export const PRIORITY_CLASS: KindRecord = defineKind(
  "scheduling.k8s.io/v1",
  "priorityclasses",
  "PriorityClass",
  {
    namespaced: false,
    shortNames: ["pc"],
    counts: [["value"], ["globalDefault"], ["description"], ["preemptionPolicy"]],
    defaults: (one) => fill(one, "preemptionPolicy", "PreemptLowerPriority"),
    names: "subdomain",
    table: {
      columns: [
        NAME,
        column("Value", "", 0, "integer"),
        column("Global-Default", "", 0, "boolean"),
        AGE,
        column("PreemptionPolicy"),
      ],
      row: named(
        (one) => [getNumber(one, "value"), getOwn(one, "globalDefault") === true],
        (one) => [
          getString(one, "preemptionPolicy"),
        ],
      ),
    },
  },
);
