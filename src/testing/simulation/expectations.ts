import { type Resource, resourceName } from "@kubeloop/controller/types";
import type { Expected, RunRecord } from "./judge/mod.ts";
import {
  create,
  DETOURS,
  type Plan,
  type PlanFault,
  settle,
  type Step,
  type StepTarget,
  withChanges,
} from "./plans/mod.ts";
import { type EndState, keyOf } from "./record/mod.ts";
import { makeReference, type Reference, type Settled } from "./reference.ts";
import { Run, type RunOptions } from "./run.ts";
import { type Shortcut, shortcutOf } from "./shortcut.ts";
import type { SimulationOptions } from "./world/mod.ts";

/** The part of the key of a run without faults before the steps that are left out. */
const WITHOUT = " without ";

/** How a run waits for the timers of its processes. */
const PATIENT = { patience: "at the end" } as const;

/** A run without faults that others are compared with. */
export interface Baseline {
  readonly record: RunRecord;
  /** The state that its end state becomes by itself; undefined if it is final. */
  readonly later?: EndState | undefined;
  /** Whether each run must reach that state, which is then final. */
  readonly isLaterSteady?: boolean | undefined;
  /** Runs it again, and keeps the lines that send requests. */
  again(): Promise<RunRecord>;
}

/** The states that the runs of plans should have, and the runs without faults from which they are known. */
export class Expectations<C> {
  readonly #options: SimulationOptions<C>;
  #reference: Promise<Reference<C>> | undefined;
  #shortcutOf: Promise<Shortcut | undefined> | undefined;
  /** The runs without faults that others are compared with, such as the runs of the first steps alone. */
  readonly #baselines = new Map<string, Promise<RunRecord>>();
  /** The states that objects with changed properties lead to, by the change. */
  readonly #created = new Map<string, Promise<Expected["created"]>>();

  /** Creates expectations. Nothing runs until one is asked for. */
  constructor(options: SimulationOptions<C>) {
    this.#options = options;
  }

  /** The seed of the run without faults. */
  get seed(): number {
    return this.#options.seed ?? 1;
  }

  /** Returns the run without faults, and what follows from it. */
  reference(): Promise<Reference<C>> {
    return this.#reference ??= makeReference(this.#options, this.seed);
  }

  /** Forgets the runs that leave out steps: no other plan has the same ones. */
  forget(): void {
    for (const key of this.#baselines.keys()) {
      if (!key.endsWith(WITHOUT)) this.#baselines.delete(key);
    }
  }

  /** Runs a plan, and judges the run. */
  async run(plan: Plan, more: Pick<RunOptions, "stacks"> = {}): Promise<RunRecord> {
    const { setup } = await this.reference();
    const expected = await this.expectedOf(plan);
    const options: RunOptions = {
      ...more,
      expected,
      ...(plan.faults.some(({ fault }) => fault === "shortcut") && {
        workload: (await this.shortcut())?.steps,
      }),
    };
    return await new Run(setup, plan, options).execute();
  }

  /** Returns the run without faults that the run of a plan is compared with. */
  async baselineOf({ faults, without = [] }: Plan): Promise<Baseline> {
    const { isLaterSteady, later, record, setup } = await this.reference();
    const revert = faults.find(({ fault }) => fault === "revert");
    if (revert?.fault === "revert") return await this.#prefix(revert.step, without);
    if (faults.some(({ fault }) => fault === "shortcut")) {
      const shortcut = await this.shortcut();
      if (shortcut !== undefined) return await this.#prefix(shortcut.upTo, []);
    }
    if (without.length > 0) return await this.#prefix(this.#options.workload.length, without);
    const options = { ...isLaterSteady && later ? PATIENT : { restartsAtEnd: true }, stacks: true };
    return {
      record,
      later,
      isLaterSteady,
      again: () => new Run(setup, record.plan, options).execute(),
    };
  }

