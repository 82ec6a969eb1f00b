import type { Points } from "./derive.ts";
import { disturbances } from "./disturbances.ts";
import type { Plan } from "./plan.ts";
import type { PlanFault } from "./plan_fault.ts";

/** The number of versions that stale replicas stand at. */
const VERSIONS = 3;

/** The points that a run with a change has, and the run without faults has not. */
export interface NewPoints extends Pick<Points, "processes" | "versions"> {
  /** The names of writes and calls. */
  readonly names: readonly string[];
}

/**
 * Returns plans that disturb a change of properties and its restoration: crashes and lost answers at the writes and calls that
 * follow from it, and restarts on a replica that has not seen the restoration.
 */
export function changePlans(plan: Plan, { names, processes, versions }: NewPoints): Plan[] {
  const change = plan.faults.find(({ fault }) => fault === "change");
  if (change?.fault !== "change") return [];
  const { step } = change;
  // The wishes of the user come first: a replica then shows the properties as they are no more.
  const stale = versions.toSorted((a, b) => Number(b.isWish) - Number(a.isWish)).slice(0, VERSIONS);
  const faults: PlanFault[] = [
    ...disturbances(names),
    ...stale.flatMap(({ id }) =>
      processes.map((process): PlanFault => ({
        fault: "stale",
        process,
        step,
        at: id,
        forMs: 30_000,
      }))
    ),
  ];
  return faults.map((fault) => ({ ...plan, faults: [change, fault] }));
}
