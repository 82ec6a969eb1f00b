import { type Clock, realClock, requireSync } from "@kubeloop/controller/internal/base";
import { type Cost, type CostOptions, measureCost } from "./cost/mod.ts";
import { Expectations } from "./expectations.ts";
import type { RunRecord } from "./judge/mod.ts";
import {
  changePlans,
  misfitsOf,
  namesOf,
  pairPlans,
  type Plan,
  type PlanFault,
  pointsOf,
  readPlan,
  recoveryPlans,
  shrink,
  singlePlans,
} from "./plans/mod.ts";
import {
  bugOf,
  Finding,
  planToReplay,
  Progress,
  Report,
  type ReportEnd,
  resultOf,
  writeReport,
} from "./report/mod.ts";
import { Run } from "./run.ts";
import type { SimulationOptions } from "./world/mod.ts";

/** The limits of an exploration. */
export interface Budget {
  /** The number of plans. Default 2000. */
  readonly plans?: number | undefined;
  /** The real time, in milliseconds, for a machine that hangs: plans are what counts. Default 600,000, or ten minutes. */
  readonly ms?: number | undefined;
  /** The number of findings after which the exploration ends. Plans that show the same bug are one. Default 1. */
  readonly findings?: number | undefined;
}

/** Returns a budget with its defaults. */
export function budgetOf(
  { findings = 1, ms = 600_000, plans = 2000 }: Budget = {},
): { readonly [K in keyof Budget]-?: number } {
  return { findings, ms, plans };
}

/** Options of {@linkcode Simulation.explore}. */
export interface ExploreOptions {
  /** The plans: `derived` from the reference run, or a list. Default `derived`. */
  readonly plans?: "derived" | readonly Plan[] | undefined;
  /** The limits of the exploration. */
  readonly budget?: Budget | undefined;
  /** Called after each plan with the number of plans so far. */
  readonly onProgress?: ((done: number, findings: number) => void) | undefined;
  /**
   * Whether to write a line to stderr every few seconds, when it takes long. Default: whether stderr is a terminal and
   * `onProgress` is not given.
   */
  readonly progress?: boolean | undefined;
  /**
   * The folder to write the report to: `NAME.html`, with timelines for a browser, and `NAME.json`. Default: that in the
   * environment variable `KUBELOOP_REPORTS`, if it is set and may be written to.
   */
  readonly reports?: string | undefined;
  /** Measures the real time of the budget. Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/**
 * A simulation of a controller: its processes, the world around them, and the workload of its users.
 * {@linkcode simulation} creates one.
 */
export class Simulation<C = undefined> {
  readonly #options: SimulationOptions<C>;
  readonly #expectations: Expectations<C>;
  /** The names of what recoverable plans have written and called, by their text. */
  readonly #names = new Map<string, readonly string[]>();

  /** Creates a simulation. It does nothing until a plan is run. */
  constructor(options: SimulationOptions<C>) {
    this.#options = options;
    this.#expectations = new Expectations(options);
  }

  /** The name of the simulation, if it has one. */
  get name(): string | undefined {
    return this.#options.name;
  }

  /** The seed of the reference run. */
  get seed(): number {
    return this.#expectations.seed;
  }

  /** Runs the workload without faults. */
  async reference(): Promise<RunRecord> {
    return (await this.#expectations.reference()).record;
  }

  /**
   * Runs one plan: a plan, or its JSON. The same plan gives the same run each time.
   *
   * @throws {SyntaxError} If it is not a plan.
   * @throws {RangeError} If the plan does not fit any more: the message says which of its faults had no effect, and why.
   */
  async replay(plan: Plan | string): Promise<RunRecord> {
    const record = await this.try(readPlan(plan));
    const misfits = await this.#misfitsOf(record);
    if (misfits.length === 0) return record;
    throw new RangeError(`The plan does not fit this simulation:\n- ${misfits.join("\n- ")}`);
  }

  /** Runs one plan as an exploration does: a fault of it may have no effect, see {@linkcode RunRecord.taken}. */
  async try(plan: Plan): Promise<RunRecord> {
    const record = await this.#expectations.run(plan);
    const { recoverable } = await this.#expectations.reference();
    const text = JSON.stringify(plan);
    if (recoverable.has(text)) this.#names.set(text, namesOf(pointsOf(record, [])));
    return record;
  }

  /**
   * Runs one plan, and returns its finding if it ends wrong, and why faults of it had no effect.
   *
   * @internal
   * @throws {SyntaxError} If it is not a plan.
   */
  async check(
    input: Plan | string,
  ): Promise<{ readonly finding: Finding | undefined; readonly misfits: readonly string[] }> {
    const plan = readPlan(input);
    const record = await this.try(plan);
    const misfits = await this.#misfitsOf(record);
    const finding = record.wrong.length > 0 ? await this.#judge(plan, record, false) : undefined;
    return { finding, misfits };
  }

  async #misfitsOf(record: RunRecord): Promise<readonly string[]> {
    const { setup } = await this.#expectations.reference();
    const steps = this.#options.workload.length;
    return misfitsOf(record, { processes: new Set(setup.processes.keys()), steps });
  }

