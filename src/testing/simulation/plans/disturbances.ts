import type { PlanFault } from "./plan_fault.ts";

/** The number of writes and calls that only one run makes, and that get faults. */
const MOST = 4;

/** Returns the faults that disturb the first ones of some writes and calls: the process is killed there, or gets no answer. */
export function disturbances(names: readonly string[]): PlanFault[] {
  return names.slice(0, MOST).flatMap((write): PlanFault[] => [
    { fault: "crash", when: "before", write },
    { fault: "crash", when: "after", write },
    { fault: "lose", write },
  ]);
}
