import { getPath, getString, humanAge } from "../../values/mod.ts";
import { defineKind, type KindRecord } from "./record/mod.ts";
import { AGE, AGE_DATE, column, NAME } from "./shared/mod.ts";

const row: NonNullable<KindRecord["table"]>["row"] = (scale, nowMs) => [
  getString(scale, "metadata", "name"),
  getPath(scale, "spec", "replicas") ?? 0,
  getPath(scale, "status", "replicas") ?? 0,
  humanAge(getString(scale, "metadata", "creationTimestamp"), nowMs),
];

/** The Table of the scale of a built-in kind. The one of a custom resource has other columns. */
export const SCALE_TABLE: NonNullable<KindRecord["table"]> = {
  columns: [
    { ...NAME, format: "" },
    column(
      "Desired",
      "replicas is the desired number of instances for the scaled object.",
      0,
      "integer",
    ),
    column(
      "Available",
      "replicas is the actual number of observed instances of the scaled object.",
      0,
      "integer",
    ),
    AGE,
  ],
  row,
};

/** The kind of the scale subresources. It has no resource. */
export const SCALE_KIND: KindRecord = defineKind("autoscaling/v1", "scales", "Scale", {
  table: {
    columns: [
      NAME,
      column("Desired", "Number of desired replicas", 0, "integer"),
      column("Available", "Number of actual replicas", 0, "integer"),
      AGE_DATE,
    ],
    row,
  },
});
