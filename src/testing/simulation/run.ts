import { describeError } from "@kubeloop/controller/internal/base";
import { type Resource, resourceName } from "@kubeloop/controller/types";
import { VirtualClock } from "../virtual_clock.ts";
import {
  type ChangedState,
  compareStates,
  type Difference,
  type Expected,
  type ExpectedState,
  Judge,
  minutes,
  type RunRecord,
  type Undone,
  undoneIn,
} from "./judge/mod.ts";
import {
  describeSet,
  FaultBook,
  type Plan,
  type PlanFault,
  type Scene,
  setWishes,
  type Step,
  undoStep,
  withChanges,
} from "./plans/mod.ts";
import {
  Details,
  type EndState,
  Journal,
  objectName,
  raiseStackLimit,
  type SentWrite,
} from "./record/mod.ts";
import {
  GONE_MS,
  guardRuntime,
  type Setup,
  SimulatedWorld,
  type WorldEvents,
} from "./world/mod.ts";

/** Options of a run. */
export interface RunOptions {
  /** The number of steps to do. Default: all. */
  readonly steps?: number | undefined;
  /** The states that the run should have. Default: none, so that any are right. */
  readonly expected?: Expected | undefined;
  /** Whether to start the processes again at the end, which must change nothing. */
  readonly restartsAtEnd?: boolean | undefined;
  /** The steps to do. Default: the steps of the workload. */
  readonly workload?: readonly Step<never>[] | undefined;
  /** Selects the random numbers of the processes and of the external world. Default 0. */
  readonly chance?: number | undefined;
  /** Whether to run without processes. */
  readonly isEmpty?: boolean | undefined;
  /**
   * Whether to wait for timers of the processes, as long as for a recovery: `always` after each settled step, or once, `at the
   * end`. Default: never.
   */
  readonly patience?: "always" | "at the end" | undefined;
  /** The state that the end state becomes by itself, when the timers of the processes end. */
  readonly later?: EndState | undefined;
  /** Whether to keep the lines that send requests, and repeated calls, for a report. The run is the same. */
  readonly stacks?: boolean | undefined;
}

/** The time until a step that has failed is tried again, in milliseconds. */
const RETRY_MS = 1000;
/** The window in which requests are counted, in milliseconds. Processes that poll make requests for ever. */
const WINDOW_MS = 600_000;

/** The time that a mistake of a user lasts, in milliseconds. */
const MISTAKE_MS = 60_000;

/** Ends a run that is wrong already. */
class Stop extends Error {}

/** A step that is undone at a write, or when everything has settled. */
interface Reverting {
  readonly fault: PlanFault;
  readonly text: string;
  readonly undo: () => Promise<void>;
}

/** One run: the steps of the workload in a simulated world, with the faults of one plan. */
export class Run<C> implements WorldEvents {
  readonly #setup: Setup<C>;
  readonly #plan: Plan;
  readonly #options: RunOptions;
  readonly #clock: VirtualClock = new VirtualClock();
  readonly #journal: Journal;
  readonly #details: Details | undefined;
  readonly #book: FaultBook;
  readonly #judge: Judge;
  readonly #world: SimulatedWorld<C>;
  readonly #settled = new Map<number, EndState>();
  #step = 0;
  /** Whether everything had settled after the step, so that nothing is left to be deleted. */
  #isStepDone = false;
  #reverting: Reverting | undefined;
  #isReverted = false;
  #endedAfter: number | undefined;
  #changed: ChangedState | undefined;
  #undone: readonly Undone[] = [];
  #isSteady = true;
  #isStopped = false;
  #requests = 0;
  #window = { sinceMs: 0, requests: 0 };

