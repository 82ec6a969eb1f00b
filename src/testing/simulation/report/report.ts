import { reportHtml, type ReportView } from "@kubeloop/controller/internal/see";
import { bugOf } from "./bug.ts";
import type { Finding, FindingJson } from "./finding.ts";
import { Coverage, type FaultCounts, type PlanResult } from "./coverage.ts";
import type { Plan } from "../plans/mod.ts";
import { type ChangedState, compareStates, type RunRecord } from "../judge/mod.ts";

/** The reason why an exploration ended. */
export type ReportEnd =
  /** All plans were run. */
  | "all plans"
  /** The budget of plans was used up. */
  | "plans"
  /** The budget of real time was used up. */
  | "time"
  /** The budget of findings was used up. */
  | "findings"
  /** The run without faults is wrong, so no plan was run. */
  | "reference"
  /** Only the plan of `KUBELOOP_PLAN` was run. */
  | "replay";

/** A report as JSON. It has no real times, so that a simulation gives the same one each time. */
export interface ReportJson {
  /** The name of the simulation. */
  readonly simulation?: string | undefined;
  /** The seed of the run without faults. */
  readonly seed: number;
  /** The number of plans that were run. */
  readonly plans: number;
  /** The number of plans that changed nothing. */
  readonly noEffect: number;
  /** The number of plans that ended wrong. */
  readonly wrong: number;
  /** The number of plans with one fault that were derived from the run without faults. */
  readonly derived: number;
  /** The kinds of faults that never took effect. */
  readonly neverMet: readonly string[];
  /** The pairs of kinds of faults that never took effect in one run. */
  readonly pairsNeverMet: readonly string[];
  /** The properties that a campaign has changed in all ways, without any effect. */
  readonly unread: readonly string[];
  /** The uses of things outside of the simulation, each with its line. */
  readonly outside: readonly string[];
  /** Why the exploration ended. */
  readonly ended: ReportEnd;
  /** The counts by kind of fault. */
  readonly faults: Readonly<Record<string, FaultCounts>>;
  /** Remarks about the run without faults that are not errors. */
  readonly notes: readonly string[];
  /** The findings. Plans that show the same bug are one finding. */
  readonly findings: readonly FindingJson[];
}

/** The maximum number of findings whose runs a page shows. */
const MAX_RUNS = 20;
/** The maximum length of the message of {@linkcode assertClean}, in characters. */
const MAX_MESSAGE = 20_000;

/** Returns the result of a run: whether its plan had no effect, and which of its faults had one. */
export function resultOf(
  { changed, history, plan, taken, wrong }: RunRecord,
  reference: RunRecord,
): PlanResult {
  return {
    isIdle: taken.size === 0 || history.equals(reference.history),
    taken: plan.faults.flatMap((fault, index) => taken.has(fault) ? [index] : []),
    isRead: changed && (wrong.length > 0 || hasEffect(changed, plan, reference)),
  };
}

/** Reports whether a change of properties has changed anything besides them. */
function hasEffect(
  { hasCalled, object, state }: ChangedState,
  { faults }: Plan,
  { settled }: RunRecord,
): boolean {
  if (hasCalled) return true;
  const change = faults.find(({ fault }) => fault === "change");
  const before = change?.fault === "change" ? settled.get(change.step) : undefined;
  return before === undefined ||
    compareStates(before, state).some((difference) =>
      difference.object !== object ||
      (/^status\b/.test(difference.field) && !/\bobservedGeneration$/.test(difference.field))
    );
}

/** The result of an exploration. {@linkcode assertClean} throws if it has findings. */
export class Report {
  /** The name of the simulation. */
  readonly simulation: string | undefined;
  /** The run without faults. */
  readonly reference: RunRecord;
  readonly #findings: Finding[] = [];
  readonly #byBug = new Map<string, Finding>();
  /** The share of the derived plans that were run. */
  readonly coverage: Coverage;
  readonly #outside: Set<string>;
  /** Why the faults of the plan of `KUBELOOP_PLAN` had no effect, for each that had none. */
  misfits: readonly string[] = [];
  /** The real time, in milliseconds. */
  tookMs = 0;
  /** Why the exploration ended. */
  ended: ReportEnd = "all plans";

  /** Creates a report without plans. {@linkcode Simulation.explore} does. */
  constructor(
    simulation: string | undefined,
    reference: RunRecord,
    singles: readonly Plan[] = [],
  ) {
    this.simulation = simulation;
    this.reference = reference;
    this.coverage = new Coverage(singles);
    this.#outside = new Set(reference.outside);
  }

  /** The number of plans that were run. */
  get plans(): number {
    return this.coverage.ran;
  }

  /** The number of plans that changed nothing. They prove nothing. */
  get noEffect(): number {
    return this.coverage.ran - this.coverage.tookEffect;
  }

