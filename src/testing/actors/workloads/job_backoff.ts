import type { Cached, Pod } from "@kubeloop/controller/types";
import { backoffEndMs, finishedAtMs } from "./job_pods.ts";

/** The failures of a Job since its last success. */
export interface JobBackoff {
  readonly failures: number;
  readonly lastFailureMs: number;
}

/** A Job without failures. */
export const NO_FAILURES: JobBackoff = { failures: 0, lastFailureMs: 0 };

/** Returns the failures after further Pods have ended. */
export function nextBackoff(
  before: JobBackoff,
  succeeded: readonly Cached<Pod>[],
  failed: readonly Cached<Pod>[],
): JobBackoff {
  const lastSuccessMs = Math.max(-Infinity, ...succeeded.map(finishedAtMs));
  const later = failed.map(finishedAtMs).filter((ms) => ms > lastSuccessMs);
  const { failures, lastFailureMs } = succeeded.length > 0 ? NO_FAILURES : before;
  return {
    failures: failures + later.length,
    lastFailureMs: Math.max(lastFailureMs, ...later),
  };
}

/** Returns the wall time before which the Job gets no further Pod. */
export function nextPodMs({ failures, lastFailureMs }: JobBackoff): number {
  return backoffEndMs(failures, lastFailureMs);
}
