import type { SelfResult } from "./self_run.ts";

/** A plan that ended wrong. */
export interface Failure {
  readonly seed: number;
  readonly wrong: readonly string[];
}

/** The results of many plans. It can be sent to another thread. */
export interface Tally {
  plans: number;
  faults: number;
  requests: number;
  events: number;
  virtualMs: number;
  /** The sum of the hashes of all traces, which does not depend on their order. */
  trace: number;
  /** The plan with the lowest seed that ended wrong. */
  failure: Failure | undefined;
}

/** Returns the tally of no plan. */
export function emptyTally(): Tally {
  return {
    plans: 0,
    faults: 0,
    requests: 0,
    events: 0,
    virtualMs: 0,
    trace: 0,
    failure: undefined,
  };
}

/** Counts one more plan. */
export function count(tally: Tally, result: SelfResult): void {
  const { events, faults, requests, seed, trace, virtualMs, wrong } = result;
  const failure = wrong.length > 0 ? { seed, wrong } : undefined;
  const more = { plans: 1, faults, requests, events, virtualMs, failure };
  add(tally, { ...more, trace: Number.parseInt(trace.slice(0, 8), 16) });
}

/** Adds the plans of another tally. */
export function add(tally: Tally, more: Tally): void {
  tally.plans += more.plans;
  tally.faults += more.faults;
  tally.requests += more.requests;
  tally.events += more.events;
  tally.virtualMs += more.virtualMs;
  tally.trace = (tally.trace + more.trace) % 2 ** 32;
  const { failure } = more;
  if (failure !== undefined && failure.seed < (tally.failure?.seed ?? Infinity)) {
    tally.failure = failure;
  }
}
