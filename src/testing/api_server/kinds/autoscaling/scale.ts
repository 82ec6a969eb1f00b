import { getPath, getString, humanAge } from "../../values/mod.ts";
import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { AGE_DATE, column, NAME } from "../table/column.ts";

/** Scales: what the scale subresources show. There is no resource of them. */
export const SCALE_KIND: KindRecord = defineKind("autoscaling/v1", "scales", "Scale", {
  table: {
    columns: [
      NAME,
      column("Desired", "Number of desired replicas", 0, "integer"),
      column("Available", "Number of actual replicas", 0, "integer"),
      AGE_DATE,
    ],
    row: (scale, nowMs) => [
      getString(scale, "metadata", "name"),
      getPath(scale, "spec", "replicas") ?? 0,
      getPath(scale, "status", "replicas") ?? 0,
      humanAge(getString(scale, "metadata", "creationTimestamp"), nowMs),
    ],
  },
});
