import {
  describeError,
  type Logger,
  parseJson,
  requireSync,
  silentLogger,
  stringifyJson,
} from "@kubeloop/controller/base";
import { Client } from "@kubeloop/controller/client";
import { type Actors, startActors } from "../actors/mod.ts";
import { ApiServer, type FaultRequest, type ServerWrite } from "../api_server/mod.ts";
import { SeededRandom } from "../seeded_random.ts";
import { VirtualClock } from "../virtual_clock.ts";
import {
  armLags,
  type Cloud,
  CloudIds,
  cloudOf,
  Collector,
  COLLECTOR_DELAY_MS,
  freeze,
  GONE_MS,
  type LagWorld,
  Life,
  Processes,
  type Setup,
  Somebody,
  urlOf,
  Wire,
  type WireRun,
} from "./world/mod.ts";
import {
  type EndState,
  endState,
  isCompared,
  Journal,
  objectName,
  type SentWrite,
} from "./record/mod.ts";
import {
  compareStates,
  describeDifference,
  type Difference,
  type Expected,
  type ExpectedState,
  HotWrites,
  lastChange,
  type RunRecord,
  seriousDifferences,
  staleDelete,
  type Tolerance,
  Verdict,
} from "./judge/mod.ts";
import {
  FaultBook,
  type Plan,
  type PlanFault,
  type Scene,
  type Step,
  type StepScene,
  undoStep,
} from "./plans/mod.ts";

/** Options of a run. */
export interface RunOptions {
  /** The number of steps to do. Default: all. */
  readonly steps?: number | undefined;
  /** What the end state should be. Default: whatever it is. */
  readonly expected?: Expected | undefined;
  /** Whether to start the processes again at the end, which must change nothing. */
  readonly restartsAtEnd?: boolean | undefined;
  /** The steps to do instead of those of the workload. */
  readonly workload?: readonly Step<never>[] | undefined;
  /** Makes the chance of the processes and of the external world another one, and nothing else. Default 0. */
  readonly chance?: number | undefined;
  /** Whether to run without processes. */
  readonly isEmpty?: boolean | undefined;
}

/** The longest that a run may take, in milliseconds of virtual time. */
const MAX_VIRTUAL_MS = 12 * 3_600_000;
/** How long a step that has failed waits until it is tried again. */
const RETRY_MS = 1000;
/** How long the actors get to register the nodes. */
const ACTORS_START_MS = 5000;
/** How often something else is written in the cluster, which is what bookmarks tell of. */
const PROGRESS_MS = 30_000;
/** How long the requests of the processes are counted, in milliseconds: those who poll do so for ever. */
const WINDOW_MS = 600_000;
/** How many differences a message shows. */
const SHOWN = 5;

/** Ends a run that is wrong already. */
class Stop extends Error {}

/** One run of the simulated world, with the faults of one plan. */
export class Run<C> implements WireRun {
  readonly clock: VirtualClock = new VirtualClock();
  readonly server: ApiServer;
  readonly journal: Journal;
  readonly #plan: Plan;
  readonly #setup: Setup<C>;
  readonly #options: RunOptions;
  readonly #random: SeededRandom;
  /** The chance of the processes and of the external world. */
  readonly #chance: SeededRandom;
  readonly #verdict: Verdict;
  readonly #book: FaultBook;
  readonly #somebody: Somebody;
  readonly #processes: Processes<C>;
  readonly #hotWrites: HotWrites;
  readonly #lags: LagWorld;
  readonly #endLags: () => void;
  readonly #cloud: C;
  readonly #cloudAnswers = new Map<string, string>();
  readonly #cloudIds = new CloudIds();
  /** The life of the user and of the actors, which lasts as long as the run. */
  readonly #world: Life = new Life(this.clock);
  readonly #user: Client;
  /** The processes that are connected to a server without streaming lists. */
  readonly #old = new Set<string>();
  #collector: Collector | undefined;
  #actors: Actors | undefined;
  /** The time of the last change, in milliseconds. */
  #activeMs = 0;
  #step = 0;
  /** Whether everything had settled after the step, so that nothing is left to be deleted. */
  #isStepDone = false;
  #requests = 0;
  /** The requests since a time, in milliseconds. */
  #window = { sinceMs: 0, requests: 0 };
  #ended = false;
  readonly #settled = new Map<number, EndState>();
  #endedAfter: number | undefined;
  #stopped = false;
  #reverting:
    | { readonly fault: PlanFault; readonly text: string; readonly undo: () => Promise<void> }
    | undefined;
  #reverted = false;

