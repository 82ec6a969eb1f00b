import {
  isCount,
  isFlag,
  isSignal,
  isTimeLimit,
  type OptionChecks,
} from "@kubeloop/controller/internal/base";

/** Options of `evict`. */
export interface EvictOptions {
  /** The time for the containers to stop, in seconds. Default: the grace period of the Pod. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Whether the server only checks the eviction. Default false. */
  readonly dryRun?: boolean | undefined;
  /** The time limit while a PodDisruptionBudget forbids the eviction, in milliseconds. Default `Infinity`. */
  readonly timeoutMs?: number | undefined;
  /** Stops the call. */
  readonly signal?: AbortSignal | undefined;
}

/** The checks of the options of `evict`. */
export const EVICT_CHECKS: OptionChecks<EvictOptions> = {
  gracePeriodSeconds: isCount(0),
  dryRun: isFlag,
  timeoutMs: isTimeLimit,
  signal: isSignal,
};
