import type { FaultClass } from "./derive.ts";
import type { Plan } from "./plan.ts";
import type { PlanFault } from "./plan_fault.ts";

/** The number of plans of each class whose recovery is looked at. */
const PER_CLASS = 3;
/** The number of writes of one recovery that get faults. */
const WRITES = 4;

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
  return names.slice(0, WRITES).flatMap((write) =>
    ([
      { fault: "crash", when: "before", write },
      { fault: "crash", when: "after", write },
      { fault: "lose", write },
    ] as readonly PlanFault[]).map((fault): Plan => ({ seed, faults: [...faults, fault] }))
  );
}
