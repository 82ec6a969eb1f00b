import type { Cached, Container, Pod, PodSpec, Stored } from "@kubeloop/controller/types";
import { isBeingDeleted, podFromTemplate } from "../control/mod.ts";
import { type Job, Jobs } from "./batch_kinds.ts";
import { judgeFailure } from "./job_policies.ts";

/** The finalizer that keeps a Pod until its Job has counted it. */
export const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";
/** The annotation and label with the completion index of a Pod. */
const INDEX = "batch.kubernetes.io/job-completion-index";
const INDEX_VARIABLE = "JOB_COMPLETION_INDEX";
const FAILURES = "batch.kubernetes.io/job-index-failure-count";
const IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count";
/** The longest prefix of a generated name. */
const MAX_PREFIX = 58;

/** The pause after the first failure in a row. It doubles with each further one. */
const FIRST_BACKOFF_MS = 10_000;
const LAST_BACKOFF_MS = 600_000;

/** Reports whether a Job has not counted the end of the Pod yet. */
export function isTracked({ metadata }: Cached<Pod>): boolean {
  return metadata.finalizers?.includes(TRACKING_FINALIZER) === true;
}

/** Reports whether a Job waits for the end of a terminating Pod before it creates a replacement. */
export function replacesFailedOnly({ spec }: Cached<Job>): boolean {
  return spec?.podReplacementPolicy === "Failed" || spec?.podFailurePolicy !== undefined;
}

/** Reports whether a Pod counts as failed. */
export function hasFailed(pod: Cached<Pod>, job: Cached<Job>): boolean {
  const phase = pod.status?.phase;
  if (phase === "Failed") return true;
  return !replacesFailedOnly(job) && isBeingDeleted(pod) && phase !== "Succeeded";
}

/** Returns the completion index of a Pod; undefined if it has no valid one. */
export function indexOf({ metadata }: Cached<Pod>, job: Cached<Job>): number | undefined {
  const index = Number.parseInt(metadata.annotations?.[INDEX] ?? "", 10);
  return index >= 0 && index < (job.spec?.completions ?? 0) ? index : undefined;
}

/** Returns the number of failures of the index of a Pod before this Pod, with or without the ignored ones. */
export function failuresBefore(
  { metadata }: Cached<Pod>,
  { ignored = false }: { readonly ignored?: boolean } = {},
): number {
  const count = (key: string) => Number.parseInt(metadata.annotations?.[key] ?? "", 10) || 0;
  return count(FAILURES) + (ignored ? count(IGNORED_FAILURES) : 0);
}

/** Returns the wall time at which a Pod ended, in milliseconds. */
export function finishedAtMs({ metadata, status }: Cached<Pod>): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) =>
    Date.parse((state?.terminated as { finishedAt?: string })?.finishedAt ?? "")
  );
  if (ends.length > 0 && ends.every((ms) => ms > 0)) return Math.max(...ends);
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status === "False" && ready.lastTransitionTime) {
    return Date.parse(ready.lastTransitionTime);
  }
  const { creationTimestamp = "", deletionGracePeriodSeconds = 0, deletionTimestamp } = metadata;
  return deletionTimestamp === undefined
    ? Date.parse(creationTimestamp) || 0
    : Date.parse(deletionTimestamp) - 1000 * deletionGracePeriodSeconds;
}

/** Returns the wall time before which no Pod is created after so many failures in a row, in milliseconds. */
export function backoffEndMs(failures: number, lastFailureMs: number): number {
  if (failures === 0) return 0;
  return lastFailureMs + Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LAST_BACKOFF_MS);
}

/**
 * Returns a Pod for a Job.
 *
 * @param index The completion index, for an indexed Job.
 * @param replaced The failed Pod of the index whose failures the new Pod remembers.
 */
export function jobPod(job: Cached<Job>, index?: number, replaced?: Cached<Pod>): Pod {
  const pod = podFromTemplate(job.spec?.template ?? {}, job as Stored<Job>, Jobs);
  const { metadata } = pod;
  metadata.finalizers = [...new Set([...metadata.finalizers ?? [], TRACKING_FINALIZER])];
  if (index === undefined) return pod;
  const { name } = job.metadata;
  const suffix = `-${index}-`;
  metadata.generateName = `${name.slice(0, MAX_PREFIX - suffix.length)}${suffix}`;
  metadata.labels = { ...metadata.labels, [INDEX]: String(index) };
  metadata.annotations = {
    ...metadata.annotations,
    [INDEX]: String(index),
    ...(job.spec?.backoffLimitPerIndex !== undefined && failureCounts(job, replaced)),
  };
  const spec = pod.spec as PodSpec;
  spec.hostname = `${name}-${index}`;
  for (const one of [...spec.containers, ...spec.initContainers ?? []]) addVariable(one);
  return pod;
}

function failureCounts(job: Cached<Job>, replaced: Cached<Pod> | undefined) {
  if (replaced === undefined) return { [FAILURES]: "0" };
  const { isCounted } = judgeFailure(job.spec, replaced);
  const counted = failuresBefore(replaced);
  const ignored = failuresBefore(replaced, { ignored: true }) - counted + (isCounted ? 0 : 1);
  return {
    [FAILURES]: String(counted + (isCounted ? 1 : 0)),
    ...(ignored > 0 && { [IGNORED_FAILURES]: String(ignored) }),
  };
}

function addVariable(container: Container): void {
  const { env = [] } = container;
  if (env.some(({ name }) => name === INDEX_VARIABLE)) return;
  const fieldRef = { fieldPath: `metadata.labels['${INDEX}']` };
  container.env = [...env, { name: INDEX_VARIABLE, valueFrom: { fieldRef } }];
}
