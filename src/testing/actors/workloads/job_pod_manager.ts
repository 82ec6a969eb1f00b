import type { Clock } from "@kubeloop/controller/internal/base";
import type { Cached, Pod } from "@kubeloop/controller/types";
import {
  type Expectations,
  isReady,
  type PodControl,
  slowStart,
  whenTerminating,
} from "../control/mod.ts";
import type { Job } from "./batch_kinds.ts";
import { type JobBackoff, nextPodMs } from "./job_backoff.ts";
import { isIndexed, type JobCount, pendingIndexes } from "./job_count.ts";
import {
  backoffEndMs,
  failuresBefore,
  finishedAtMs,
  indexOf,
  isTracked,
  jobPod,
  replacesFailedOnly,
} from "./job_pods.ts";
import type { JobTracking } from "./job_tracking.ts";
import { leastMissedFirst } from "./victims.ts";

/** The number of Pods that are created or deleted at once. */
const BURST = 500;

/** The Pods of a Job after a change. */
export interface Managed {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  /** The wall time at which the next Pod may be created, in milliseconds; Infinity if none waits. */
  readonly nextMs: number;
  /** The first error. */
  readonly error?: unknown;
}

/** Creates and deletes the Pods of Jobs. */
export class JobPodManager {
  readonly #clock: Clock;
  readonly #control: PodControl;
  readonly #expectations: Expectations;
  readonly #tracking: JobTracking;

  /** Creates the manager of the Pods of all Jobs. */
  constructor(options: {
    readonly clock: Clock;
    readonly control: PodControl;
    readonly expectations: Expectations;
    readonly tracking: JobTracking;
  }) {
    this.#clock = options.clock;
    this.#control = options.control;
    this.#expectations = options.expectations;
    this.#tracking = options.tracking;
  }

  /** Deletes the active Pods of a Job that ends. They keep their finalizers, to be counted. */
  async stop(job: Cached<Job>, count: JobCount, signal: AbortSignal): Promise<Managed> {
    return await this.#delete(job, count, count.active, signal);
  }

  /** Creates missing Pods, or deletes surplus Pods. */
  async manage(
    job: Cached<Job>,
    count: JobCount,
    backoff: JobBackoff,
    signal: AbortSignal,
  ): Promise<Managed> {
    const { active, terminating } = count;
    const wanted = job.spec?.suspend === true ? 0 : wantedActive(job, count);
    const victims = tooMany(job, active, active.length - wanted).slice(0, BURST);
    if (victims.length > 0) {
      await Promise.all(
        victims.filter(isTracked).map((pod) => this.#tracking.release(pod, signal)),
      );
      return await this.#delete(job, count, victims, signal);
    }
    const missing = wanted - active.length - (replacesFailedOnly(job) ? terminating : 0);
    const unchanged = { active: active.length, ready: count.ready, terminating, nextMs: Infinity };
    if (missing <= 0) return unchanged;
    const nowMs = this.#clock.wallNow();
    if (count.failedIndexes === undefined && nextPodMs(backoff) > nowMs) {
      return { ...unchanged, nextMs: nextPodMs(backoff) };
    }
    const most = Math.min(missing, BURST);
    if (!isIndexed(job)) {
      return await this.#create(job, count, Array.from({ length: most }, () => undefined), signal);
    }
    const pending = pendingIndexes(job, count, most);
    const due = pending.map((index) => [index, indexDueMs(count, index)] as const);
    const ready = due.filter(([, dueMs]) => dueMs <= nowMs).map(([index]) => index);
    if (ready.length === 0) {
      return { ...unchanged, nextMs: Math.min(...due.map(([, dueMs]) => dueMs)) };
    }
    const created = await this.#create(job, count, ready, signal);
    const later = due.map(([, dueMs]) => dueMs).filter((dueMs) => dueMs > nowMs);
    return { ...created, nextMs: Math.min(Infinity, ...later) };
  }

  async #create(
    job: Cached<Job>,
    { active, ready, replaceable, terminating }: JobCount,
    indexes: readonly (number | undefined)[],
    signal: AbortSignal,
  ): Promise<Managed> {
    const { uid } = job.metadata;
    this.#expectations.expect(uid, indexes.length);
    const { error, succeeded } = await slowStart(indexes.length, async (i) => {
      const index = indexes[i];
      const pod = jobPod(job, index, index === undefined ? undefined : replaceable.get(index));
      await this.#control.create(job, pod, signal);
    });
    this.#expectations.creationObserved(uid, indexes.length - succeeded);
    return {
      active: active.length + succeeded,
      ready,
      terminating,
      nextMs: Infinity,
      ...(error !== undefined && !whenTerminating(error) && { error }),
    };
  }

  async #delete(
    job: Cached<Job>,
    { active, ready, terminating }: JobCount,
    victims: readonly Cached<Pod>[],
    signal: AbortSignal,
  ): Promise<Managed> {
    const { uid } = job.metadata;
    if (victims.length > 0) {
      this.#expectations.expect(uid, 0, victims.map(({ metadata }) => metadata.uid));
    }
    const results = await Promise.allSettled(victims.map(async (pod) => {
      let isDeleted = false;
      try {
        isDeleted = await this.#control.delete(job, pod, signal);
      } finally {
        if (!isDeleted) this.#expectations.deletionObserved(uid, pod.metadata.uid);
      }
    }));
    const deleted = victims.filter((_pod, i) => results[i]?.status === "fulfilled");
    const failed = results.find((result) => result.status === "rejected");
    return {
      active: active.length - deleted.length,
      ready: ready - deleted.filter(isReady).length,
      terminating: terminating + deleted.length,
      nextMs: Infinity,
      ...(failed !== undefined && { error: failed.reason }),
    };
  }
}

function wantedActive({ spec }: Cached<Job>, { active, succeeded }: JobCount): number {
  const { completions, parallelism = 1 } = spec ?? {};
  // Without a number of completions, the first success ends the Job: no further Pods are created.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** Returns the active Pods to delete: those without a valid index of their own, and then the least useful ones. */
function tooMany(job: Cached<Job>, active: readonly Cached<Pod>[], atLeast: number): Cached<Pod>[] {
  const sorted = leastMissedFirst(active);
  if (!isIndexed(job)) return sorted.slice(0, Math.max(0, atLeast));
  const best = new Map<number, Cached<Pod>>();
  for (const pod of sorted) {
    const index = indexOf(pod, job);
    if (index !== undefined) best.set(index, pod);
  }
  const kept = new Set(best.values());
  const victims = sorted.filter((pod) => !kept.has(pod));
  return [...victims, ...[...kept].slice(0, Math.max(0, atLeast - victims.length))];
}

/** Returns the wall time from which an index may get its next Pod, in milliseconds. */
function indexDueMs({ replaceable }: JobCount, index: number): number {
  const failed = replaceable.get(index);
  if (failed === undefined) return 0;
  return backoffEndMs(failuresBefore(failed, { ignored: true }) + 1, finishedAtMs(failed));
}
