import type { ProbeFailure } from "./pod_life.ts";

/** The part of a probe of a container that says when the kubelet asks, and what it makes of the answers. */
export interface Probe {
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
  readonly successThreshold?: number;
}

/** A time from which a probe counts as succeeding or failing. */
export interface ProbeChange {
  readonly atMs: number;
  readonly isGood: boolean;
}

/**
 * Returns when the result of a probe changes, in milliseconds since the start of the container. The kubelet asks at
 * regular times; so many failures or successes in a row as the probe says change its result.
 *
 * @param probe The probe of the container.
 * @param failures When the probe fails, in any order.
 * @param call `isGood`: the result before the first answer. `fromMs`: the time before which the kubelet does not ask.
 */
export function probeChanges(
  probe: Probe,
  failures: readonly ProbeFailure[],
  call: { readonly isGood: boolean; readonly fromMs: number },
): ProbeChange[] {
  const periodMs = 1000 * (probe.periodSeconds ?? 10);
  const firstMs = 1000 * (probe.initialDelaySeconds ?? 0);
  const { failureThreshold = 3, successThreshold = 1 } = probe;
  /** The first time from `ms` on at which the kubelet asks. */
  const askedMs = (ms: number) =>
    firstMs + Math.ceil(Math.max(0, Math.max(ms, call.fromMs) - firstMs) / periodMs) * periodMs;
  const changes: ProbeChange[] = [];
  let { isGood } = call;
  /** Notes that the answers are the same from `fromMs` until before `untilMs`. */
  const answers = (areGood: boolean, fromMs: number, untilMs: number) => {
    const needed = areGood ? successThreshold : failureThreshold;
    const atMs = askedMs(fromMs) + (needed - 1) * periodMs;
    if (areGood === isGood || atMs >= untilMs) return;
    isGood = areGood;
    changes.push({ atMs, isGood });
  };
  let goodFromMs = 0;
  for (const { fromMs, untilMs } of joined(failures)) {
    answers(true, goodFromMs, fromMs);
    answers(false, fromMs, untilMs);
    goodFromMs = untilMs;
  }
  if (goodFromMs < Infinity) answers(true, goodFromMs, Infinity);
  return changes;
}

/** Sorts the failures and joins overlapping ones. */
function joined(failures: readonly ProbeFailure[]): { fromMs: number; untilMs: number }[] {
  const sorted = failures
    .map(({ fromMs = 0, untilMs = Infinity }) => ({ fromMs, untilMs }))
    .filter(({ fromMs, untilMs }) => fromMs < untilMs)
    .sort((a, b) => a.fromMs - b.fromMs);
  const result: { fromMs: number; untilMs: number }[] = [];
  for (const one of sorted) {
    const last = result.at(-1);
    if (last === undefined || last.untilMs < one.fromMs) result.push(one);
    else last.untilMs = Math.max(last.untilMs, one.untilMs);
  }
  return result;
}
