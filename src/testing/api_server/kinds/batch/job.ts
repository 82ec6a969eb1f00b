import {
  getObject,
  getOwn,
  getPath,
  getString,
  humanDuration,
  isObject,
  type Json,
  type JsonObject,
  timeMs,
  withPath,
} from "../../../values/mod.ts";
import { defaultFailurePolicy } from "./job_policies.ts";
import { defaultPodSpec } from "../core/pod_spec/mod.ts";
import {
  AGE,
  column,
  fill,
  fillPointer,
  getNumber,
  isTrue,
  NAME,
  named,
  templateCells,
} from "../shared/mod.ts";
import { defineKind, type KindRecord, orElse, STATUS } from "../record/mod.ts";
import { validateJobStatus } from "./job_status.ts";
import {
  CONTROLLER_UID,
  generatedLabels,
  jobWarnings,
  validateJob,
  validateJobUpdate,
} from "./job_validation.ts";
import { warnOfPodSecurity } from "../core/pod_security/mod.ts";

/** Jobs. */
export const JOB: KindRecord = defineKind("batch/v1", "jobs", "Job", {
  categories: ["all"],
  subresources: [STATUS],
  counts: [["spec"]],
  defaults: defaultJob,
  prepareCreate: prepareJob,
  warnings: jobWarnings,
  confirm: (object, _, confirmation) =>
    warnOfPodSecurity(getObject(object, "spec", "template"), confirmation),
  asRead: labelAsPods,
  names: "subdomain",
  wholeFirst: true,
  validate: validateJob,
  validateChange: validateJobUpdate,
  validateStatus: validateJobStatus,
  fields: { "status.successful": orElse(["status", "succeeded"], "0") },
  unknownField: (label) => `field label ${JSON.stringify(label)} not supported for Job`,
  deletion: {
    orphansByDefault:
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  },
  table: {
    columns: [
      NAME,
      column("Status", "Status of the job."),
      column(
        "Completions",
        "The number of pods which reached phase Succeeded. The value increases monotonically for a given spec. However, it may decrease in reaction to scale down of elastic indexed jobs.",
      ),
      column("Duration", "Time required to complete the job."),
      AGE,
      column("Containers", "Names of each container in the template.", 1),
      column("Images", "Images referenced by each container in the template.", 1),
      column(
        "Selector",
        "A label query over pods that should match the pod count. Normally, the system sets this field for you. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
        1,
      ),
    ],
    row: named(jobCells, templateCells),
  },
}, { since: "1.37", validatesAgain: false });

function defaultJob(job: JsonObject): void {
  const spec = getObject(job, "spec");
  if (getOwn(spec, "completions") === undefined && getOwn(spec, "parallelism") === undefined) {
    spec["completions"] = 1;
  }
  fill(spec, "parallelism", 1);
  const perIndex = getOwn(spec, "backoffLimitPerIndex") !== undefined;
  fill(spec, "backoffLimit", perIndex ? 2_147_483_647 : 6);
  fillPointer(spec, "completionMode", "NonIndexed");
  fill(spec, "suspend", false);
  fillPointer(
    spec,
    "podReplacementPolicy",
    isObject(getOwn(spec, "podFailurePolicy")) ? "Failed" : "TerminatingOrFailed",
  );
  fill(spec, "manualSelector", false);
  defaultFailurePolicy(spec);
  const metadata = getObject(job, "metadata");
  const labels = getObject(spec, "template", "metadata", "labels");
  if (Object.keys(labels).length > 0 && Object.keys(getObject(metadata, "labels")).length === 0) {
    // The same map, as in the real server: the labels that the server generates for Pods get into it, too.
    metadata["labels"] = labels;
  }
  defaultPodSpec(getObject(spec, "template", "spec"));
}

/** Generates the selector and the Pod labels of a Job from its UID, unless `manualSelector` is true. */
function prepareJob(job: JsonObject): JsonObject {
  if (getPath(job, "spec", "manualSelector") === true) return job;
  const generated = generatedLabels(job);
  const given = getObject(job, "spec", "template", "metadata", "labels");
  const shared = getObject(job, "metadata", "labels") === given;
  const labels = { ...generated, ...given };
  const selector = {
    [CONTROLLER_UID]: generated[CONTROLLER_UID],
    ...getObject(job, "spec", "selector", "matchLabels"),
  };
  let result = withPath(job, ["spec", "template", "metadata", "labels"], labels);
  result = withPath(result, ["spec", "selector", "matchLabels"], selector);
  return shared ? withPath(result, ["metadata", "labels"], labels) : result;
}

/** Copies the labels of the Pods to a Job without labels. */
function labelAsPods(job: JsonObject): JsonObject {
  if (Object.keys(getObject(job, "metadata", "labels")).length > 0) return job;
  const labels = getPath(job, "spec", "template", "metadata", "labels");
  return withPath(job, ["metadata", "labels"], labels);
}

function jobCells(job: JsonObject, nowMs: number): Json[] {
  const succeeded = getNumber(job, "status", "succeeded");
  const wanted = getPath(job, "spec", "completions");
  const parallelism = getNumber(job, "spec", "parallelism");
  let completions = `${succeeded}/${wanted ?? 1}`;
  if (wanted === undefined && parallelism > 1) completions += ` of ${parallelism}`;
  const start = getString(job, "status", "startTime");
  const end = getString(job, "status", "completionTime");
  const endMs = end === "" ? nowMs : timeMs(end);
  const duration = start === "" ? "" : humanDuration(endMs - timeMs(start));
  return [jobStatus(job), completions, duration];
}

function jobStatus(job: JsonObject): string {
  if (isTrue(job, "Complete")) return "Complete";
  if (isTrue(job, "Failed")) return "Failed";
  if (getString(job, "metadata", "deletionTimestamp") !== "") return "Terminating";
  const found = ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find((one) =>
    isTrue(job, one)
  );
  return found ?? "Running";
}
