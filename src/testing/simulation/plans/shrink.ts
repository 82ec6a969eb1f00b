import type { Plan } from "./plan.ts";
import type { PlanFault } from "./plan_fault.ts";
import type { Step } from "./steps.ts";

/** The part of a run's record that shrinking reads. */
interface Judged {
  readonly wrong: readonly {
    readonly oracle: string;
    readonly message: string;
    readonly object?: string | undefined;
    readonly field?: string | undefined;
  }[];
  readonly endedAfter?: number | undefined;
}

/** A plan and the record of its run. */
export interface Tried<R> {
  readonly plan: Plan;
  readonly record: R;
}

/** The most runs that shrinking may take. */
const MAX_RUNS = 60;

/**
 * Returns a smaller plan that ends wrong in the same way, or the plan itself: with fewer faults, with shorter ones, and with
 * fewer steps of the workload. `run` returns undefined for a plan that proves nothing.
 */
export async function shrink<R extends Judged>(
  plan: Plan,
  record: R,
  workload: readonly Pick<Step, "isBad" | "kind">[],
  run: (plan: Plan) => Promise<R | undefined>,
): Promise<Tried<R>> {
  const bugs = new Set(record.wrong.map(bugOf));
  let best: Tried<R> = { plan, record };
  let runs = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerThan(best, workload)) {
      if (++runs > MAX_RUNS) return best;
      const tried = await run(smaller);
      if (!tried?.wrong.some((wrong) => bugs.has(bugOf(wrong)))) continue;
      best = { plan: smaller, record: tried };
      isSmaller = true;
      break;
    }
  }
  return best;
}

function bugOf({ field = "", message, object = "", oracle }: Judged["wrong"][number]): string {
  const what = oracle === "invariant" ? message.replaceAll(/\d+/g, "0") : object;
  return `${oracle} ${what} ${field}`;
}

function* smallerThan(
  { plan, record }: Tried<Judged>,
  workload: readonly Pick<Step, "isBad" | "kind">[],
): Generator<Plan> {
  const { faults, without = [] } = plan;
  for (const fault of faults) {
    if (faults.length > 1) yield { ...plan, faults: faults.filter((other) => other !== fault) };
  }
  for (const [index, fault] of faults.entries()) {
    for (const shorter of shorterThan(fault)) {
      yield { ...plan, faults: faults.with(index, shorter) };
    }
  }
  // A shortcut has steps of its own.
  if (faults.some(({ fault }) => fault === "shortcut")) return;
  const needed = new Set(faults.flatMap((fault) => "step" in fault ? [fault.step] : []));
  const droppable = [...workload.keys()].filter((step) =>
    !needed.has(step) && !without.includes(step) && !workload[step]!.isBad
  );
  const sorted = (steps: readonly number[]) => steps.toSorted((a, b) => a - b);
  const { endedAfter } = record;
  const unreached = droppable.filter((step) => endedAfter !== undefined && step > endedAfter);
  if (unreached.length > 0) yield { ...plan, without: sorted([...without, ...unreached]) };
  for (const step of droppable.toReversed()) {
    // Waits keep the other steps apart, so that they are easier to follow: one is left out with the step before it.
    if (workload[step]!.kind === "settle") continue;
    const wait = step + 1;
    if (workload[wait]?.kind === "settle" && droppable.includes(wait)) {
      yield { ...plan, without: sorted([...without, step, wait]) };
    }
    yield { ...plan, without: sorted([...without, step]) };
  }
}

/** The times that a shorter fault may last, in milliseconds. */
const SHORTER_MS = [1000, 5000, 30_000];

/** Returns shorter and simpler forms of a fault. */
function shorterThan(fault: PlanFault): PlanFault[] {
  if ("times" in fault) {
    const { times: _, ...once } = fault;
    return [once];
  }
  if (fault.fault === "change" && fault.set.length > 1) {
    return fault.set.map((change) => ({ ...fault, set: [change] }));
  }
  if (!("forMs" in fault)) return [];
  return SHORTER_MS.filter((ms) => ms < fault.forMs).map((forMs) => ({ ...fault, forMs }));
}
