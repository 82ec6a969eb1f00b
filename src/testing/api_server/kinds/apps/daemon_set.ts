import { getObject, type JsonObject } from "../../values/mod.ts";
import { defaultPodSpec, fill } from "../defaults/pod_defaults.ts";
import { defineKind, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { getNumber, labelsText, named, templateCells } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** DaemonSets. */
export const DAEMON_SET: KindRecord = defineKind("apps/v1", "daemonsets", "DaemonSet", {
  shortNames: ["ds"],
  categories: ["all"],
  subresources: [STATUS],
  counts: [["spec"]],
  defaults: defaultDaemonSet,
  names: "subdomain",
  validatesAgain: false,
  table: {
    columns: [
      NAME,
      column("Desired", "", 0, "integer"),
      column("Current", "", 0, "integer"),
      column("Ready", "", 0, "integer"),
      column("Up-to-date", "", 0, "integer"),
      column("Available", "", 0, "integer"),
      column("Node Selector"),
      AGE,
      column("Containers", "Names of each container in the template.", 1),
      column("Images", "Images referenced by each container in the template.", 1),
      column("Selector", "", 1),
    ],
    row: named((set) => [
      getNumber(set, "status", "desiredNumberScheduled"),
      getNumber(set, "status", "currentNumberScheduled"),
      getNumber(set, "status", "numberReady"),
      getNumber(set, "status", "updatedNumberScheduled"),
      getNumber(set, "status", "numberAvailable"),
      labelsText(getObject(set, "spec", "template", "spec", "nodeSelector")),
    ], templateCells),
  },
});

function defaultDaemonSet(set: JsonObject): void {
  const spec = getObject(set, "spec");
  const strategy = getObject(spec, "updateStrategy");
  fill(strategy, "type", "RollingUpdate");
  if (strategy["type"] === "RollingUpdate") {
    const rolling = { ...getObject(strategy, "rollingUpdate") };
    fill(rolling, "maxUnavailable", 1);
    fill(rolling, "maxSurge", 0);
    strategy["rollingUpdate"] = rolling;
  }
  fill(spec, "revisionHistoryLimit", 10);
  defaultPodSpec(getObject(spec, "template", "spec"));
}