  /**
   * Runs what explains the run of a plan, which may have ended early: a run without faults. It keeps the lines that send
   * requests.
   */
  async explain(plan: Plan, { changed, endedAfter }: RunRecord): Promise<RunRecord> {
    const created = changed?.isEnd ? await this.#createdAs(plan) : undefined;
    if (created !== undefined) return await created({ stacks: true });
    const baseline = endedAfter === undefined
      ? await this.baselineOf(plan)
      : await this.#prefix(endedAfter + 1, plan.without ?? []);
    return await baseline.again();
  }

  /** Returns the expected end state of a plan. */
  async expectedOf(plan: Plan): Promise<Expected> {
    const { faults, without = [] } = plan;
    const { settled, tolerated } = await this.reference();
    const isOtherWay = faults.some(({ fault }) => fault === "shortcut");
    const revert = faults.find(({ fault }) => fault === "revert");
    const { isLaterSteady, later: becomes, record } = await this.baselineOf(plan);
    const { counts, state, wanted } = record;
    const isDetour = faults.some(({ fault }) => DETOURS.has(fault));
    const otherWays = await this.#otherWays(revert, without);
    const ways = { isOtherWay, isDetour, otherWays };
    const states = without.length === 0 ? settled : await this.#settledOf(record, without);
    return {
      state,
      later: becomes,
      isLaterSteady,
      wanted,
      counts,
      tolerance: { tolerated, ...ways },
      created: await this.#createdState(plan),
      settled: new Map(
        isOtherWay ? [] : [...states].map(([step, { later, state, tolerated }]) => [
          step,
          { state, later, tolerance: { tolerated, ...ways } },
        ]),
      ),
    };
  }

  /** Returns the settled states of a run without faults that leaves out steps. */
  async #settledOf(
    record: RunRecord,
    without: readonly number[],
  ): Promise<ReadonlyMap<number, Settled>> {
    const { hasTimers, settled, tolerated } = await this.reference();
    const states = new Map<number, Settled>();
    for (const [step, state] of record.settled) {
      states.set(step, {
        state,
        tolerated: tolerated.union(settled.get(step)?.tolerated ?? new Set<string>()),
        later: hasTimers ? (await this.#prefix(step + 1, without)).later : undefined,
      });
    }
    return states;
  }

  /** Returns the run without faults whose user creates the object as the change of a plan makes it, if it has one. */
  async #createdAs(
    { faults, without = [] }: Plan,
  ): Promise<((options: RunOptions) => Promise<RunRecord>) | undefined> {
    const change = faults.find(({ fault }) => fault === "change");
    if (change?.fault !== "change") return undefined;
    const { campaigns, setup } = await this.reference();
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
    const { record, tolerated } = await this.reference();
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
    const { setup } = await this.reference();
    if (revert?.fault === "revert") {
      if (revert.when === "settled") return [];
      const settled: PlanFault = { ...revert, when: "settled" };
      const run = await this.#once(
        `revert ${revert.step}${WITHOUT}${without}`,
        () => new Run(setup, { seed: this.seed, faults: [settled], without }),
      );
      return [run.state];
    }
    const shortcut = await this.shortcut();
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
    const { hasTimers, setup } = await this.reference();
    const plan = { seed: this.seed, faults: [], without };
    const key = `${steps}${WITHOUT}${without}`;
    const record = await this.#once(`prefix ${key}`, () => new Run(setup, plan, { steps }));
    const { isSteady, state } = hasTimers
      ? await this.#once(`patient ${key}`, () => new Run(setup, plan, { steps, ...PATIENT }))
      : record;
    const later = { later: hasTimers ? state : undefined, isLaterSteady: isSteady };
    const options = { steps, ...hasTimers && isSteady && PATIENT, stacks: true };
    return { record, ...later, again: () => new Run(setup, plan, options).execute() };
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

  /** Returns the steps that create the objects as they are wanted in the end. */
  shortcut(): Promise<Shortcut | undefined> {
    return this.#shortcutOf ??= this.reference().then(({ setup }) => shortcutOf(setup, this.seed));
  }
}

/** The number of further warnings and errors of a process that refuses an object. One may be about a conflict. */
const PROBLEMS = 3;
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
