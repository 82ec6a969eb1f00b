import type { FaultClass } from "./derive.ts";
import { disturbances } from "./disturbances.ts";
import type { Plan } from "./plan.ts";

/** The number of plans of each class whose recovery is looked at. */
const PER_CLASS = 3;

/** Returns the plans whose recoveries may write what the run without faults does not write: some of each class. */
export function plansToRecoverFrom(classes: readonly FaultClass[], seed: number): readonly Plan[] {
  return classes.flatMap((group) => {
    const step = Math.max(1, Math.floor(group.length / PER_CLASS));
    return group.filter((_, i) => i % step === 0).slice(0, PER_CLASS)
      .map((faults): Plan => ({ seed, faults }));
  });
}

/**
 * Returns plans that disturb a recovery: the faults of a plan, and a fault at one of the writes and calls that only its run
 * has made.
 *
 * @param names The names of these writes and calls, in order.
 */
export function recoveryPlans({ faults, seed }: Plan, names: readonly string[]): readonly Plan[] {
  return disturbances(names).map((fault) => ({ seed, faults: [...faults, fault] }));
}