  constructor(setup: Setup<C>, plan: Plan, options: RunOptions = {}) {
    this.#setup = setup;
    this.#plan = plan;
    this.#options = options;
    const clock = this.#clock;
    const now = () => clock.now();
    const journal = this.#journal = new Journal(now, setup.uids, setup.given);
    const details = this.#details = options.stacks ? new Details(journal.history) : undefined;
    const book = this.#book = new FaultBook(plan.faults, journal.history, now);
    const { expected } = options;
    const { recoveryMs, writesPerMinute } = setup.limits;
    this.#judge = new Judge({ journal, book, now, expected, recoveryMs, writesPerMinute });
    const { chance = 0 } = options;
    const { verdict } = this.#judge;
    this.#world = new SimulatedWorld({
      setup,
      plan,
      chance,
      clock,
      journal,
      details,
      book,
      verdict,
      events: this,
    });
  }

  /** Runs to the end. `atEnd` sees the world before it is closed. */
  async execute(atEnd: (scene: Scene<C>) => void = () => {}): Promise<RunRecord> {
    const { verdict } = this.#judge;
    const [clock, journal, world] = [this.#clock, this.#journal, this.#world];
    const restore = this.#details === undefined ? () => {} : raiseStackLimit();
    const unguard = guardRuntime();
    try {
      await clock.run(this.#drive(), this.#setup.limits.virtualMs);
      atEnd(world.scene());
    } catch (error) {
      if (!(error instanceof Stop)) {
        verdict.add("liveness", `The run did not come to an end: ${describeError(error)}`);
      }
    } finally {
      unguard();
      restore();
    }
    world.finish();
    const counts = journal.counts((who) => world.processes.has(who));
    this.#judge.compareCounts(counts);
    const state = world.state();
    await world.close();
    return {
      plan: this.#plan,
      history: journal.history,
      wrong: verdict.wrong,
      notes: verdict.notes,
      outside: verdict.outside,
      state,
      settled: this.#settled,
      endedAfter: this.#endedAfter,
      undone: this.#undone,
      isSteady: this.#isSteady,
      changed: this.#changed,
      heartbeats: world.heartbeats.fields,
      taken: this.#book.taken,
      wanted: journal.wanted(),
      writers: journal.writers,
      counts,
      virtualMs: clock.now(),
      requests: this.#requests,
      ...(this.#details && { details: this.#details }),
    };
  }

  // Events of the world.

  requested(process: string, what: string): void {
    const { requests } = this.#setup.limits;
    this.#requests++;
    const nowMs = this.#clock.now();
    if (nowMs - this.#window.sinceMs >= WINDOW_MS) this.#window = { sinceMs: nowMs, requests: 0 };
    if (++this.#window.requests <= requests) return;
    this.#stop(
      `The processes have made more than ${requests} requests within ${
        minutes(WINDOW_MS)
      }; the last is of ${process}: ${what}`,
    );
  }

  answered(write: SentWrite): void {
    const loop = this.#judge.checkWrite(write, { index: this.#step, isDone: this.#isStepDone });
    if (loop !== undefined) this.#stop(loop, objectName(write));
  }

  changed(): void {
    this.#judge.checkInvariants(this.#world.scene(), this.#setup.options.always ?? []);
  }

  async revert(fault: PlanFault): Promise<void> {
    // The step may have to wait for this very write. It is then undone later.
    if (this.#reverting?.fault === fault) await this.#revert().catch(() => {});
  }

  // The workload.

  async #drive(): Promise<void> {
    await this.#world.start(this.#options.isEmpty ?? false);
    const steps = (this.#options.workload ?? this.#setup.options.workload) as readonly Step<C>[];
    const count = this.#options.steps ?? steps.length;
    for (let index = 0; index < count && !this.#isReverted; index++) {
      if (this.#plan.without?.includes(index)) continue;
      this.#step = index;
      this.#isStepDone = false;
      await this.#doStep(steps[index]!, index, steps[index + 1]);
      if (this.#isReverted) break;
      if (this.#changed?.isEnd) return;
      if (!await this.#isAsExpected(index)) return;
      await this.#restartAfter(index);
    }
    await this.#end();
  }

  async #doStep(step: Step<C>, index: number, next: Step<C> | undefined): Promise<void> {
    if (step.isBad && !this.#takesEffect("bad", index)) return;
    if (step.kind === "change") return await this.#doChange(step, index);
    this.#journal.history.add({ kind: "step", index, text: step.text });
    if (step.kind === "settle") {
      if (this.#takesEffect("skip", index)) return;
      await this.#settle(step.ms);
      // A custom step that acts on the objects of a controller needs the settled state, not that of a late watch.
      while (next?.kind === "act" && this.#clock.now() < this.#book.untilMs) {
        await this.#outlastFaults();
        await this.#settle(step.ms);
      }
      this.#journal.history.add({ kind: "settled", index });
    } else if (step.kind === "wait") {
      await this.#sleep(step.ms ?? 0);
    } else {
      await this.#doWrite(step, index);
      if (step.isBad) await this.#settle();
    }
  }

  async #doWrite(step: Step<C>, index: number): Promise<void> {
    const { history } = this.#journal;
    const { server, user } = this.#world;
    const revert = this.#book.ofStep("revert", index);
    const repeat = this.#book.ofStep("repeat", index);
    const undo = revert === undefined && repeat === undefined
      ? undefined
      : undoStep(step as Step<unknown>, server, user);
    const doIt = () => this.#attempt(step.text, () => step.run!(this.#world.stepScene(this.#step)));
    const text = `take back: ${step.text}`;
    if (revert !== undefined && undo !== undefined) this.#reverting = { fault: revert, text, undo };
    await doIt();
    if (this.#reverting !== undefined || this.#isReverted) {
      await this.#settle();
      // The write at which the step was to be undone may not have come.
      if (this.#reverting !== undefined) await this.#attempt(text, () => this.#revert());
    }
    if (repeat === undefined || undo === undefined) return;
    this.#book.takeEffect(repeat);
    if (repeat.settled) await this.#settle();
    history.add({ kind: "step", index, text });
    await this.#attempt(text, undo);
    if (repeat.settled) await this.#settle();
    history.add({ kind: "step", index, text: step.text });
    await doIt();
  }

  /** Changes properties as the plan says, and restores them. Both lead to a state that is known. */
  async #doChange({ target }: Step<C>, index: number): Promise<void> {
    const { history } = this.#journal;
    const { expected } = this.#options;
    const { server, user } = this.#world;
    const change = this.#book.ofStep("change", index);
    const { name, namespace, resource } = target!;
    const before = server.get(resource as Resource, name, namespace);
    const created = expected?.created;
    if (change !== undefined && before !== undefined && created !== "runaway") {
      const wishes = { ...before };
      const set = async (what: string, wanted: Readonly<Record<string, unknown>>) => {
        const text = `${what} ${resource.kind} ${name}`;
        history.add({ kind: "step", index, text });
        await this.#attempt(text, () => setWishes(user, target!, wanted));
      };
      const { length } = history.moments;
      const object = objectName({ name, namespace, resource: resourceName(resource) });
      const unchanged = this.#world.state();
      this.#book.takeEffect(change);
      await set("change the properties of", withChanges(wishes, change.set));
      if (created === "mistake") await this.#sleep(MISTAKE_MS);
      else await this.#settle();
      const isCompared = typeof created === "object" && this.#clock.now() >= this.#book.untilMs;
      const differences = isCompared ? await this.#waitFor(created) : [];
      const state = this.#world.state();
      const hasCalled = history.moments.slice(length).some(({ kind }) => kind === "cloud");
      if (differences.length > 0) {
        const isIgnored = !hasCalled &&
          compareStates(unchanged, state).every((one) => one.object === object);
        this.#judge.addChangeDifferences(differences, describeSet(change), isIgnored);
      }
      this.#changed = {
        object,
        state,
        hasCalled,
        isEnd: differences.length > 0,
      };
      if (this.#changed.isEnd) return;
      await set("restore the properties of", wishes);
      await this.#settle();
    } else history.add({ kind: "step", index, text: `no change of ${resource.kind} ${name}` });
    history.add({ kind: "settled", index });
  }

  /** Undoes the step, unless it was undone before. The workload ends then. */
  async #revert(): Promise<void> {
    if (this.#reverting === undefined) return;
    const { fault, text, undo } = this.#reverting;
    await undo();
    this.#journal.history.add({ kind: "step", index: this.#step, text });
    this.#reverting = undefined;
    this.#isReverted = true;
    this.#book.takeEffect(fault);
  }

  /** Reports whether the plan has a fault of that kind for a step, which then takes effect. */
  #takesEffect(kind: "bad" | "skip", index: number): boolean {
    const fault = this.#book.ofStep(kind, index);
    if (fault !== undefined) this.#book.takeEffect(fault);
    return fault !== undefined;
  }

  async #restartAfter(index: number): Promise<void> {
    const isSettled = this.#isSettled();
    const restart = this.#book.ofStep("restart", index);
    if (restart !== undefined && this.#world.processes.has(restart.process)) {
      this.#book.takeEffect(restart);
      const later = this.#options.expected?.settled.get(index)?.later;
      await this.#restart(restart.process, isSettled, later);
    }
    const stale = this.#book.ofStep("stale", index);
    if (stale !== undefined && this.#world.restartStale(stale)) this.#isStepDone = isSettled;
  }

  /**
   * Kills a process and waits until it has started again. If everything had settled, that must change nothing but what would
   * change `later` anyway.
   */
  async #restart(process: string, isSettled: boolean, later: EndState | undefined): Promise<void> {
    const before = isSettled ? this.#world.state() : undefined;
    const { length } = this.#journal.commits;
    this.#world.processes.kill(process);
    await this.#sleep(GONE_MS);
    await this.#settle();
    if (before === undefined) return;
    const { heartbeats } = this.#world;
    const commits = this.#journal.commits.slice(length)
      .filter(({ write }) => !heartbeats.renews(write));
    this.#judge.checkRestart(process, commits, { before, after: this.#world.state(), later });
  }

  async #end(): Promise<void> {
    const { expected, later, patience, restartsAtEnd } = this.#options;
    await this.#outlastFaults();
    await this.#settle();
    if (patience !== undefined) {
      const sinceMs = this.#clock.now();
      const before = this.#world.state();
      await this.#bePatient();
      const after = this.#world.state();
      if (compareStates(before, after).length > 0) {
        await this.#bePatient();
        this.#isSteady = compareStates(after, this.#world.state()).length === 0;
      }
      this.#undone = undoneIn(this.#journal, sinceMs, (name) => this.#world.processes.has(name));
      for (const { message, object, oracle } of this.#undone) {
        this.#judge.verdict.add(oracle, message, { object });
      }
    }
    if (expected !== undefined) {
      const { isLaterSteady, later: state } = expected;
      const goal = isLaterSteady && state !== undefined
        ? { ...expected, state, later: undefined }
        : expected;
      await this.#reach(goal, "the end state");
    }
    this.#judge.checkCloud(this.#world.cloud);
    this.#judge.checkInvariants(this.#world.scene(), this.#setup.options.finally ?? []);
    if (!restartsAtEnd) return;
    for (const process of this.#world.processes.names) await this.#restart(process, true, later);
  }

  /** Waits until the timers of the processes have ended. */
  async #bePatient(): Promise<void> {
    await this.#sleep(this.#setup.limits.recoveryMs);
    await this.#settle();
  }

  /**
   * Reports whether a step has led to the expected state. Later steps may hide an error, most of all a deletion. While a
   * fault lasts, any state is right.
   */
  async #isAsExpected(step: number): Promise<boolean> {
    if (this.#journal.history.moments.at(-1)?.kind !== "settled") return true;
    const { expected, patience } = this.#options;
    if (patience === "always") await this.#bePatient();
    if (expected === undefined) this.#settled.set(step, this.#world.state());
    const settled = expected?.settled.get(step);
    if (settled === undefined || this.#clock.now() < this.#book.untilMs) return true;
    const change = this.#book.ofStep("change", step);
    const what = change === undefined ? `step ${step + 1}` : `[${describeSet(change)}]`;
    if (await this.#reach(settled, `the state after ${what}`)) return true;
    this.#endedAfter = step;
    return false;
  }

  /** Waits until the state is the expected one. Returns false if it is not when the time is over. */
  async #reach(expected: ExpectedState, what: string): Promise<boolean> {
    const differences = await this.#waitFor(expected);
    if (differences.length > 0) this.#judge.addDifferences(differences, what, expected);
    return differences.length === 0;
  }

  /** Waits until the state is the expected one. Returns the differences that are left when the time is over. */
  async #waitFor(expected: ExpectedState): Promise<readonly Difference[]> {
    const deadlineMs = this.#clock.now() + this.#setup.limits.recoveryMs;
    for (let waitMs = 60_000;; waitMs *= 2) {
      const differences = this.#judge.differences(expected, this.#world.state());
      const leftMs = deadlineMs - this.#clock.now();
      if (differences.length === 0 || leftMs <= 0) return differences;
      await this.#sleep(Math.min(waitMs, leftMs));
    }
  }

  async #outlastFaults(): Promise<void> {
    await this.#sleep(Math.max(0, this.#book.untilMs - this.#clock.now()));
  }

  /** Waits until nothing has changed for `quietMs`. */
  async #settle(quietMs: number = this.#setup.limits.quietMs): Promise<void> {
    const { stepMs } = this.#setup.limits;
    const startMs = this.#clock.now();
    for (;;) {
      const nowMs = this.#clock.now();
      const quietForMs = nowMs - Math.max(startMs, this.#world.activeMs);
      if (quietForMs >= quietMs && this.#world.processes.areRunning) return;
      // A controller gets its time after the last fault.
      if (nowMs - Math.max(startMs, this.#book.untilMs) >= stepMs) {
        const what = this.#judge.describeActivity();
        const text = `It has not settled after ${minutes(stepMs)}: ${what}`;
        this.#judge.verdict.add("liveness", text);
        return;
      }
      await this.#sleep(Math.max(RETRY_MS, quietMs - quietForMs));
    }
  }

  /** Reports whether nothing has changed for a while and all faults are over. */
  #isSettled(): boolean {
    const sinceMs = Math.max(this.#world.activeMs, this.#book.untilMs);
    return this.#clock.now() - sinceMs >= this.#setup.limits.quietMs;
  }

  /** Repeats a step until it succeeds. */
  async #attempt(text: string, work: () => Promise<unknown>): Promise<void> {
    const { stepMs } = this.#setup.limits;
    const deadlineMs = this.#clock.now() + stepMs;
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        if (this.#clock.now() >= deadlineMs) {
          const within = minutes(stepMs);
          const why = `The step [${text}] did not succeed within ${within}: ${
            describeError(error)
          }`;
          this.#judge.verdict.add("workload", why);
          return;
        }
      }
      await this.#sleep(RETRY_MS);
    }
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.#clock.setTimer(() => resolve(), ms));
    if (this.#isStopped) throw new Stop();
  }

  /** Ends the run because of a hot loop. */
  #stop(message: string, object?: string): void {
    this.#judge.verdict.add("hot loop", message, { object });
    this.#isStopped = true;
    this.#world.processes.end();
  }
}
