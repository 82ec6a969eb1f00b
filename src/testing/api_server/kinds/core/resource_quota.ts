import { getObject, getString, type JsonObject } from "../../values/mod.ts";
import { roundAll } from "../defaults/round.ts";
import { defineKind, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** ResourceQuotas. */
export const RESOURCE_QUOTA: KindRecord = defineKind("v1", "resourcequotas", "ResourceQuota", {
  shortNames: ["quota"],
  subresources: [STATUS],
  defaults: (quota) => {
    roundAll(getObject(quota, "spec"), "hard");
    roundAll(getObject(quota, "status"), "hard", "used");
  },
  names: "subdomain",
  returnsDeleted: true,
  table: {
    columns: [
      NAME,
      column(
        "Request",
        "Request represents a minimum amount of cpu/memory that a container may consume.",
      ),
      column(
        "Limit",
        "Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.",
      ),
      AGE,
    ],
    row: named((quota) => [usageText(quota, false), usageText(quota, true)]),
  },
});

function usageText(quota: JsonObject, limits: boolean): string {
  const hard = getObject(quota, "status", "hard");
  return Object.keys(hard).sort().filter((name) => name.startsWith("limits.") === limits)
    .map((name) => {
      const used = getString(quota, "status", "used", name) || "0";
      return `${name}: ${used}/${getString(hard, name)}`;
    })
    .join(", ");
}
