/**
 * The CronJob operator of the kubebuilder book, ported: it creates a Job at each time of a schedule, keeps some of the
 * finished ones, and reports the running ones.
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
  type Manager,
  type ObjectOf,
  TerminalError,
} from "@kubeloop/controller";
import { z } from "zod";
import { nextRun } from "./_cron.ts";

const SCHEDULED_AT = "batch.tutorial.kubebuilder.io/scheduled-at";
/** With more missed runs, a clock must be wrong. */
const MAX_MISSED = 100;

const limit = z.int().min(0).optional();
const text = z.string();

export const CronJobs = defineResource({
  group: "batch.tutorial.kubebuilder.io",
  version: "v1",
  kind: "CronJob",
  spec: z.object({
    schedule: text,
    startingDeadlineSeconds: limit,
    concurrencyPolicy: z.enum(["Allow", "Forbid", "Replace"]).default("Allow"),
    suspend: z.boolean().optional(),
    jobTemplate: z.object({
      metadata: z.object({
        labels: z.record(text, text).optional(),
        annotations: z.record(text, text).optional(),
      }).optional(),
      spec: z.looseObject({}),
    }),
    successfulJobsHistoryLimit: limit,
    failedJobsHistoryLimit: limit,
  }),
  status: z.object({
    active: z.array(
      z.object({ apiVersion: text, kind: text, namespace: text, name: text, uid: text }),
    ).optional(),
    lastScheduleTime: z.iso.datetime().optional(),
  }),
});

export type CronJob = ObjectOf<typeof CronJobs>;

/** Declares the controller of CronJobs. */
export function cronJobController(manager: Manager): ControllerHandle {
  return manager.controller(CronJobs)
    .owns(Jobs)
    .reconcile(async ({ object, owned, apply, remove, status, clock }) => {
      const { spec } = object;
      const jobs = owned(Jobs).toSorted((a, b) =>
        timeOf(a.status?.startTime) - timeOf(b.status?.startTime)
      );
      const active = jobs.filter((job) => outcomeOf(job) === undefined);
      const times = jobs.map(({ metadata }) => metadata.annotations?.[SCHEDULED_AT]);
      const lastMs = Math.max(...[object.status?.lastScheduleTime, ...times].map(timeOf));
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
      const { missedMs, nextMs } = runsOf(object, lastMs, nowMs);
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

/**
 * Returns the last time at which a Job should have been created, if there is one, and the next time.
 *
 * @throws {TerminalError} When only a change of the schedule helps.
 */
function runsOf({ metadata, spec }: Cached<CronJob>, lastMs: number, nowMs: number) {
  const { schedule, startingDeadlineSeconds: deadline = Infinity } = spec;
  const sinceMs = Math.max(lastMs || timeOf(metadata.creationTimestamp), nowMs - deadline * 1_000);
  let missedMs: number | undefined;
  let nextMs = nextRun(schedule, sinceMs);
  for (let missed = 0; nextMs <= nowMs; nextMs = nextRun(schedule, nextMs)) {
    missedMs = nextMs;
    if (++missed > MAX_MISSED) {
      throw new TerminalError(
        "Too many missed start times: set or decrease spec.startingDeadlineSeconds",
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
    spec: jobSpec as unknown as NonNullable<Job["spec"]>,
  };
}

function outcomeOf({ status }: Cached<Job>): string | undefined {
  return status?.conditions?.find(({ type, status }) =>
    (type === "Complete" || type === "Failed") && status === "True"
  )?.type;
}

/** Returns a time in milliseconds; 0 if there is none, or it cannot be read. */
function timeOf(text: string | undefined): number {
  return Date.parse(text ?? "") || 0;
}
