import { type History, later } from "../record/mod.ts";
import { describeFault } from "./plan.ts";
import type { PlanFault } from "./plan_fault.ts";

/** The faults of a plan, by write, by read and by step, and a record of the faults that have taken effect. */
export class FaultBook {
  readonly faults: readonly PlanFault[];
  readonly #byName = new Map<string, PlanFault[]>();
  readonly #taken = new Set<PlanFault>();
  readonly #history: History;
  readonly #now: () => number;
  #untilMs = -Infinity;

  constructor(faults: readonly PlanFault[], history: History, now: () => number) {
    this.faults = faults;
    this.#history = history;
    this.#now = now;
    for (const fault of faults) {
      for (const name of namesOf(fault)) {
        const same = this.#byName.get(name);
        if (same === undefined) this.#byName.set(name, [fault]);
        else same.push(fault);
      }
    }
  }

  /** The faults that have taken effect. */
  get taken(): ReadonlySet<PlanFault> {
    return this.#taken;
  }

  /** The end of the last fault that has taken effect, in milliseconds of virtual time; `-Infinity` if none has. */
  get untilMs(): number {
    return this.#untilMs;
  }

  /** Returns the faults that concern a write, a read or a call. */
  ofName(id: string): readonly PlanFault[] {
    return this.#byName.get(id) ?? [];
  }

  /** Returns the fault of a kind that concerns a step. */
  ofStep<K extends PlanFault["fault"]>(
    kind: K,
    step: number,
  ): Extract<PlanFault, { fault: K }> | undefined {
    return this.faults.find((fault) =>
      fault.fault === kind && "step" in fault && fault.step === step
    ) as Extract<PlanFault, { fault: K }> | undefined;
  }

  /** Returns the fault of a kind. */
  of<K extends PlanFault["fault"]>(kind: K): Extract<PlanFault, { fault: K }> | undefined {
    return this.faults.find(({ fault }) => fault === kind) as
      | Extract<PlanFault, { fault: K }>
      | undefined;
  }

  /** Returns how far the clock of a process is ahead, in milliseconds. The fault then takes effect. */
  skewOf(process: string): number {
    const skew = this.faults.find((fault) => fault.fault === "skew" && fault.process === process);
    if (skew?.fault !== "skew") return 0;
    this.takeEffect(skew);
    return skew.ms;
  }

  /** Records that a fault has taken effect and lasts for `forMs`. */
  takeEffect(fault: PlanFault, forMs = 0): void {
    this.extend(forMs);
    if (this.#taken.has(fault)) return;
    this.#taken.add(fault);
    this.#history.add({ kind: "fault", text: describeFault(fault) });
  }

  /** Records that the effect of a fault lasts for another `forMs`. */
  extend(forMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, this.#now() + forMs);
  }
}

/** Returns the names of the writes, reads and calls that a fault concerns. */
function namesOf(fault: PlanFault): readonly string[] {
  if ("write" in fault || "read" in fault) {
    const first = "read" in fault ? fault.read : fault.write;
    if (first === undefined) return [];
    const times = "times" in fault ? fault.times ?? 1 : 1;
    return Array.from({ length: times }, (_, i) => later(first, i));
  }
  return fault.fault === "revert" && fault.when !== "settled" ? [fault.when] : [];
}
