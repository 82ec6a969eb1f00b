import { describeError } from "@kubeloop/controller/internal/base";
import { formatTime, type Node, Nodes, type Stored } from "@kubeloop/controller/types";
import { VirtualClock } from "../../virtual_clock.ts";
import { Verdict } from "../judge/mod.ts";
import { FaultBook, type Step } from "../plans/mod.ts";
import { Journal } from "../record/mod.ts";
import { GONE_MS, type Setup, SimulatedWorld } from "../world/mod.ts";
import type { CallLines } from "./call_lines.ts";
import { Meter } from "./meter.ts";
import type { CostPlan } from "./options.ts";
import type { CostPhase } from "./phases.ts";
import type { Tally } from "./tally.ts";

/** The counts of one run by phase. */
export type RunTallies = ReadonlyMap<CostPhase, Tally>;

/** The time until a step that has failed is tried again, in milliseconds. */
const RETRY_MS = 1000;
/** How often a kubelet renews the status of its Node although nothing has changed, in milliseconds. */
const NODE_STATUS_MS = 300_000;
/** The number of requests after which a run is given up: a constant, and a number for each object and hour. */
const MAX_REQUESTS = 20_000;
const MAX_REQUESTS_EACH = 1000;
const HOUR_MS = 3_600_000;

/** A run with a number of objects, which is measured phase by phase. It has no faults, and keeps no history. */
export class CostRun<C> {
  readonly #setup: Setup<C>;
  readonly #plan: CostPlan<C>;
  readonly #size: number;
  readonly #clock = new VirtualClock();
  readonly #verdict: Verdict;
  readonly #world: SimulatedWorld<C>;
  readonly #meter: Meter;
  readonly #tallies = new Map<CostPhase, Tally>();
  #phase: CostPhase = "start";
  #requests = 0;
  #failure: Error | undefined;

  constructor(setup: Setup<C>, plan: CostPlan<C>, size: number, lines: CallLines) {
    this.#setup = setup;
    this.#plan = plan;
    this.#size = size;
    const clock = this.#clock;
    const now = () => clock.now();
    const journal = new Journal(now, setup.uids, setup.given, false);
    const book = new FaultBook([], journal.history, now);
    this.#verdict = new Verdict(journal.history, now);
    this.#meter = new Meter({
      ask: (request) => this.#world.server.fetch(request),
      now,
      requested: (kind) => this.#count(kind),
    }, lines);
    this.#world = new SimulatedWorld<C>({
      setup,
      plan: { seed: setup.options.seed ?? 1, faults: [] },
      chance: 0,
      clock,
      journal,
      book,
      verdict: this.#verdict,
      events: {
        requested: () => {},
        answered: () => {},
        changed: () => {},
        revert: () => Promise.resolve(),
      },
      connect: this.#meter.connect,
    });
  }

  /**
   * Runs to the end.
   *
   * @throws {Error} If a process fails, a step does not succeed, or nothing settles.
   */
  async execute(): Promise<RunTallies> {
    const { limits } = this.#setup;
    try {
      await this.#clock.run(this.#drive(), this.#plan.quietMs + limits.virtualMs);
    } catch (error) {
      this.#failure ??= new Error(this.#where(describeError(error)), { cause: error });
    } finally {
      this.#world.finish();
      await this.#world.close();
    }
    if (this.#failure !== undefined) throw this.#failure;
    return this.#tallies;
  }

  async #drive(): Promise<void> {
    const { change, each, quietMs, shared } = this.#plan;
    await this.#measure("start", async () => {
      await this.#world.start(false);
      await this.#settle();
      for (let i = 0; i < this.#size; i++) await this.#do(each(i));
    });
    await this.#measure("quiet", () => this.#rest(quietMs));
    if (change !== undefined) await this.#measure("change", () => this.#do(change));
    if (shared !== undefined) await this.#measure("shared", () => this.#do(shared));
    await this.#measure("restart", async () => {
      for (const process of this.#world.processes.names) this.#world.processes.kill(process);
      await this.#sleep(GONE_MS);
    });
  }

  /** Counts the requests of a phase. Every phase but `quiet`, whose length is given, ends when all has settled. */
  async #measure(phase: CostPhase, run: () => Promise<void>): Promise<void> {
    this.#phase = phase;
    await run();
    if (phase !== "quiet") await this.#settle();
    const [wrong] = this.#verdict.wrong;
    if (wrong !== undefined) throw new Error(wrong.message);
    this.#tallies.set(phase, await this.#meter.take());
  }

  /** Lets time pass in which nothing happens, except that the Nodes report that they are ready. */
  async #rest(ms: number): Promise<void> {
    const untilMs = this.#clock.now() + ms;
    for (;;) {
      const leftMs = untilMs - this.#clock.now();
      if (leftMs < NODE_STATUS_MS) return await this.#sleep(leftMs);
      await this.#sleep(NODE_STATUS_MS);
      await this.#renewNodes();
    }
  }

  async #renewNodes(): Promise<void> {
    const { server, user } = this.#world;
    for (const { metadata: { name }, status } of server.objects(Nodes) as Stored<Node>[]) {
      const lastHeartbeatTime = formatTime(this.#clock.wallNow());
      const ready = { type: "Ready" as const, status: "True" as const };
      const conditions = (status?.conditions ?? [ready])
        .map((condition) => ({ ...condition, lastHeartbeatTime }));
      await user.patchStatus(Nodes, name, { status: { conditions } });
    }
  }

  async #do(steps: readonly Step<C>[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === "settle") await this.#settle(step.ms);
      else if (step.kind === "wait") await this.#sleep(step.ms ?? 0);
      else await this.#attempt(step);
    }
  }

  /** Repeats a step until it succeeds. */
  async #attempt(step: Step<C>): Promise<void> {
    const deadlineMs = this.#clock.now() + this.#setup.limits.stepMs;
    for (;;) {
      try {
        await step.run?.(this.#world.stepScene(0));
        return;
      } catch (error) {
        if (this.#clock.now() >= deadlineMs) {
          throw new Error(`The step [${step.text}] does not succeed: ${describeError(error)}`);
        }
      }
      await this.#sleep(RETRY_MS);
    }
  }

  /** Waits until nothing has changed for a while. Objects that change for ever have their time, too. */
  async #settle(quietMs: number = this.#setup.limits.quietMs): Promise<void> {
    const startMs = this.#clock.now();
    for (;;) {
      const nowMs = this.#clock.now();
      const quietForMs = nowMs - Math.max(startMs, this.#world.activeMs);
      if (quietForMs >= quietMs && this.#world.processes.areRunning) return;
      if (nowMs - startMs >= this.#setup.limits.stepMs) return;
      await this.#sleep(Math.max(RETRY_MS, quietMs - quietForMs));
    }
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.#clock.setTimer(() => resolve(), ms));
    if (this.#failure !== undefined) throw this.#failure;
  }

  #count(kind: string): void {
    const hours = 1 + this.#plan.quietMs / HOUR_MS;
    const most = MAX_REQUESTS + Math.ceil(MAX_REQUESTS_EACH * this.#size * hours);
    if (++this.#requests <= most || this.#failure !== undefined) return;
    this.#failure = new Error(
      this.#where(`the processes have made more than ${most} requests; the last is ${kind}`),
    );
    this.#world.processes.end();
  }

  #where(message: string): string {
    return `The cost of the phase ${this.#phase} with ${this.#size} objects is unknown: ${message}`;
  }
}
