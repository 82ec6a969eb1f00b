import {
  child,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  humanAge,
  invalidValue,
  isObject,
  type Json,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { defaultFailurePolicy } from "./job_policies.ts";
import { defaultPodSpec, isNewGeneration, podNameWarnings } from "../core/pod_spec/mod.ts";
import {
  AGE,
  column,
  fill,
  NAME,
  named,
  namesAndImages,
  nonNegative,
  objects,
  selectorText,
} from "../shared/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { CronSchedule } from "../../../cron/mod.ts";
import { jobSpecWarnings, validateJobTemplate } from "./job_validation.ts";
import { warnOfPodSecurity } from "../core/pod_security/mod.ts";

/** CronJobs. */
export const CRON_JOB: KindRecord = defineKind("batch/v1", "cronjobs", "CronJob", {
  shortNames: ["cj"],
  categories: ["all"],
  subresources: [STATUS],
  counts: [["spec"]],
  defaults: defaultCronJob,
  warnings: warningsOf,
  confirm: (object, _, confirmation) =>
    warnOfPodSecurity(getObject(object, "spec", "jobTemplate", "spec", "template"), confirmation),
  names: "subdomain",
  validatesAgain: false,
  validate: (cron, release) => validateCronJob(cron, undefined, release),
  validateCreate: validateName,
  validateChange: validateCronJob,
  table: {
    columns: [
      NAME,
      column("Schedule", "The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron."),
      column(
        "Timezone",
        "The time zone name for the given schedule, see https://en.wikipedia.org/wiki/List_of_tz_database_time_zones. If not specified, this will default to the time zone of the kube-controller-manager process. The set of valid time zone names and the time zone offset is loaded from the system-wide time zone database by the API server during CronJob validation and the controller manager during execution. If no system-wide time zone database can be found a bundled version of the database is used instead. If the time zone name becomes invalid during the lifetime of a CronJob or due to a change in host configuration, the controller will stop creating new new Jobs and will create a system event with the reason UnknownTimeZone. More information can be found in https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#time-zones",
      ),
      column(
        "Suspend",
        "This flag tells the controller to suspend subsequent executions, it does not apply to already started executions.  Defaults to false.",
        0,
        "boolean",
      ),
      column("Active", "A list of pointers to currently running jobs.", 0, "integer"),
      column(
        "Last Schedule",
        "Information when was the last time the job was successfully scheduled.",
      ),
      AGE,
      column("Containers", "Names of each container in the template.", 1),
      column("Images", "Images referenced by each container in the template.", 1),
      column(
        "Selector",
        "A label query over pods that should match the pod count. Normally, the system sets this field for you. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
        1,
      ),
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
  // The Job gets most of its defaults when it is created.
  defaultFailurePolicy(getObject(spec, "jobTemplate", "spec"));
  defaultPodSpec(getObject(spec, "jobTemplate", "spec", "template", "spec"));
}

function cronCells(cron: JsonObject, nowMs: number): Json[] {
  const last = getString(cron, "status", "lastScheduleTime");
  return [
    getString(cron, "spec", "schedule"),
    getString(cron, "spec", "timeZone") || "<none>",
    suspendText(getPath(cron, "spec", "suspend")),
    getArray(cron, "status", "active").length,
    last === "" ? "<none>" : humanAge(last, nowMs),
  ];
}

function suspendText(suspend: Json | undefined): string {
  if (suspend === undefined) return "<unset>";
  return suspend === true ? "True" : "False";
}

function wideCells(cron: JsonObject): Json[] {
  const job = getObject(cron, "spec", "jobTemplate", "spec");
  return [
    ...namesAndImages(objects(job, "template", "spec", "containers")),
    selectorText(getObject(job, "selector")) || "<none>",
  ];
}

function warningsOf(cron: JsonObject, old: JsonObject | undefined): string[] {
  const job = getObject(cron, "spec", "jobTemplate", "spec");
  const warnings = old === undefined ? podNameWarnings(cron) : [];
  if (isNewGeneration(cron, old)) warnings.push(...jobSpecWarnings(job, "spec.jobTemplate.spec"));
  if (old !== undefined && getString(cron, "spec", "schedule").includes("TZ")) {
    warnings.push(
      "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
    );
  }
  return warnings;
}

/** The names of Jobs consist of the name of the CronJob and eleven more characters. */
const MAX_NAME = 52;

function validateName(cron: JsonObject): FieldError[] {
  const name = getString(cron, "metadata", "name");
  if (name.length <= MAX_NAME) return [];
  return [invalidValue("metadata.name", name, "must be no more than 52 characters")];
}

function validateCronJob(
  cron: JsonObject,
  old: JsonObject | undefined,
  release: Release,
): FieldError[] {
  const spec = getObject(cron, "spec");
  const zone = getOwn(spec, "timeZone");
  const errors = [
    ...validateSchedule(spec, getString(old, "spec", "schedule").includes("TZ")),
    ...nonNegative(spec, "spec", "startingDeadlineSeconds"),
  ];
  if (typeof zone === "string" && zone !== getPath(old, "spec", "timeZone")) {
    errors.push(...timeZoneErrors(zone).map((text) => invalidValue("spec.timeZone", zone, text)));
  }
  const policy = getString(spec, "concurrencyPolicy");
  const policies = ["Allow", "Forbid", "Replace"];
  if (!policies.includes(policy)) {
    errors.push(notSupported("spec.concurrencyPolicy", policy, policies));
  }
  return [
    ...errors,
    ...validateTemplate(getObject(spec, "jobTemplate", "spec"), "spec.jobTemplate.spec", release),
    ...nonNegative(spec, "spec", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"),
  ];
}

function validateSchedule(spec: JsonObject, hadZone: boolean): FieldError[] {
  const field = "spec.schedule";
  const schedule = getString(spec, "schedule");
  if (schedule === "") return [required(field)];
  const reasons: string[] = [];
  const [, zone] = /^(?:CRON_)?TZ=([^ ]*) /.exec(schedule) ?? [];
  const isUnknown = zone !== undefined && zone !== "" && zone !== "Local" && !isTimeZone(zone);
  const wrong = isUnknown
    ? `provided bad location ${zone}: unknown time zone ${zone}`
    : scheduleError(schedule);
  if (wrong !== undefined) reasons.push(wrong);
  if (schedule.includes("TZ") && !hadZone) {
    reasons.push("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (schedule.includes("TZ") && getOwn(spec, "timeZone") !== undefined) {
    reasons.push("cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
  return reasons.map((reason) => invalidValue(field, schedule, reason));
}

function timeZoneErrors(zone: string): string[] {
  if (zone === "") return ["timeZone must be nil or non-empty string"];
  const unknown = `unknown time zone ${zone}`;
  const odd = (part: string) =>
    part === "." || part === ".." || part.startsWith("-") || !/^[A-Za-z.\-_0-9+]{1,14}$/.test(part);
  if (zone.split("/").some(odd)) return [unknown];
  const errors: string[] = [];
  if (zone.toLowerCase() === "local") {
    errors.push(
      "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones",
    );
  }
  return zone === "Local" || isTimeZone(zone) ? errors : [...errors, unknown];
}

/** Reports whether the database of time zones has a zone. The names there begin with a capital letter. */
function isTimeZone(zone: string): boolean {
  if (zone === zone.toLowerCase()) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function validateTemplate(spec: JsonObject, field: string, release: Release): FieldError[] {
  const errors = validateJobTemplate(spec, field, release);
  const selector = getOwn(spec, "selector");
  if (isObject(selector)) {
    errors.push(
      invalidValue(child(field, "selector"), selector, "`selector` will be auto-generated"),
    );
  }
  if (getOwn(spec, "manualSelector") === true) {
    errors.push(notSupported(child(field, "manualSelector"), true, ["nil", "false"]));
  }
  return errors;
}

/** Returns the error of a schedule; undefined if it is valid. */
function scheduleError(schedule: string): string | undefined {
  try {
    new CronSchedule(schedule);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
