import { type Clock, realClock, requireSync } from "@kubeloop/controller/internal/base";
import { type Cost, type CostOptions, measureCost } from "./cost/mod.ts";
import { acceptedChanges, type Changes } from "./campaign/mod.ts";
import { type Resource, resourceName } from "@kubeloop/controller/types";
import { compareStates, type Expected, type RunRecord } from "./judge/mod.ts";
import {
  changePlans,
  create,
  deriveClasses,
  DETOURS,
  type FaultClass,
  misfitsOf,
  namesOf,
  pairPlans,
  type Plan,
  type PlanFault,
  plansToRecoverFrom,
  type Points,
  pointsOf,
  readPlan,
  recoveryPlans,
  settle,
  shrink,
  singlePlans,
  type Step,
  type StepTarget,
  withChanges,
} from "./plans/mod.ts";
import { type EndState, keyOf, traceLine } from "./record/mod.ts";
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
import { Run, type RunOptions } from "./run.ts";
import { type Shortcut, shortcutOf } from "./shortcut.ts";
import { prepare, type Setup, type SimulationOptions } from "./world/mod.ts";

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

/** The run without faults, and the values that other runs are compared with. */
interface Reference<C> {
  readonly setup: Setup<C>;
  readonly record: RunRecord;
  readonly points: Points;
  readonly classes: readonly FaultClass[];
  /** The plans whose recoveries get faults, by their text. */
  readonly recoverable: ReadonlyMap<string, Plan>;
  readonly tolerated: ReadonlySet<string>;
  readonly settled: ReadonlyMap<number, Settled>;
  /** The changes of campaigns, by the index of their step. */
  readonly campaigns: ReadonlyMap<number, Changes>;
}

/** A state in which everything has settled, and its fields whose values are random. */
interface Settled {
  readonly state: EndState;
  readonly tolerated: ReadonlySet<string>;
}

/** The part of the key of a run without faults before the steps that are left out. */
const WITHOUT = " without ";

/** A run without faults that others are compared with. */
interface Baseline {
  readonly record: RunRecord;
  /** Runs it again, and keeps the lines that send requests. */
  again(): Promise<RunRecord>;
}

/**
 * A simulation of a controller: its processes, the world around them, and the workload of its users.
 * {@linkcode simulation} creates one.
 */
export class Simulation<C = undefined> {
  readonly #options: SimulationOptions<C>;
  #reference: Promise<Reference<C>> | undefined;
  #shortcutOf: Promise<Shortcut | undefined> | undefined;
  /** The names of what recoverable plans have written and called, by their text. */
  readonly #names = new Map<string, readonly string[]>();
  /** The runs without faults that others are compared with, such as the runs of the first steps alone. */
  readonly #baselines = new Map<string, Promise<RunRecord>>();
  /** The states that objects with changed properties lead to, by the change. */
  readonly #created = new Map<string, Promise<Expected["created"]>>();

  /** Creates a simulation. It does nothing until a plan is run. */
  constructor(options: SimulationOptions<C>) {
    this.#options = options;
  }

  /** The name of the simulation, if it has one. */
  get name(): string | undefined {
    return this.#options.name;
  }

  /** The seed of the reference run. */
  get seed(): number {
    return this.#options.seed ?? 1;
  }

  /** Runs the workload without faults. */
  async reference(): Promise<RunRecord> {
    return (await this.#getReference()).record;
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
    const record = await this.#runPlan(plan);
    const { recoverable } = await this.#getReference();
    const text = JSON.stringify(plan);
    if (recoverable.has(text)) this.#names.set(text, namesOf(pointsOf(record, [])));
    return record;
  }

  async #misfitsOf(record: RunRecord): Promise<readonly string[]> {
    const { setup } = await this.#getReference();
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
    const { record } = await this.#getReference();
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
      const { setup } = await this.#getReference();
      const again = new Run(setup, record.plan, { restartsAtEnd: true, stacks: true });
      const finding = { plan, record: await again.execute(), shrunkFrom: plan };
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
    const { classes } = await this.#getReference();
    yield* pairPlans(changes.length === 0 ? classes : [...classes, changes], this.seed);
  }

