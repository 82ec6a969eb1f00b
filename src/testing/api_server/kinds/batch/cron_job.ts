import {
  getArray,
  getObject,
  getPath,
  getString,
  humanAge,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";
import { defaultPodSpec, fill, objects } from "../defaults/pod_defaults.ts";
import { defineKind, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { selectorText } from "../selector_text.ts";
import { named, namesAndImages } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** CronJobs. */
export const CRON_JOB: KindRecord = defineKind("batch/v1", "cronjobs", "CronJob", {
  shortNames: ["cj"],
  categories: ["all"],
  subresources: [STATUS],
  counts: [["spec"]],
  defaults: defaultCronJob,
  names: "subdomain",
  validatesAgain: false,
  table: {
    columns: [
      NAME,
      column("Schedule"),
      column("Timezone"),
      column("Suspend", "", 0, "boolean"),
      column("Active", "", 0, "integer"),
      column("Last Schedule"),
      AGE,
      column("Containers", "Names of each container in the template.", 1),
      column("Images", "Images referenced by each container in the template.", 1),
      column("Selector", "", 1),
    ],
    row: named(cronCells, wideCells),
  },
});

function defaultCronJob(cron: JsonObject): void {
  const spec = getObject(cron, "spec");
  fill(spec, "concurrencyPolicy", "Allow");
  fill(spec, "suspend", false);
  fill(spec, "successfulJobsHistoryLimit", 3);
  fill(spec, "failedJobsHistoryLimit", 1);
  // The Job gets its own defaults when it is created.
  defaultPodSpec(getObject(spec, "jobTemplate", "spec", "template", "spec"));
}

function cronCells(cron: JsonObject, nowMs: number): Json[] {
  const last = getString(cron, "status", "lastScheduleTime");
  return [
    getString(cron, "spec", "schedule"),
    getString(cron, "spec", "timeZone") || "<none>",
    getPath(cron, "spec", "suspend") === true ? "True" : "False",
    getArray(cron, "status", "active").length,
    last === "" ? "<none>" : humanAge(last, nowMs),
  ];
}

function wideCells(cron: JsonObject): Json[] {
  const job = getObject(cron, "spec", "jobTemplate", "spec");
  return [
    ...namesAndImages(objects(job, "template", "spec", "containers")),
    selectorText(getObject(job, "selector")) || "<none>",
  ];
}
