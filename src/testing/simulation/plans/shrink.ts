import type { Plan, PlanFault } from "./plan.ts";

/** The part of a run's record that shrinking reads. */
interface Judged {
  readonly wrong: readonly { readonly oracle: string }[];
}

/** A plan and the record of its run. */
export interface Tried<R> {
  readonly plan: Plan;
  readonly record: R;
}

/** The most runs that shrinking may take. */
const MAX_RUNS = 60;

/**
 * Returns a smaller plan that ends wrong in the same way, or the plan itself: with fewer faults, and with shorter ones.
 */
export async function shrink<R extends Judged>(
  plan: Plan,
  record: R,
  run: (plan: Plan) => Promise<R>,
): Promise<Tried<R>> {
  const oracles = new Set(record.wrong.map(({ oracle }) => oracle));
  let best: Tried<R> = { plan, record };
  let runs = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerThan(best.plan)) {
      if (++runs > MAX_RUNS) return best;
      const tried = await run(smaller);
      if (!tried.wrong.some(({ oracle }) => oracles.has(oracle))) continue;
      best = { plan: smaller, record: tried };
      isSmaller = true;
      break;
    }
  }
  return best;
}

function* smallerThan(plan: Plan): Generator<Plan> {
  const { faults } = plan;
  for (const fault of faults) {
    if (faults.length > 1) yield { ...plan, faults: faults.filter((other) => other !== fault) };
  }
  for (const [index, fault] of faults.entries()) {
    for (const shorter of shorterThan(fault)) {
      yield { ...plan, faults: faults.with(index, shorter) };
    }
  }
}

/** Returns shorter and simpler forms of a fault. */
function shorterThan(fault: PlanFault): PlanFault[] {
  if (fault.fault === "hold" || fault.fault === "stale") {
    return [5000, 30_000].filter((ms) => ms < fault.forMs).map((forMs) => ({ ...fault, forMs }));
  }
  if (fault.fault === "change" && fault.set.length > 1) {
    return fault.set.map((change) => ({ ...fault, set: [change] }));
  }
  return [];
}