  /** Returns the plans with a change of a campaign each. */
  async #changes(): Promise<readonly Plan[]> {
    const { campaigns } = await this.#getReference();
    return [...campaigns].flatMap(([step, { accepted }]) =>
      accepted.map((set): Plan => ({ seed: this.seed, faults: [{ fault: "change", step, set }] }))
    );
  }

  /** Returns plans that disturb changes, the first ones of each property. */
  async *#disturbedChanges(): AsyncGenerator<Plan> {
    const { points } = await this.#getReference();
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
    const { classes } = await this.#getReference();
    const orders = await this.#extraPlans();
    return [...await this.#changes(), ...singlePlans(classes, this.seed, orders)];
  }

  /** Returns plans with a second fault where only the recovery from a first one writes. */
  async #recoveries(): Promise<readonly Plan[]> {
    const { points, recoverable } = await this.#getReference();
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
    const { created, tolerance } = await this.#expectedOf(smallest.plan);
    const isChange = smallest.record.changed?.isEnd && typeof created === "object";
    const finding = new Finding({
      plan: this.#named(smallest.plan),
      record: await this.#runPlan(smallest.plan, { stacks: true }),
      shrunkFrom: this.#named(plan),
      expected: await (await this.#comparedWith(smallest.plan, smallest.record)).again(),
      tolerance: isChange ? created.tolerance : tolerance,
    });
    // No other plan has the same steps.
    for (const key of this.#baselines.keys()) {
      if (!key.endsWith(WITHOUT)) this.#baselines.delete(key);
    }
    return finding;
  }

  /** Runs a smaller plan. Returns undefined if its steps are wrong without any fault. */
  async #trySmaller(plan: Plan): Promise<RunRecord | undefined> {
    if (plan.without !== undefined) {
      const { record } = await this.#baselineOf(plan);
      if (record.wrong.length > 0) return undefined;
    }
    return await this.#runPlan(plan);
  }

  #getReference(): Promise<Reference<C>> {
    return this.#reference ??= this.#makeReference();
  }

  async #makeReference(): Promise<Reference<C>> {
    const setup = await prepare(this.#options);
    const campaigns = new Map<number, Changes>();
    for (const [index, { campaign }] of setup.options.workload.entries()) {
      if (campaign === undefined) continue;
      const steps = setup.options.workload.slice(0, index + 1) as readonly Step<never>[];
      campaigns.set(index, await acceptedChanges(setup.state, steps));
    }
    const plan = { seed: this.seed, faults: [] };
    const run = (options: RunOptions) => new Run(setup, plan, options).execute();
    const [one, another] = [await run({ chance: 1 }), await run({ chance: 2 })];
    // Objects with random names are identified by their content alone.
    for (const { object, field } of compareStates(one.state, another.state)) {
      if (field === "") setup.anonymous.add(object.slice(0, object.indexOf(" ")));
    }
    const others = [await run({ chance: 1 }), await run({ chance: 2 })];
    const record = withDifference(await run({ restartsAtEnd: true }), one, others[0]!);
    const { heartbeats } = record;
    const tolerated = heartbeats.union(
      differing(record.state, others.map(({ state }) => state)),
    );
    const settled = new Map<number, Settled>();
    for (const [step, state] of record.settled) {
      const states = others.flatMap((other) => other.settled.get(step) ?? []);
      settled.set(step, { state, tolerated: heartbeats.union(differing(state, states)) });
    }
    const points = pointsOf(record, [...setup.processes.keys()]);
    const classes = deriveClasses(points, setup.options.workload as never);
    const recoverable = new Map(
      plansToRecoverFrom(classes, this.seed).map((plan) => [JSON.stringify(plan), plan]),
    );
    return { setup, record, points, classes, recoverable, tolerated, settled, campaigns };
  }

  async #runPlan(plan: Plan, more: Pick<RunOptions, "stacks"> = {}): Promise<RunRecord> {
    const { setup } = await this.#getReference();
    const expected = await this.#expectedOf(plan);
    const options: RunOptions = {
      ...more,
      expected,
      ...(plan.faults.some(({ fault }) => fault === "shortcut") && {
        workload: (await this.#shortcut())?.steps,
      }),
    };
    return await new Run(setup, plan, options).execute();
  }

  /** Returns the run without faults that the run of a plan is compared with. */
  async #baselineOf({ faults, without = [] }: Plan): Promise<Baseline> {
    const { record, setup } = await this.#getReference();
    const revert = faults.find(({ fault }) => fault === "revert");
    if (revert?.fault === "revert") return await this.#prefix(revert.step, without);
    if (faults.some(({ fault }) => fault === "shortcut")) {
      const shortcut = await this.#shortcut();
      if (shortcut !== undefined) return await this.#prefix(shortcut.upTo, []);
    }
    if (without.length > 0) return await this.#prefix(this.#options.workload.length, without);
    const options = { restartsAtEnd: true, stacks: true };
    return { record, again: () => new Run(setup, record.plan, options).execute() };
  }

  /** Returns the run without faults that explains the run of a plan, which may have ended early. */
  async #comparedWith(plan: Plan, { changed, endedAfter }: RunRecord): Promise<Baseline> {
    const created = changed?.isEnd ? await this.#createdAs(plan) : undefined;
    if (created !== undefined) {
      return { record: await created({}), again: () => created({ stacks: true }) };
    }
    return endedAfter === undefined
      ? await this.#baselineOf(plan)
      : await this.#prefix(endedAfter + 1, plan.without ?? []);
  }

  /** Returns the expected end state of a plan. */
  async #expectedOf(plan: Plan): Promise<Expected> {
    const { faults, without = [] } = plan;
    const { settled, tolerated } = await this.#getReference();
    const isOtherWay = faults.some(({ fault }) => fault === "shortcut");
    const revert = faults.find(({ fault }) => fault === "revert");
    const { record } = await this.#baselineOf(plan);
    const { counts, state, wanted } = record;
    const isDetour = faults.some(({ fault }) => DETOURS.has(fault));
    const otherWays = await this.#otherWays(revert, without);
    const ways = { isOtherWay, isDetour, otherWays };
    const states = without.length === 0 ? settled : new Map(
      [...record.settled].map(([step, state]) => [
        step,
        { state, tolerated: tolerated.union(settled.get(step)?.tolerated ?? new Set<string>()) },
      ]),
    );
    return {
      state,
      wanted,
      counts,
      tolerance: { tolerated, ...ways },
      created: await this.#createdState(plan),
      settled: new Map(
        isOtherWay ? [] : [...states].map(([step, { state, tolerated }]) => [
          step,
          { state, tolerance: { tolerated, ...ways } },
        ]),
      ),
    };
  }

  /** Returns the run without faults whose user creates the object as the change of a plan makes it, if it has one. */
  async #createdAs(
    { faults, without = [] }: Plan,
  ): Promise<((options: RunOptions) => Promise<RunRecord>) | undefined> {
    const change = faults.find(({ fault }) => fault === "change");
    if (change?.fault !== "change") return undefined;
    const { campaigns, setup } = await this.#getReference();
    const { step, set } = change;
    const { target } = setup.options.workload[step] ?? {};
    const changes = campaigns.get(step);
    if (changes === undefined || target === undefined) return undefined;
    const { annotations, finalizers, labels } = changes.object.metadata;
    const { apiVersion: _, kind: __, status: ___, ...object } = withChanges(
      changes.object as never,
      set,
    );
    const wanted = { ...object, metadata: { annotations, finalizers, labels } };
    const { name, namespace, resource } = target;
    const others = setup.options.workload.slice(0, step).filter((other, index) =>
      !without.includes(index) && !(other.kind === "write" && isSameTarget(other, target))
    );
    const workload = [
      create(resource as Resource, keyOf(namespace, name), wanted as never),
      ...others,
    ] as readonly Step<never>[];
    const plan = { seed: this.seed, faults: [] };
    return (options) => new Run(setup, plan, { ...options, workload }).execute();
  }

  /** Returns the state that the object which was created with the properties of a change leads to. */
  #createdState(plan: Plan): Promise<Expected["created"]> {
    const change = plan.faults.find(({ fault }) => fault === "change");
    const key = JSON.stringify([change, plan.without ?? []]);
    let created = this.#created.get(key);
    if (created === undefined) {
      created = this.#makeCreatedState(plan);
      this.#created.set(key, created);
    }
    return created;
  }

  async #makeCreatedState(plan: Plan): Promise<Expected["created"]> {
    const created = await (await this.#createdAs(plan))?.({});
    if (created === undefined) return undefined;
    if (created.wrong.some(({ oracle }) => oracle === "hot loop")) return "runaway";
    const { record, tolerated } = await this.#getReference();
    if (isRefused(created, record, plan.faults)) return "mistake";
    const tolerance = {
      tolerated: tolerated.union(created.heartbeats),
      isOtherWay: true,
      isDetour: true,
      otherWays: [],
    };
    return { state: created.state, tolerance };
  }

  /** Returns the end states of runs without faults in which the user reaches the same desired state in other steps. */
  async #otherWays(
    revert: PlanFault | undefined,
    without: readonly number[],
  ): Promise<readonly EndState[]> {
    const { setup } = await this.#getReference();
    if (revert?.fault === "revert") {
      if (revert.when === "settled") return [];
      const settled: PlanFault = { ...revert, when: "settled" };
      const run = await this.#once(
        `revert ${revert.step}${WITHOUT}${without}`,
        () => new Run(setup, { seed: this.seed, faults: [settled], without }),
      );
      return [run.state];
    }
    const shortcut = await this.#shortcut();
    if (shortcut === undefined || without.length > 0) return [];
    const workload = [
      ...shortcut.steps,
      settle(),
      ...this.#options.workload.slice(shortcut.upTo),
    ] as readonly Step<never>[];
    const plan = { seed: this.seed, faults: [] };
    return [
      (await this.#once(`shortcut${WITHOUT}`, () => new Run(setup, plan, { workload }))).state,
    ];
  }

  /** Returns the run of the first `steps` steps, except those of `without`. */
  async #prefix(steps: number, without: readonly number[]): Promise<Baseline> {
    const { setup } = await this.#getReference();
    const plan = { seed: this.seed, faults: [], without };
    const key = `prefix ${steps}${WITHOUT}${without}`;
    const record = await this.#once(key, () => new Run(setup, plan, { steps }));
    return { record, again: () => new Run(setup, plan, { steps, stacks: true }).execute() };
  }

  /** Executes a run that others are compared with, or returns its earlier result. */
  #once(key: string, make: () => Run<C> | Promise<Run<C>>): Promise<RunRecord> {
    let baseline = this.#baselines.get(key);
    if (baseline === undefined) {
      baseline = Promise.resolve(make()).then((run) => run.execute());
      this.#baselines.set(key, baseline);
    }
    return baseline;
  }

  #shortcut(): Promise<Shortcut | undefined> {
    return this.#shortcutOf ??= this.#getReference().then(({ setup }) =>
      shortcutOf(setup, this.seed)
    );
  }

  /** Returns the plans that change the whole run. */
  async #extraPlans(): Promise<readonly PlanFault[]> {
    const shortcut = await this.#shortcut();
    return shortcut === undefined ? [] : [{ fault: "shortcut" }];
  }
}

