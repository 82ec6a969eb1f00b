import { acceptedChanges, type Changes } from "./campaign/mod.ts";
import { compareStates, type RunRecord, type Undone } from "./judge/mod.ts";
import {
  deriveClasses,
  type FaultClass,
  type Plan,
  plansToRecoverFrom,
  type Points,
  pointsOf,
  type Step,
} from "./plans/mod.ts";
import { type EndState, traceLine } from "./record/mod.ts";
import { Run, type RunOptions } from "./run.ts";
import { prepare, type Setup, type SimulationOptions } from "./world/mod.ts";

/** The run without faults, and the values that other runs are compared with. */
export interface Reference<C> {
  readonly setup: Setup<C>;
  readonly record: RunRecord;
  readonly points: Points;
  readonly classes: readonly FaultClass[];
  /** The plans whose recoveries get faults, by their text. */
  readonly recoverable: ReadonlyMap<string, Plan>;
  readonly tolerated: ReadonlySet<string>;
  readonly settled: ReadonlyMap<number, Settled>;
  /** The state that the end state becomes by itself; undefined if the end state is final. */
  readonly later: EndState | undefined;
  /** Whether each run must reach that state, which is then final. */
  readonly isLaterSteady: boolean;
  /** Whether timers of the processes change the state of any step by themselves. */
  readonly hasTimers: boolean;
  /** The changes of campaigns, by the index of their step. */
  readonly campaigns: ReadonlyMap<number, Changes>;
}

/** A state in which everything has settled, and its fields whose values are random. */
export interface Settled {
  readonly state: EndState;
  /** The state that it becomes by itself, when the timers of the processes end; undefined if it is final. */
  readonly later?: EndState | undefined;
  readonly tolerated: ReadonlySet<string>;
}

/** Runs a simulation without faults, often enough to see what is random, and looks where faults can be injected. */
export async function makeReference<C>(
  options: SimulationOptions<C>,
  seed: number,
): Promise<Reference<C>> {
  const setup = await prepare(options);
  const campaigns = new Map<number, Changes>();
  for (const [index, { campaign }] of setup.options.workload.entries()) {
    if (campaign === undefined) continue;
    const steps = setup.options.workload.slice(0, index + 1) as readonly Step<never>[];
    campaigns.set(index, await acceptedChanges(setup.state, steps));
  }
  const plan = { seed: seed, faults: [] };
  const run = (options: RunOptions) => new Run(setup, plan, options).execute();
  const [one, another] = [await run({ chance: 1 }), await run({ chance: 2 })];
  // Objects with random names are identified by their content alone.
  for (const { object, field } of compareStates(one.state, another.state)) {
    if (field === "") setup.anonymous.add(object.slice(0, object.indexOf(" ")));
  }
  const others = [await run({ chance: 1 }), await run({ chance: 2 })];
  const { isLaterSteady, later, laterEnd, undone } = await patientStates(others[0]!, run);
  const record = withUndone(
    withDifference(await run({ restartsAtEnd: true, later: laterEnd }), one, others[0]!),
    undone,
  );
  const { heartbeats } = record;
  const tolerated = heartbeats.union(
    differing(record.state, others.map(({ state }) => state)),
  );
  const settled = new Map<number, Settled>();
  for (const [step, state] of record.settled) {
    const states = others.flatMap((other) => other.settled.get(step) ?? []);
    settled.set(step, {
      state,
      tolerated: heartbeats.union(differing(state, states)),
      later: later.get(step),
    });
  }
  const points = pointsOf(record, [...setup.processes.keys()]);
  const classes = deriveClasses(points, setup.options.workload as never, setup.definitions);
  const recoverable = new Map(
    plansToRecoverFrom(classes, seed).map((plan) => [JSON.stringify(plan), plan]),
  );
  const hasTimers = later.size > 0 || laterEnd !== undefined;
  return {
    setup,
    record,
    points,
    classes,
    recoverable,
    tolerated,
    settled,
    later: laterEnd,
    isLaterSteady,
    hasTimers,
    campaigns,
  };
}

/** The states of a run after the timers of the processes have ended. */
interface PatientStates {
  /** The states that have changed, by the index of the step. */
  readonly later: ReadonlyMap<number, EndState>;
  readonly laterEnd: EndState | undefined;
  readonly isLaterSteady: boolean;
  /** The things that the processes never bring to an end. */
  readonly undone: readonly Undone[];
}

/** Repeats a run with patience. After a step whose state has changed by itself, each step needs a run of its own. */
async function patientStates(
  { settled, state }: RunRecord,
  run: (options: RunOptions) => Promise<RunRecord>,
): Promise<PatientStates> {
  const always = await run({ chance: 1, patience: "always" });
  const later = new Map<number, EndState>();
  for (const [step, before] of settled) {
    const after = later.size === 0
      ? always.settled.get(step)
      : (await run({ chance: 1, steps: step + 1, patience: "at the end" })).state;
    if (after !== undefined && compareStates(before, after).length > 0) later.set(step, after);
  }
  const last = later.size === 0 ? always : await run({ chance: 1, patience: "at the end" });
  const laterEnd = compareStates(state, last.state).length > 0 ? last.state : undefined;
  return { later, laterEnd, isLaterSteady: last.isSteady, undone: last.undone };
}

/** Returns a run without faults, which is wrong if its processes never bring something to an end. */
function withUndone(record: RunRecord, undone: readonly Undone[]): RunRecord {
  if (undone.length === 0 || record.wrong.length > 0) return record;
  const wrong = undone.map(({ process: _, ...one }) => ({ ...one, atMs: record.virtualMs }));
  return { ...record, wrong, undone };
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
