/**
 * The CronJob operator of the kubebuilder book, ported: it creates a Job at each time of a schedule, keeps some of the
 * finished ones, and reports those that run.
 *
 * @module
 */

import {
  type ApplyConfiguration,
  type Cached,
  type ControllerHandle,
  defineResource,
  formatTime,
  type Job,
  Jobs,
  type JsonSchema,
  type Manager,
  type ObjectOf,
} from "@kubeloop/controller";
import { nextRun } from "./_cron.ts";

const SCHEDULED_AT = "batch.tutorial.kubebuilder.io/scheduled-at";
/** With more missed runs, a clock must be wrong. */
const MAX_MISSED = 100;

const atLeastZero = { type: "integer", minimum: 0 } as const;
const text = { type: "string" } as const;
const jobTemplate: JsonSchema<Partial<Pick<Job, "metadata">> & Pick<Job, "spec">> = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
};

export const CronJobs = defineResource({
  group: "batch.tutorial.kubebuilder.io",
  version: "v1",
  kind: "CronJob",
  spec: {
    type: "object",
    required: ["schedule", "jobTemplate"],
    properties: {
      schedule: text,
      startingDeadlineSeconds: atLeastZero,
      concurrencyPolicy: { type: "string", enum: ["Allow", "Forbid", "Replace"], default: "Allow" },
      suspend: { type: "boolean" },
      jobTemplate,
      successfulJobsHistoryLimit: atLeastZero,
      failedJobsHistoryLimit: atLeastZero,
    },
  },
  status: {
    type: "object",
    properties: {
      active: {
        type: "array",
        items: {
          type: "object",
          properties: { apiVersion: text, kind: text, namespace: text, name: text, uid: text },
        },
      },
      lastScheduleTime: { type: "string", format: "date-time" },
    },
  },
});

export type CronJob = ObjectOf<typeof CronJobs>;

/** Declares the controller of CronJobs. */
export function cronJobController(manager: Manager): ControllerHandle {
  return manager.controller(CronJobs)
    .owns(Jobs)
    .reconcile(async ({ object, owned, apply, remove, status, clock, log }) => {
      const { spec } = object;
      const jobs = owned(Jobs).toSorted((a, b) => startOf(a) - startOf(b));
      const active = jobs.filter((job) => outcomeOf(job) === undefined);
      const lastMs = Math.max(timeOf(object.status?.lastScheduleTime), ...jobs.map(scheduleOf));
      status({
        active: active.map(({ metadata: { namespace = "", name, uid } }) => ({
          apiVersion: "batch/v1",
          kind: "Job",
          namespace,
          name,
          uid,
        })),
        lastScheduleTime: lastMs > 0 ? formatTime(lastMs) : null,
      });

      const { failedJobsHistoryLimit, successfulJobsHistoryLimit } = spec;
      const limits = { Failed: failedJobsHistoryLimit, Complete: successfulJobsHistoryLimit };
      for (const [outcome, kept = Infinity] of Object.entries(limits)) {
        const finished = jobs.filter((job) => outcomeOf(job) === outcome);
        for (const job of finished.slice(0, Math.max(0, finished.length - kept))) {
          await remove(Jobs, job);
        }
      }
      if (spec.suspend) return;

      const nowMs = clock.wallNow();
      let run: Run;
      try {
        run = runOf(object, lastMs, nowMs);
      } catch (error) {
        // Only a change of the schedule helps.
        return void log.error(`the schedule cannot be followed: ${error}`);
      }
      const { missedMs, nextMs } = run;
      const later = { requeueAfterMs: nextMs - nowMs };
      if (missedMs === undefined) return later;
      const { startingDeadlineSeconds: deadline = Infinity, concurrencyPolicy } = spec;
      if (missedMs + deadline * 1_000 < nowMs) return later;
      if (concurrencyPolicy === "Forbid" && active.length > 0) return later;
      if (concurrencyPolicy === "Replace") { for (const job of active) await remove(Jobs, job); }
      await apply(Jobs, jobOf(object, missedMs), { adopt: false });
      return later;
    });
}

/** The last time at which a Job should have been created, if there is one, and the next time. */
interface Run {
  readonly missedMs: number | undefined;
  readonly nextMs: number;
}

function runOf({ metadata, spec }: Cached<CronJob>, lastMs: number, nowMs: number): Run {
  const { schedule, startingDeadlineSeconds: deadline = Infinity } = spec;
  const earliestMs = Math.max(
    lastMs || timeOf(metadata.creationTimestamp),
    nowMs - deadline * 1_000,
  );
  let missedMs: number | undefined;
  let nextMs = nextRun(schedule, earliestMs);
  for (let missed = 0; nextMs <= nowMs; nextMs = nextRun(schedule, nextMs)) {
    missedMs = nextMs;
    if (++missed > MAX_MISSED) {
      throw new Error(
        "Too many missed start times: set or decrease spec.startingDeadlineSeconds, or check clock skew",
      );
    }
  }
  return { missedMs, nextMs };
}

function jobOf({ metadata, spec }: Cached<CronJob>, atMs: number): ApplyConfiguration<Job> {
  const { metadata: { labels, annotations } = {}, spec: jobSpec } = spec.jobTemplate;
  return {
    metadata: {
      name: `${metadata.name}-${atMs / 1_000}`,
      labels,
      annotations: { ...annotations, [SCHEDULED_AT]: formatTime(atMs) },
    },
    spec: jobSpec,
  };
}

function outcomeOf({ status }: Cached<Job>): string | undefined {
  return status?.conditions?.find(({ type, status }) =>
    (type === "Complete" || type === "Failed") && status === "True"
  )?.type;
}

function startOf({ status }: Cached<Job>): number {
  return timeOf(status?.startTime);
}

function scheduleOf({ metadata }: Cached<Job>): number {
  return timeOf(metadata.annotations?.[SCHEDULED_AT]);
}

/** Returns a time in milliseconds; 0 if there is none, or it cannot be read. */
function timeOf(text: string | undefined): number {
  return Date.parse(text ?? "") || 0;
}