  constructor(setup: Setup<C>, plan: Plan, options: RunOptions = {}) {
    this.#setup = setup;
    this.#plan = plan;
    this.#options = options;
    this.#random = new SeededRandom(plan.seed);
    this.#chance = this.#random.fork(`chance ${options.chance ?? 0}`);
    const { clock } = this;
    const now = () => clock.now();
    this.journal = new Journal(now, setup.uids, setup.given);
    const { history } = this.journal;
    this.#verdict = new Verdict(history, now);
    this.#book = new FaultBook(plan.faults, history, now);
    const { journal } = this;
    const [book, verdict] = [this.#book, this.#verdict];
    this.server = new ApiServer({
      clock,
      random: this.#random.fork("server"),
      logger: silentLogger,
      state: setup.state,
      lag: book.of("late") !== undefined,
    });
    const { server } = this;
    const cloud = setup.options.world?.cloud;
    this.#cloud = cloud?.({ clock, random: this.#chance.fork("cloud") }) as C;
    this.#user = this.#client("user", this.#world, silentLogger, this.#userFetch);
    this.#processes = new Processes<C>({
      clock,
      history,
      book,
      verdict,
      failed: () => this.#touch(),
      environment: (life, who) => this.#environment(life, who),
    });
    const isProcess = (name: string) => this.#processes.has(name);
    this.#somebody = new Somebody({ server, clock, journal, verdict, isProcess });
    this.#hotWrites = new HotWrites(journal, now);
    this.#lags = { server, journal, book, isFrom: (request, name) => this.#isFrom(request, name) };
    this.#endLags = armLags(this.#lags);
    server.onWrite((write) => this.#onWrite(write));
  }