  /**
   * Runs many plans and reports the plans that end wrong; {@linkcode assertClean} throws if there are any. If the
   * environment variable `KUBELOOP_PLAN` is a plan for a simulation of this name, only that plan is run. A variable that
   * may not be read is ignored.
   *
   * @throws {SyntaxError} If that variable is not a plan.
   */
  async explore(options: ExploreOptions = {}): Promise<Report> {
    const report = await this.#explore(options);
    await writeReport(report, options.reports);
    return report;
  }

  async #explore(options: ExploreOptions): Promise<Report> {
    const { clock = realClock, onProgress } = options;
    const { plans: maxPlans, ms, findings: maxFindings } = budgetOf(options.budget);
    const startMs = clock.now();
    const progress = new Progress({
      name: this.#options.name,
      clock,
      isOn: options.progress ?? (onProgress === undefined ? undefined : false),
    });
    const { record } = await this.#expectations.reference();
    const only = planToReplay(this.#options.name);
    const given = only === undefined ? options.plans ?? "derived" : [only];
    const singles = given === "derived" ? await this.singles() : [];
    const report = new Report(this.#options.name, record, singles);
    const end = (ended: ReportEnd) => {
      report.tookMs = clock.now() - startMs;
      report.ended = ended;
      return report;
    };
    if (record.wrong.length > 0) {
      const plan = this.#named(record.plan);
      const { setup } = await this.#expectations.reference();
      const { undone, wrong } = record;
      const how = undone.length > 0 ? { patience: "at the end" } as const : { restartsAtEnd: true };
      const again = await new Run(setup, record.plan, { ...how, stacks: true }).execute();
      const finding = {
        plan,
        record: undone.length > 0 ? again : { ...again, wrong },
        shrunkFrom: plan,
      };
      report.add(new Finding({ ...finding, expected: undefined }), bugOf(record));
      return end("reference");
    }
    for await (const plan of given === "derived" ? this.plans() : given) {
      if (report.plans >= maxPlans) return end("plans");
      if (clock.now() - startMs >= ms) return end("time");
      const tried = await this.try(plan);
      report.count(plan, resultOf(tried, record), tried.outside);
      if (only !== undefined) report.misfits = await this.#misfitsOf(tried);
      if (tried.wrong.length > 0) {
        const bug = bugOf(tried);
        if (!report.knows(bug)) report.add(await this.#judge(plan, tried, only === undefined), bug);
        if (report.findings.length >= maxFindings) break;
      }
      requireSync("onProgress of explore()", onProgress?.(report.plans, report.findings.length));
      progress.report(report.plans, report.findings.length);
    }
    if (only !== undefined) return end("replay");
    return end(report.findings.length >= maxFindings ? "findings" : "all plans");
  }

  /**
   * Measures what the processes cost as a function of the number of objects: requests, bytes, reconciles and the memory of
   * caches, while the objects are created, while nothing happens, when one of them changes, and after a restart. The
   * workload of the simulation is not run. {@linkcode assertCost} compares the cost with bounds.
   *
   * @throws {Error} If a process fails, or a step does not succeed.
   * @throws {RangeError} If a number of the options is out of its range.
   */
  async cost(options: CostOptions<C>): Promise<Cost> {
    return await measureCost(this.#options, options);
  }

  /**
   * Returns the plans of an exploration, in the order in which they are tried: plans with one fault, plans that disturb the
   * recovery from a fault, and pairs of faults.
   */
  async *plans(): AsyncGenerator<Plan> {
    yield* await this.singles();
    yield* this.#disturbedChanges();
    yield* await this.#recoveries();
    const changes = (await this.#changes()).map(({ faults }) => faults);
    const { classes } = await this.#expectations.reference();
    yield* pairPlans(changes.length === 0 ? classes : [...classes, changes], this.seed);
  }

  /** Returns the plans with a change of a campaign each. */
  async #changes(): Promise<readonly Plan[]> {
    const { campaigns } = await this.#expectations.reference();
    return [...campaigns].flatMap(([step, { accepted }]) =>
      accepted.map((set): Plan => ({ seed: this.seed, faults: [{ fault: "change", step, set }] }))
    );
  }

  /** Returns plans that disturb changes, the first ones of each property. */
  async *#disturbedChanges(): AsyncGenerator<Plan> {
    const { points } = await this.#expectations.reference();
    const known = new Set([...namesOf(points), ...points.versions.map(({ id }) => id)]);
    const { processes } = points;
    const perProperty = new Map<string, number>();
    for (const plan of await this.#changes()) {
      const key = propertyOf(plan);
      const count = (perProperty.get(key) ?? 0) + 1;
      perProperty.set(key, count);
      if (count > DISTURBED) continue;
      const changed = pointsOf(await this.try(plan), []);
      yield* changePlans(plan, {
        processes,
        names: namesOf(changed).filter((name) => !known.has(name)),
        versions: changed.versions.filter(({ id }) => !known.has(id)),
      });
    }
  }

  /** Returns the plans with one fault each, in the order in which they are tried. */
  async singles(): Promise<readonly Plan[]> {
    const { classes } = await this.#expectations.reference();
    const orders = await this.#extraPlans();
    return [...await this.#changes(), ...singlePlans(classes, this.seed, orders)];
  }

  /** Returns plans with a second fault where only the recovery from a first one writes. */
  async #recoveries(): Promise<readonly Plan[]> {
    const { points, recoverable } = await this.#expectations.reference();
    const known = new Set(namesOf(points));
    const out: Plan[] = [];
    for (const [text, plan] of recoverable) {
      if (!this.#names.has(text)) await this.try(plan);
      const names = this.#names.get(text)!.filter((name) => !known.has(name));
      names.forEach((name) => known.add(name));
      out.push(...recoveryPlans(plan, names));
    }
    return out;
  }

  /** Returns a plan that says which simulation it is for. */
  #named(plan: Plan): Plan {
    const { name } = this.#options;
    return name === undefined ? plan : { ...plan, simulation: name };
  }

  /** Makes a finding of a plan that ended wrong. */
  async #judge(plan: Plan, record: RunRecord, mayShrink: boolean): Promise<Finding> {
    const smallest = mayShrink
      ? await shrink(plan, record, this.#options.workload, (smaller) => this.#trySmaller(smaller))
      : { plan, record };
    const { created, tolerance } = await this.#expectations.expectedOf(smallest.plan);
    const isChange = smallest.record.changed?.isEnd && typeof created === "object";
    const finding = new Finding({
      plan: this.#named(smallest.plan),
      record: await this.#expectations.run(smallest.plan, { stacks: true }),
      shrunkFrom: this.#named(plan),
      expected: await this.#expectations.explain(smallest.plan, smallest.record),
      tolerance: isChange ? created.tolerance : tolerance,
    });
    this.#expectations.forget();
    return finding;
  }

  /** Runs a smaller plan. Returns undefined if its steps are wrong without any fault. */
  async #trySmaller(plan: Plan): Promise<RunRecord | undefined> {
    if (plan.without !== undefined) {
      const { record } = await this.#expectations.baselineOf(plan);
      if (record.wrong.length > 0) return undefined;
    }
    return await this.#expectations.run(plan);
  }

  /** Returns the plans that change the whole run. */
  async #extraPlans(): Promise<readonly PlanFault[]> {
    const shortcut = await this.#expectations.shortcut();
    return shortcut === undefined ? [] : [{ fault: "shortcut" }];
  }
}

/** The number of changes of each property that other faults disturb. */
const DISTURBED = 2;

/** Returns the properties that a plan changes. */
function propertyOf({ faults }: Plan): string {
  return JSON.stringify(
    faults.map((fault) => fault.fault === "change" ? fault.set.map(({ path }) => path) : []),
  );
}

/**
 * Creates a simulation of a controller. See {@linkcode SimulationOptions}.
 *
 * @throws {TypeError} When it runs, if a process is not a function.
 * @throws {RangeError} When it runs, if a limit is not a number within its range.
 *
 * @example Find a bug
 * ```ts
 * import { ConfigMaps, Controller, SharedInformerFactory } from "@kubeloop/controller";
 * import { assertClean, create, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
 * import { assertThrows } from "@std/assert";
 *
 * // Counts each ConfigMap once, or so it thinks: the count and the mark are two writes.
 * async function count({ client, cloud, signal }: ProcessEnv<{ count: number }>) {
 *   const maps = new SharedInformerFactory(client).informer(ConfigMaps, { namespace: "default" });
 *   const controller = new Controller({
 *     informer: maps,
 *     async reconcile(key) {
 *       const map = maps.indexer.getByKey(key);
 *       if (map === undefined || map.data?.counted === "yes") return;
 *       cloud.count++;
 *       const { name } = map.metadata;
 *       await client.patch(ConfigMaps, name, { data: { counted: "yes" } }, { namespace: "default" });
 *     },
 *   });
 *   await controller.run({ signal });
 * }
 *
 * const sim = simulation({
 *   process: count,
 *   world: { cloud: () => ({ count: 0 }) },
 *   workload: [create(ConfigMaps, "one"), settle()],
 *   always: [({ cloud }) => cloud.count <= 1 || "counted twice"],
 * });
 * const report = await sim.explore();
 * assertThrows(() => assertClean(report), Error, "counted twice");
 * ```
 */
export function simulation<C = undefined>(options: SimulationOptions<C>): Simulation<C> {
  return new Simulation(options);
}