/** The number of further warnings and errors of a process that refuses an object. One may be about a conflict. */
const PROBLEMS = 3;
/** The number of changes of each property that other faults disturb. */
const DISTURBED = 2;

/** Returns the properties that a plan changes. */
function propertyOf({ faults }: Plan): string {
  return JSON.stringify(
    faults.map((fault) => fault.fault === "change" ? fault.set.map(({ path }) => path) : []),
  );
}

function isSameTarget({ target }: { readonly target?: StepTarget | undefined }, other: StepTarget) {
  return target?.name === other.name && target.namespace === other.namespace &&
    resourceName(target.resource) === resourceName(other.resource);
}

/** Reports whether processes do not accept an object that a user has created with other properties than in the reference. */
function isRefused(record: RunRecord, reference: RunRecord, faults: readonly PlanFault[]): boolean {
  if (record.wrong.length > 0) return true;
  const problems = ({ history: { moments } }: RunRecord) =>
    moments.filter((moment) => moment.kind === "log" && moment.isProblem).length;
  if (problems(record) >= problems(reference) + PROBLEMS) return true;
  // Without a word, nothing is made of it. A text or a number may be invalid in ways that no schema says.
  const makes = ({ counts }: RunRecord) =>
    [...counts.keys()].some((what) => / creates /.test(what));
  return makes(reference) && !makes(record) && faults.some((fault) =>
    fault.fault === "change" &&
    fault.set.some(({ to }) => typeof to === "string" || typeof to === "number")
  );
}

/** Returns a run without faults, which is wrong if two equal runs differ. */
function withDifference(record: RunRecord, one: RunRecord, same: RunRecord): RunRecord {
  const lines = [one, same].map(({ history }) => history.moments.map(traceLine));
  const at = lines[0]!.findIndex((line, i) => line !== lines[1]![i]);
  if (at < 0) return record;
  const [first, second] = lines.map((all) => all[at] ?? "nothing more happens");
  const uses = record.outside.length === 0 ? "" : ` ${record.outside.join("; ")}.`;
  const message = `Two equal runs without faults differ: first [${first}], then [${second}]. ` +
    `The processes use something that is outside of the simulation.${uses}`;
  const atMs = one.history.moments[at]?.atMs ?? one.virtualMs;
  return { ...record, wrong: [...record.wrong, { oracle: "process", message, atMs }] };
}

/** Returns the fields that differ from a state in any of the others. */
function differing(state: EndState, others: readonly EndState[]): ReadonlySet<string> {
  return new Set(
    others.flatMap((other) =>
      compareStates(state, other).map(({ object, field }) => `${object} ${field}`)
    ),
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