  /** The uses of things outside of the simulation, each with its line. */
  get outside(): readonly string[] {
    return [...this.#outside];
  }

  /** The findings. Plans that show the same bug are one finding. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Counts a plan that was run. */
  count(plan: Plan, result: PlanResult, outside: readonly string[] = []): void {
    this.coverage.count(plan, result);
    for (const use of outside) this.#outside.add(use);
  }

  /** Counts a plan that shows a bug, if a finding is about that bug. Returns false if none is. */
  knows(bug: string): boolean {
    const finding = this.#byBug.get(bug);
    if (finding !== undefined) finding.plans++;
    return finding !== undefined;
  }

  /** Adds a finding. `bug` is what the plan showed before it was made smaller. */
  add(finding: Finding, bug: string): void {
    // The smaller plan may show that the bug is a known one.
    const smallest = bugOf(finding.record);
    const known = this.#byBug.get(smallest);
    if (known === undefined) this.#findings.push(finding);
    else known.plans++;
    for (const name of [bug, smallest]) this.#byBug.set(name, known ?? finding);
  }

  /** The number of plans that ended wrong. */
  get wrong(): number {
    return this.findings.reduce((sum, { plans }) => sum + plans, 0);
  }

  /** Returns the report in words. */
  toString(): string {
    return this.#text(true);
  }

  #text(withTime: boolean): string {
    const name = this.simulation ?? "The simulation";
    const lines = [`${name}: ${this.#summary(withTime)}`];
    for (const finding of this.findings) lines.push("", finding.toString());
    lines.push(...this.coverage.lines());
    if (this.#outside.size > 0) {
      lines.push("", "Outside of the simulation, so that it may differ from run to run:");
      for (const use of this.#outside) lines.push(`  ${use}`);
    }
    return lines.join("\n");
  }

  /**
   * Returns the report as a page for a browser, in one HTML file: the run of each finding, step by step, with what each
   * process knew and what was true.
   */
  toHtml(): string {
    return reportHtml(this.view(), this.#text(false));
  }

  /**
   * Returns the report as a page shows it. It has no real times.
   *
   * @internal
   */
  view(): ReportView {
    const { coverage, findings, outside, simulation } = this;
    return {
      title: simulation ?? "Simulation",
      summary: this.#summary(false),
      findings: findings.map((finding, index) => finding.view(index < MAX_RUNS)),
      coverage: Object.entries(coverage.faults).map(([fault, counts]) => ({ fault, ...counts })),
      notes: [
        ...coverage.remarks(),
        ...outside.map((use) => `Outside of the simulation, so that it may differ: ${use}`),
      ],
    };
  }

  /** Returns the report as JSON values, without real times. */
  toJSON(): ReportJson {
    const { coverage, ended, findings, noEffect, outside, plans, reference, simulation, wrong } =
      this;
    return {
      ...(simulation !== undefined && { simulation }),
      seed: reference.plan.seed,
      plans,
      noEffect,
      wrong,
      derived: coverage.derived,
      neverMet: coverage.neverMet,
      pairsNeverMet: coverage.pairsNeverMet,
      unread: coverage.unread,
      outside,
      ended,
      faults: coverage.faults,
      notes: reference.notes,
      findings: findings.map((finding) => finding.toJSON()),
    };
  }

  #summary(withTime: boolean): string {
    const { coverage, ended, findings, noEffect, plans, tookMs, wrong } = this;
    const bugs = findings.length === wrong ? "" : ` (${count(findings.length, "finding")})`;
    const of = coverage.derived > 0
      ? ` (${Math.min(plans, coverage.derived)} of ${coverage.derived} with one fault)`
      : "";
    const time = withTime ? ` in ${(tookMs / 1000).toFixed(1)} s` : "";
    return `${
      count(plans, "plan")
    }${of}${time}, ${noEffect} without effect, ${wrong} wrong${bugs}; ended: ${ENDS[ended]}`;
  }
}

const ENDS: Readonly<Record<ReportEnd, string>> = {
  "all plans": "all plans were run",
  plans: "the budget of plans is used up",
  time: "the budget of time is used up",
  findings: "enough was found",
  reference: "the run without faults is wrong",
  replay: "only the plan of KUBELOOP_PLAN was run",
};

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/**
 * Throws unless an exploration has run plans that changed something, and none of them ended wrong.
 *
 * @throws {Error} With the report: if a plan ended wrong, if no plan was run, if the time ended before all plans with one
 * fault were run, or if no plan had an effect.
 *
 * @example Two lines in a test
 * ```ts
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { assertClean, create, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
 *
 * async function label({ client }: ProcessEnv) {
 *   const call = { namespace: "default" };
 *   for await (const { type } of await client.watch(ConfigMaps, call)) {
 *     if (type !== "ADDED") continue;
 *     await client.patch(ConfigMaps, "one", { metadata: { labels: { seen: "yes" } } }, call);
 *   }
 * }
 * const sim = simulation({ process: label, workload: [create(ConfigMaps, "one"), settle()] });
 *
 * Deno.test("labels a ConfigMap, whatever its answers are", async () => {
 *   const plans = [{ seed: 1, faults: [{ fault: "shuffle" }] }] as const;
 *   assertClean(await sim.explore({ plans }));
 * });
 * ```
 */
export function assertClean(report: Report): void {
  const { coverage, ended, findings, noEffect, plans } = report;
  const fail = (why: string) => {
    const text = `${why}\n${report}`;
    const isLong = text.length > MAX_MESSAGE;
    throw new Error(isLong ? `${text.slice(0, MAX_MESSAGE)}\n… (cut here)` : text);
  };
  if (findings.length > 0) {
    fail(
      ended === "reference"
        ? "The simulation is wrong without any fault."
        : "The simulation found a bug.",
    );
  }
  if (plans === 0) {
    fail(
      "The simulation ran no plan, so it proves nothing. Give it a larger budget, or more steps.",
    );
  }
  if (ended === "time" && plans < coverage.derived) {
    fail(
      `The budget of time ended after ${plans} of ${coverage.derived} plans with one fault, so the others prove nothing. Raise budget.ms, or give budget.plans.`,
    );
  }
  if (noEffect === plans) {
    fail(
      ended === "replay"
        ? `The plan of KUBELOOP_PLAN changed nothing: it no longer fits this simulation. ${
          report.misfits.join("; ")
        }`
        : "No plan of the simulation changed anything, so it proves nothing. Do its processes write, and use env.client and env.clock?",
    );
  }
}