  /** Runs to the end. `atEnd` sees the world before it is closed. */
  async execute(atEnd: (scene: Scene<C>) => void = () => {}): Promise<RunRecord> {
    const { clock, journal } = this;
    try {
      await clock.run(this.#drive(), MAX_VIRTUAL_MS);
      atEnd(this.#scene());
    } catch (error) {
      if (!(error instanceof Stop)) {
        this.#verdict.add("liveness", `The run did not come to an end: ${describeError(error)}`);
      }
    }
    this.#ended = true;
    this.#endLags();
    this.#somebody.end();
    const counts = journal.counts((who) => this.#processes.has(who));
    this.#compareCounts(counts);
    const state = this.#state();
    this.#processes.end();
    this.#world.kill();
    await this.server.close();
    return {
      plan: this.#plan,
      history: journal.history,
      wrong: this.#verdict.wrong,
      notes: this.#verdict.notes,
      state,
      settled: this.#settled,
      endedAfter: this.#endedAfter,
      taken: this.#book.taken,
      wanted: journal.wanted(),
      writers: journal.writers,
      counts,
      virtualMs: clock.now(),
      requests: this.#requests,
    };
  }

  // What the wires ask for.

  faultsOf(write: string): readonly PlanFault[] {
    return this.#book.ofWrite(write);
  }

  took(fault: PlanFault): void {
    this.#book.took(fault);
  }

  async interfere(fault: PlanFault, request: FaultRequest, write: SentWrite): Promise<void> {
    if (fault.fault === "edit") {
      if (await this.#somebody.edit(fault.edit, request, write.resource)) this.#book.took(fault);
    } else if (this.#reverting?.fault === fault) {
      // The step may have to wait for this very write. It is then taken back later.
      await this.#revert().catch(() => {});
    }
  }

  afterwards(fault: PlanFault): void {
    if (fault.fault !== "server") return;
    if (fault.how === "restart") this.server.restart();
    else {
      this.server.compact();
      this.server.closeWatches();
    }
  }

  kill(process: string): void {
    this.#processes.kill(process);
  }

  pause(process: string, forMs: number): void {
    this.#book.lasts(forMs);
    this.#processes.pause(process, forMs);
  }

  count(process: string, what: string): void {
    const { requests } = this.#setup.limits;
    this.#requests++;
    const nowMs = this.clock.now();
    if (nowMs - this.#window.sinceMs >= WINDOW_MS) this.#window = { sinceMs: nowMs, requests: 0 };
    if (++this.#window.requests <= requests) return;
    this.#stop(
      `The processes have made more than ${requests} requests within ${
        minutes(WINDOW_MS)
      }; the last is of ${process}: ${what}`,
    );
  }

  answered(write: SentWrite): void {
    if (!isCompared(write.resource)) return;
    if (write.status >= 400) return this.#touch();
    const problem = this.#hotWrites.count(write);
    if (problem !== undefined) this.#hotLoop(problem);
    if (write.verb === "delete") this.#checkDelete(write);
  }

  isOld(process: string): boolean {
    return this.#old.has(process);
  }

  // The workload.

  async #drive(): Promise<void> {
    await this.#begin();
    const steps = (this.#options.workload ?? this.#setup.options.workload) as readonly Step<C>[];
    const count = this.#options.steps ?? steps.length;
    for (let index = 0; index < count && !this.#reverted; index++) {
      this.#step = index;
      this.#isStepDone = false;
      await this.#doStep(steps[index]!, index, steps[index + 1]);
      if (this.#reverted) break;
      if (!await this.#isAsExpected(index)) return;
      await this.#restartAfter(index);
    }
    await this.#end();
  }

  async #begin(): Promise<void> {
    const { isEmpty } = this.#options;
    const { actors = false } = this.#setup.options.world ?? {};
    const options = typeof actors === "boolean" ? {} : actors;
    if (!options.garbageCollector) {
      this.#collector = new Collector({
        clock: this.clock,
        objects: this.journal.objects,
        exists: (uid) => this.journal.exists(uid),
        send: async (write, method, body) => {
          await this.#somebody.send("garbage collector", method, urlOf(write), body);
        },
      });
    }
    if (actors !== false && !isEmpty) {
      const { clock } = this.#world;
      const clientOptions = { ...this.server.clientOptions, clock, fetch: this.#actorFetch };
      this.#actors = startActors({ clientOptions }, { garbageCollector: false, ...options });
      await this.#sleep(ACTORS_START_MS);
    }
    if (isEmpty) return;
    this.#progress();
    for (const [name, start] of this.#setup.processes) this.#processes.add(name, start);
  }

  /** Keeps bookmarks coming. Informers would take silence for a dead connection and list again, which heals too much. */
  #progress(): void {
    this.clock.setTimer(() => {
      this.server.progress();
      this.#progress();
    }, PROGRESS_MS);
  }

  async #doStep(step: Step<C>, index: number, next: Step<C> | undefined): Promise<void> {
    if (step.isBad && !this.#takes("bad", index)) return;
    this.journal.history.add({ kind: "step", index, text: step.text });
    if (step.kind === "settle") {
      if (this.#takes("hurry", index)) return;
      await this.#settle(step.ms);
      // What acts on the objects of a controller needs the state that settles, and not that of a late watch.
      while (next?.kind === "act" && this.clock.now() < this.#book.untilMs) {
        await this.#outlastFaults();
        await this.#settle(step.ms);
      }
      this.journal.history.add({ kind: "settled", index });
    } else if (step.kind === "wait") {
      await this.#sleep(step.ms ?? 0);
    } else {
      await this.#doWrite(step, index);
      if (step.isBad) await this.#settle();
    }
  }

  async #doWrite(step: Step<C>, index: number): Promise<void> {
    const revert = this.#book.ofStep("revert", index);
    const repeat = this.#book.ofStep("repeat", index);
    const undo = revert === undefined && repeat === undefined
      ? undefined
      : undoStep(step as Step<unknown>, this.server, this.#user);
    const doIt = () => this.#attempt(step.text, () => step.run!(this.#stepScene()));
    const text = `take back: ${step.text}`;
    if (revert !== undefined && undo !== undefined) this.#reverting = { fault: revert, text, undo };
    await doIt();
    if (this.#reverting !== undefined || this.#reverted) {
      await this.#settle();
      // The write at which the step was to be taken back may not have come.
      if (this.#reverting !== undefined) await this.#attempt(text, () => this.#revert());
    }
    if (repeat === undefined || undo === undefined) return;
    this.#book.took(repeat);
    if (repeat.settled) await this.#settle();
    this.journal.history.add({ kind: "step", index, text });
    await this.#attempt(text, undo);
    if (repeat.settled) await this.#settle();
    this.journal.history.add({ kind: "step", index, text: step.text });
    await doIt();
  }

  /** Takes a step back, if that has not happened yet. The workload ends then. */
  async #revert(): Promise<void> {
    if (this.#reverting === undefined) return;
    const { fault, text, undo } = this.#reverting;
    await undo();
    this.journal.history.add({ kind: "step", index: this.#step, text });
    this.#reverting = undefined;
    this.#reverted = true;
    this.#book.took(fault);
  }

  /** Reports whether the plan has a fault of that kind for a step, and notes that it takes effect. */
  #takes(kind: "bad" | "hurry", index: number): boolean {
    const fault = this.#book.ofStep(kind, index);
    if (fault !== undefined) this.#book.took(fault);
    return fault !== undefined;
  }

  async #restartAfter(index: number): Promise<void> {
    const isSettled = this.#isSettled();
    const restart = this.#book.ofStep("restart", index);
    if (restart !== undefined) {
      this.#book.took(restart);
      await this.#restart(restart.process, isSettled);
    }
    const stale = this.#book.ofStep("stale", index);
    if (stale === undefined) return;
    const thaw = freeze(this.#lags, stale);
    if (thaw === undefined) return;
    this.#book.took(stale, GONE_MS + stale.forMs);
    this.#isStepDone = isSettled;
    this.#old.add(stale.process);
    this.#processes.kill(stale.process);
    this.clock.setTimer(thaw, GONE_MS + stale.forMs);
  }

  /** Kills a process, waits until it has started again, and, if everything had settled, looks what that has changed. */
  async #restart(process: string, isSettled: boolean): Promise<void> {
    const before = isSettled ? this.#state() : undefined;
    const commits = this.journal.commits.length;
    this.#processes.kill(process);
    await this.#sleep(GONE_MS);
    await this.#settle();
    if (before === undefined) return;
    const writes = this.journal.commits.slice(commits).filter(({ write }) =>
      isCompared(write.resource) && this.journal.writerOf(write) === process
    );
    if (writes.length === 0) return;
    const text = writes.map(({ id }) => id).join(", ");
    const [difference] = compareStates(before, this.#state());
    const isNew = writes.some(({ write }) => write.type !== "MODIFIED");
    if (difference === undefined && !isNew) {
      this.#verdict.note(`${process} changes only times or versions after a restart: ${text}`);
      return;
    }
    const what = difference === undefined ? "" : `; ${describeDifference(difference)}`;
    this.#verdict.add(
      "restart",
      `${process} was started again when everything had settled, and changed something: ${text}${what}`,
    );
  }

  async #end(): Promise<void> {
    const { expected, restartsAtEnd } = this.#options;
    await this.#outlastFaults();
    await this.#settle();
    if (expected !== undefined) await this.#reach(expected, "the end state");
    this.#checkCloud();
    if (!restartsAtEnd) return;
    for (const process of this.#processes.names) await this.#restart(process, true);
  }

  /**
   * Reports whether a step has led to the state to which it leads without faults. The steps that follow may hide what has
   * gone wrong, most of all a deletion. While a fault lasts, there is nothing to say.
   */
  async #isAsExpected(step: number): Promise<boolean> {
    if (this.journal.history.moments.at(-1)?.kind !== "settled") return true;
    const { expected } = this.#options;
    if (expected === undefined) this.#settled.set(step, this.#state());
    const settled = expected?.settled.get(step);
    if (settled === undefined || this.clock.now() < this.#book.untilMs) return true;
    if (await this.#reach(settled, `the state after step ${step + 1}`)) return true;
    this.#endedAfter = step;
    return false;
  }

  async #outlastFaults(): Promise<void> {
    await this.#sleep(Math.max(0, this.#book.untilMs - this.clock.now()));
  }

  /** Waits until the state is the expected one. Returns whether it is. */
  async #reach({ state, tolerance }: ExpectedState, what: string): Promise<boolean> {
    const { recoveryMs } = this.#setup.limits;
    const deadlineMs = this.clock.now() + recoveryMs;
    for (let waitMs = 60_000;; waitMs *= 2) {
      const actual = this.#state();
      const all = compareStates(state, actual);
      const differences = seriousDifferences(all, actual, tolerance);
      if (differences.length === 0) {
        for (const difference of all) this.#verdict.note(describeDifference(difference));
        return true;
      }
      const leftMs = deadlineMs - this.clock.now();
      if (leftMs <= 0) {
        this.#verdict.add(
          "end state",
          describeDifferences(differences, what, tolerance, recoveryMs),
        );
        return false;
      }
      await this.#sleep(Math.min(waitMs, leftMs));
    }
  }

  /** Notes how many creates and deletes there were more or fewer than expected: correct controllers differ in it too. */
  #compareCounts(counts: ReadonlyMap<string, number>): void {
    const expected = this.#options.expected?.counts;
    if (expected === undefined) return;
    for (const what of new Set([...expected.keys(), ...counts.keys()])) {
      const [wanted = 0, actual = 0] = [expected.get(what), counts.get(what)];
      if (wanted !== actual) this.#verdict.note(`${what}: ${actual} times instead of ${wanted}`);
    }
  }

  /** Waits until nothing has changed for `quietMs`. */
  async #settle(quietMs: number = this.#setup.limits.quietMs): Promise<void> {
    const { stepMs } = this.#setup.limits;
    const startMs = this.clock.now();
    for (;;) {
      const nowMs = this.clock.now();
      const quietForMs = nowMs - Math.max(startMs, this.#activeMs);
      if (quietForMs >= quietMs && this.#processes.areRunning) return;
      if (nowMs - startMs >= stepMs) {
        this.#verdict.add(
          "liveness",
          `It has not settled after ${minutes(stepMs)}: ${this.#busy()}`,
        );
        return;
      }
      await this.#sleep(Math.max(RETRY_MS, quietMs - quietForMs));
    }
  }

  /** Reports whether nothing has changed for a while, and nothing is to be expected of a fault any more. */
  #isSettled(): boolean {
    const sinceMs = Math.max(this.#activeMs, this.#book.untilMs);
    return this.clock.now() - sinceMs >= this.#setup.limits.quietMs;
  }

  /** Says what keeps the world from settling. */
  #busy(): string {
    const last = this.journal.commits.findLast(({ write }) => isCompared(write.resource));
    return last === undefined ? "requests fail" : lastChange(last.write, this.journal);
  }

  /** Repeats what the user does until it succeeds. */
  async #attempt(text: string, work: () => Promise<unknown>): Promise<void> {
    const { stepMs } = this.#setup.limits;
    const deadlineMs = this.clock.now() + stepMs;
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        if (this.clock.now() >= deadlineMs) {
          const why = describeError(error);
          this.#verdict.add(
            "workload",
            `The step [${text}] did not succeed within ${minutes(stepMs)}: ${why}`,
          );
          return;
        }
      }
      await this.#sleep(RETRY_MS);
    }
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.clock.setTimer(() => resolve(), ms));
    if (this.#stopped) throw new Stop();
  }

  // The world.

  #environment(
    life: Life,
    { name, identity, logger }: { name: string; identity: string; logger: Logger },
  ): { client: Client; random: SeededRandom; cloud: C } {
    const { fetch } = new Wire(this, name, life);
    const cloud = cloudOf(this.#cloud, name, life, {
      begin: (what) => {
        const id = this.journal.occurrences.next(what);
        this.count(name, id);
        return { id, faults: this.#book.ofWrite(id) };
      },
      took: (fault) => this.#book.took(fault),
      kill: () => this.#processes.kill(name),
      takeBack: (fault) => {
        if (this.#reverting?.fault === fault) void this.#revert().catch(() => {});
      },
      called: () => this.#checkAlways(),
      learned: (text) => {
        this.journal.history.add({ kind: "cloud", process: name, text });
        this.#touch();
      },
      ids: this.#cloudIds,
      answers: this.#cloudAnswers,
    });
    return {
      client: this.#client(identity, life, logger, fetch),
      random: this.#chance.fork(identity),
      cloud,
    };
  }

  #client(
    identity: string,
    { clock }: Life,
    logger: Logger,
    fetch: (request: Request) => Promise<Response>,
  ): Client {
    const random = this.#random.fork(`${identity} client`);
    return new Client({ fetch, clock, random, logger, userAgent: identity, freezeObjects: true });
  }

  readonly #userFetch = async (request: Request): Promise<Response> => {
    const response = await this.server.fetch(request);
    if (request.method === "GET" || !response.ok) return response;
    const { headers, status } = response;
    const text = await response.text();
    this.journal.attribute(text, "user");
    return new Response(text, { headers, status });
  };

  /** The `fetch` of the actors. The garbage collector takes its time. */
  readonly #actorFetch = async (
    input: Request | URL | string,
    init?: RequestInit,
  ): Promise<Response> => {
    const request = new Request(input, init);
    const isManager = request.headers.get("user-agent") === "kube-controller-manager";
    if (request.method === "DELETE" && isManager) await this.#sleep(COLLECTOR_DELAY_MS);
    return await this.server.fetch(request);
  };

  /** Reports whether a request is from a process of that name, or from any process. */
  #isFrom({ headers }: FaultRequest, name?: string): boolean {
    const agent = (headers.get("user-agent") ?? "").split("/")[0]!;
    return name === undefined ? this.#processes.has(agent) : agent === name;
  }

  // What is observed.

  #onWrite(write: ServerWrite): void {
    if (this.#ended) return;
    this.journal.enter(write);
    if (isCompared(write.resource)) this.#touch();
    this.#somebody.onWrite(write);
    this.#collector?.onWrite(write);
    this.#checkAlways();
  }

  #checkAlways(): void {
    const scene = this.#scene();
    for (const [index, invariant] of (this.#setup.options.always ?? []).entries()) {
      let result: unknown;
      try {
        result = requireSync(`Invariant ${index + 1}`, invariant(scene));
      } catch (error) {
        result = describeError(error);
      }
      if (result === true || result === undefined) continue;
      const message = typeof result === "string" ? result : `Invariant ${index + 1} does not hold`;
      this.#verdict.add("invariant", message);
    }
    this.#checkCloud();
  }

  #checkCloud(): void {
    const result = (this.#cloud as Cloud | undefined)?.invariant?.() ?? true;
    if (result !== true) this.#verdict.add("invariant", String(result));
  }

  #checkDelete(write: SentWrite): void {
    const { after, during } = this.#options.expected?.wanted ?? {};
    const wanted = (this.#isStepDone ? after : during)?.get(this.#step);
    if (!wanted?.has(objectName(write))) return;
    const why = staleDelete(write, this.journal);
    if (why !== undefined) this.#verdict.add("stale delete", why);
  }

  #touch(): void {
    this.#activeMs = this.clock.now();
  }

  /** Enters a loop. One that ends with the fault is not an error: two may fight as long as one of them is blind. */
  #hotLoop(message: string): void {
    if (this.clock.now() <= this.#book.untilMs) this.#verdict.note(message);
    else this.#stop(message);
  }

  /** Enters a loop, and ends the run. */
  #stop(message: string): void {
    this.#verdict.add("hot loop", message);
    this.#stopped = true;
    this.#processes.end();
  }

  #state(): EndState {
    const { anonymous, options } = this.#setup;
    const objects = [...this.journal.objects.values()].map((write) => ({
      resource: write.resource,
      object: write.object(),
    }));
    const cloud = (this.#cloud as Cloud | undefined)?.state?.();
    const state = cloud === undefined ? undefined : parseJson(stringifyJson(cloud));
    return endState(objects, options.mask, anonymous, { state, ids: this.#cloudIds.issued });
  }

  #scene(): Scene<C> {
    return { server: this.server, clock: this.clock, cloud: this.#cloud };
  }

  #stepScene(): StepScene<C> {
    return {
      ...this.#scene(),
      client: this.#user,
      actors: this.#actors,
      random: this.#random.fork(`step ${this.#step}`),
    };
  }
}

function minutes(ms: number): string {
  return `${ms / 60_000} minutes`;
}

/** Says how a state differs from the one that is expected. */
function describeDifferences(
  differences: readonly Difference[],
  what: string,
  { isOtherWay }: Tolerance,
  recoveryMs: number,
): string {
  // Nothing has gone before that could spoil what is created as it is wanted: it is the workload that leads elsewhere.
  const text = isOtherWay
    ? "The steps of the workload lead to another state than the objects that are created as they are wanted in the end"
    : `${
      minutes(recoveryMs)
    } after the last fault, ${what} is not the one of the run without faults`;
  const shown = differences.slice(0, SHOWN).map((difference) => {
    const { actual, expected } = difference;
    const swapped = { ...difference, expected: actual, actual: expected };
    return describeDifference(isOtherWay ? swapped : difference);
  });
  const more = differences.length > SHOWN ? `; and ${differences.length - SHOWN} more` : "";
  return `${text}: ${shown.join("; ")}${more}`;
}
