import { describeFault, type Plan } from "./plan.ts";
import type { RunRecord } from "./run.ts";
import { storyOf } from "./story.ts";

/** A plan that ends wrong. */
export interface Finding {
  /** The smallest plan that was found. */
  readonly plan: Plan;
  /** Its run. */
  readonly record: RunRecord;
  /** The plan that was found first. */
  readonly shrunkFrom: Plan;
}

/** What an exploration has found. */
export class Report {
  readonly simulation: string | undefined;
  /** The run without faults. */
  readonly reference: RunRecord;
  readonly #findings: Finding[] = [];
  readonly #counts = new Map<string, { plans: number; noEffect: number }>();
  /** The number of plans that were run. */
  plans = 0;
  /** The number of plans that changed nothing. */
  noEffect = 0;
  /** The real time, in milliseconds. */
  tookMs = 0;

  constructor(simulation: string | undefined, reference: RunRecord) {
    this.simulation = simulation;
    this.reference = reference;
  }

  /** The plans that end wrong. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Counts a run. */
  count(record: RunRecord, referenceTrace: string): void {
    this.plans++;
    const isIdle = record.taken.size === 0 || record.history.hash() === referenceTrace;
    if (isIdle) this.noEffect++;
    for (const { fault } of record.plan.faults) {
      const counts = this.#counts.get(fault) ?? { plans: 0, noEffect: 0 };
      counts.plans++;
      if (isIdle) counts.noEffect++;
      this.#counts.set(fault, counts);
    }
  }

  found(finding: Finding): void {
    this.#findings.push(finding);
  }

  /** Returns the report in words. */
  toString(): string {
    const lines = [
      `${this.simulation ?? "The simulation"}: ${this.plans} plans in ${
        (this.tookMs / 1000).toFixed(1)
      } s, ${this.noEffect} without effect, ${this.findings.length} wrong`,
    ];
    for (const [fault, { plans, noEffect }] of this.#counts) {
      lines.push(`  ${fault}: ${plans} plans${noEffect > 0 ? `, ${noEffect} without effect` : ""}`);
    }
    for (const finding of this.findings) lines.push("", describeFinding(finding));
    return lines.join("\n");
  }
}

/** Returns a finding in words: what was wrong, the plan, and the story. */
export function describeFinding({ plan, record }: Finding): string {
  const lines = record.wrong.map(({ message, oracle }) => `WRONG (${oracle}): ${message}`);
  if (plan.faults.length === 0) lines.push("It happens without any fault.");
  for (const fault of plan.faults) lines.push(`Fault: ${describeFault(fault)}`);
  lines.push("", ...storyOf(record), "", `Replay: ${replayCommand(plan)}`);
  return lines.join("\n");
}

/** Returns what to put before a test command to run only this plan. */
export function replayCommand(plan: Plan): string {
  return `KUBELOOP_PLAN='${JSON.stringify(plan).replaceAll("'", "'\\''")}'`;
}

/**
 * Throws if an exploration has found anything.
 *
 * @throws {Error} With the report, if a plan ended wrong.
 */
export function assertClean(report: Report): void {
  if (report.findings.length > 0) throw new Error(`The simulation found a bug.\n${report}`);
}
