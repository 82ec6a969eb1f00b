import type { History } from "../record/mod.ts";
import { describeFault, type PlanFault } from "./plan.ts";

/** The faults of a plan: which concern a write or a step, and which have taken effect. */
export class FaultBook {
  readonly faults: readonly PlanFault[];
  readonly #byWrite = new Map<string, PlanFault[]>();
  readonly #taken = new Set<PlanFault>();
  readonly #history: History;
  readonly #now: () => number;
  #untilMs = -Infinity;

  constructor(faults: readonly PlanFault[], history: History, now: () => number) {
    this.faults = faults;
    this.#history = history;
    this.#now = now;
    for (const fault of faults) {
      const write = writeOf(fault);
      if (write === undefined) continue;
      const same = this.#byWrite.get(write);
      if (same === undefined) this.#byWrite.set(write, [fault]);
      else same.push(fault);
    }
  }

  /** The faults that have taken effect. */
  get taken(): ReadonlySet<PlanFault> {
    return this.#taken;
  }

  /** The time at which the last fault that has taken effect is over, in milliseconds; `-Infinity` if none has. */
  get untilMs(): number {
    return this.#untilMs;
  }

  /** Returns the faults that concern a write. */
  ofWrite(id: string): readonly PlanFault[] {
    return this.#byWrite.get(id) ?? [];
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

  /** Notes that a fault has taken effect, which lasts for `forMs`. */
  takeEffect(fault: PlanFault, forMs = 0): void {
    this.extend(forMs);
    if (this.#taken.has(fault)) return;
    this.#taken.add(fault);
    this.#history.add({ kind: "fault", text: describeFault(fault) });
  }

  /** Notes that something that a fault has begun goes on for `forMs`. */
  extend(forMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, this.#now() + forMs);
  }
}

function writeOf(fault: PlanFault): string | undefined {
  if ("write" in fault) return fault.write;
  return fault.fault === "revert" && fault.when !== "settled" ? fault.when : undefined;
}
