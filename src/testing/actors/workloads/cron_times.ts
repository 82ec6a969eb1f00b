import type { Cached } from "@kubeloop/controller/types";
import type { CronJob } from "./batch_kinds.ts";
import type { CronSchedule } from "../../cron/mod.ts";

/** More missed times than this are a sign of a wrong clock. */
const MANY = 100;

/** The times of a CronJob, in milliseconds since the Unix epoch. */
export interface CronTimes {
  /** The latest time at which a Job is due and has not been created; undefined if there is none. */
  readonly dueMs: number | undefined;
  /** The next time after now. */
  readonly nextMs: number | undefined;
  /** Whether so many times were missed that the clock may be wrong. */
  readonly missedMany: boolean;
}

/** Returns when a CronJob is due. What was missed by more than `startingDeadlineSeconds` does not count. */
export function cronTimes(
  { metadata, spec, status }: Cached<CronJob>,
  schedule: CronSchedule,
  nowMs: number,
): CronTimes {
  const sinceMs = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? "") || 0;
  const deadlineMs = nowMs - 1000 * (spec?.startingDeadlineSeconds ?? Infinity);
  const nextMs = schedule.next(nowMs);
  const firstMs = schedule.next(Math.max(sinceMs, deadlineMs));
  if (firstMs === undefined || firstMs > nowMs) {
    return { dueMs: undefined, nextMs, missedMany: false };
  }
  const secondMs = schedule.next(firstMs) ?? Infinity;
  if (secondMs > nowMs) return { dueMs: firstMs, nextMs, missedMany: false };
  const stepMs = secondMs - firstMs;
  const missed = Math.floor((nowMs - firstMs) / stepMs) + 1;
  // Skips most of what was missed; the rest is counted, since the steps may differ.
  let dueMs = firstMs;
  const startMs = firstMs + Math.max(0, missed - 2) * stepMs;
  for (let atMs = schedule.next(startMs); atMs !== undefined && atMs <= nowMs;) {
    dueMs = atMs;
    atMs = schedule.next(atMs);
  }
  return { dueMs, nextMs, missedMany: missed > MANY };
}

/** Formats a time with the offset of a time zone, as RFC 3339. */
export function zonedTime(wallMs: number, timeZone = "Etc/UTC"): string {
  const text = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  }).format(wallMs).replace(" ", "T");
  const offset = Math.round((Date.parse(`${text}Z`) - Math.floor(wallMs / 1000) * 1000) / 60_000);
  if (offset === 0) return `${text}Z`;
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const size = Math.abs(offset);
  return `${text}${offset < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}
