import type { History } from "../record/mod.ts";
import { describeFault, type Plan } from "./plan.ts";
import type { PlanFault } from "./plan_fault.ts";

/** A run, and its plan. */
interface PlannedRun {
  readonly plan: Plan;
  readonly history: History;
  readonly taken: ReadonlySet<PlanFault>;
}

/** The parts of a simulation that plans name. */
interface Parts {
  readonly processes: ReadonlySet<string>;
  readonly steps: number;
}

/**
 * Returns the parts of a plan that do not fit its run: of faults without an effect, the part that the run does not have; and
 * the numbers of steps that `without` names and the workload does not have.
 */
export function misfitsOf({ history, plan, taken }: PlannedRun, parts: Parts): readonly string[] {
  const names = namesIn(history);
  const left = plan.without?.filter((step) => step >= parts.steps) ?? [];
  const missing = left.map((step) =>
    `step ${step + 1} is to be left out, and the workload has ${parts.steps} steps`
  );
  const unused = plan.faults.filter((fault) => !taken.has(fault)).flatMap((fault) => {
    const why = missingIn(fault, names, parts);
    return why === undefined ? [] : [`${describeFault(fault)}: ${why}`];
  });
  return [...missing, ...unused];
}

function missingIn(
  fault: PlanFault,
  names: ReadonlySet<string>,
  { processes, steps }: Parts,
): string | undefined {
  if ("process" in fault && !processes.has(fault.process)) {
    return `there is no process ${fault.process}, only ${[...processes].join(", ")}`;
  }
  if ("step" in fault && fault.step >= steps) {
    return `there is no step ${fault.step + 1}: the workload has ${steps}`;
  }
  if (fault.fault === "change") {
    return `step ${
      fault.step + 1
    } is no campaign, or a new object with these properties never settles`;
  }
  const named: Readonly<Record<string, unknown>> = { ...fault };
  for (const field of ["write", "read", "event", "at"]) {
    const name = named[field];
    if (typeof name === "string" && !names.has(name)) {
      return `${field} ${JSON.stringify(name)} did not happen`;
    }
  }
  return undefined;
}

function namesIn({ moments }: History): ReadonlySet<string> {
  const names = new Set<string>();
  for (const moment of moments) {
    if (moment.kind === "sent") names.add(moment.write.id);
    if (moment.kind === "cloud") names.add(moment.text);
    if (moment.kind === "asked" || moment.kind === "read" || moment.kind === "committed") {
      names.add(moment.id);
    }
  }
  return names;
}
