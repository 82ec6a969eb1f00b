import { assert } from "@std/assert";
import type { Random } from "../../src/base/mod.ts";
import { Election, type LeaseStep } from "../../src/election/election.ts";
import { forEachSeed } from "../support/seeded_runs.ts";
import { Machine, World } from "./_world.ts";

/** The defaults, and times with less room. */
const TIMES = [
  { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 },
  { leaseDurationMs: 15_000, renewDeadlineMs: 14_000, retryPeriodMs: 2_000 },
] as const;
/** How much faster one clock may run than another, as part of what the times survive. */
const DRIFT = 0.97;
const LENGTH_MS = 150_000;
const NAME = "widgets";

/** A replica that leads whenever it can, until it is stopped, and starts again after it has lost. */
class Replica {
  readonly machine: Machine;
  readonly #world: World;
  readonly #replicas: readonly Replica[];
  readonly #identity: string;
  readonly #times: typeof TIMES[number];
  readonly #mayRestart: boolean;
  readonly #takeOver: boolean;
  #lives = 0;
  #election: Election | undefined;
  /** The election that is given back as soon as no request is under way. */
  #toRelease: Election | undefined;
  #wasLeader = false;
  terms = 0;

  constructor(
    world: World,
    replicas: readonly Replica[],
    { times, mayRestart, takeOver }: {
      times: typeof TIMES[number];
      mayRestart: boolean;
      takeOver: boolean;
    },
  ) {
    this.#world = world;
    this.#replicas = replicas;
    this.#times = times;
    const { leaseDurationMs, renewDeadlineMs } = times;
    this.machine = new Machine(world, { drift: DRIFT * leaseDurationMs / renewDeadlineMs });
    this.#identity = `replica-${replicas.length}`;
    this.#mayRestart = mayRestart;
    this.#takeOver = takeOver;
  }

  isActing(): boolean {
    return this.#election?.holds(this.machine.now()) ?? false;
  }

  start(): void {
    // A restart of the process, or another call of run(): the identity may be the same.
    const identity = this.#world.chance(0.5)
      ? this.#identity
      : `${this.#identity}-${++this.#lives}`;
    this.#election = new Election({
      ...this.#times,
      name: NAME,
      namespace: "default",
      identity,
      takeOver: this.#takeOver && this.#world.chance(0.7),
      random: this.#world.random,
    });
    this.#act(this.#election);
  }

  /** Stops gracefully: waits for the running work, then releases the lease. */
  stop(): void {
    const election = this.#election;
    if (!this.#mayRestart) return;
    this.machine.at(this.#world.nowMs + this.#world.between(0, 12_000), () => {
      if (election === this.#election) this.#toRelease = election;
    });
  }

  #act(election: Election): void {
    const { machine } = this;
    if (this.#toRelease === election) election.release(machine.now());
    const step = election.step(machine.now(), machine.wallNow());
    this.#check();
    switch (step.kind) {
      case "wait":
        return machine.atLocal(step.untilMs, () => this.#act(election));
      case "done":
        if (this.#mayRestart) {
          machine.at(this.#world.nowMs + this.#world.between(0, 5_000), () => this.start());
        }
        return;
    }
    const next = () => {
      this.#check();
      this.#act(election);
    };
    machine.request(
      () => this.#carryOut(step),
      this.#times.renewDeadlineMs / 2,
      (lease) => {
        if (step.kind === "read") election.observed(lease, machine.now());
        else if (lease === undefined) election.failed("conflict", machine.now());
        else election.written(lease, machine.now());
        next();
      },
      () => {
        election.failed("unknown", machine.now());
        next();
      },
    );
  }

  #carryOut(step: LeaseStep) {
    const { register } = this.#world;
    if (step.kind === "create") return register.create(step.lease);
    if (step.kind === "update") return register.update(step.lease);
    return register.get(NAME);
  }

  #check(): void {
    const isActing = this.isActing();
    if (isActing && !this.#wasLeader) {
      this.terms++;
      const leaders = this.#replicas.filter((replica) => replica.isActing());
      assert(leaders.length === 1, `${leaders.length} leaders at ${this.#world.nowMs} ms`);
    }
    this.#wasLeader = isActing;
  }
}

interface Outcome {
  terms: number;
  led: number;
}

/** Simulates replicas. With `takesOver`, the last replica takes the Lease from others. */
function simulate(random: Random, takesOver = false): Outcome {
  const world = new World(random);
  const isDeleted = world.chance(0.2);
  const times = world.chance(0.5) ? TIMES[0] : TIMES[1];
  const replicas: Replica[] = [];
  const count = 2 + Math.floor(world.between(0, 3));
  while (replicas.length < count) {
    const takeOver = takesOver && replicas.length === count - 1;
    replicas.push(new Replica(world, replicas, { times, mayRestart: !isDeleted, takeOver }));
  }
  for (const replica of replicas) {
    world.at(isDeleted ? 0 : world.between(0, 20_000), () => replica.start());
    const meets = (happen: () => void) => world.at(world.between(5_000, LENGTH_MS), happen);
    meets(() => replica.machine.stand(world.between(0, 40_000)));
    meets(() => replica.machine.stand(world.between(0, 4_000)));
    meets(() => replica.machine.cutOff(world.between(0, 40_000)));
    meets(() => replica.stop());
    if (!isDeleted && world.chance(0.2)) meets(() => replica.machine.kill());
  }
  meddle(world, isDeleted);
  world.run(LENGTH_MS);
  return {
    terms: replicas.reduce((sum, { terms }) => sum + terms, 0),
    led: replicas.some((replica) => replica.isActing()) ? 1 : 0,
  };
}

/** Labels the Lease, writes invalid values into it, or deletes it after all replicas have seen it. */
function meddle(world: World, isDeleted: boolean): void {
  world.at(world.between(0, LENGTH_MS), () => {
    const lease = world.register.get(NAME);
    if (lease === undefined) return;
    const labels = { color: "red" };
    const spec = world.chance(0.3) ? { holderIdentity: "nobody", renewTime: "soon" } : lease.spec;
    world.register.update({ metadata: { ...lease.metadata, labels }, ...(spec && { spec }) });
  });
  if (isDeleted) {
    world.at(world.between(60_000, LENGTH_MS), () => world.register.delete(NAME));
  }
}

Deno.test("Election: no two leaders at once, with pauses, skewed clocks, lost and late answers", async () => {
  let terms = 0;
  let led = 0;
  let runs = 0;
  await forEachSeed(400, (random) => {
    const outcome = simulate(random);
    terms += outcome.terms;
    led += outcome.led;
    runs++;
  });
  assert(terms > 2 * runs, `only ${terms} terms in ${runs} runs`);
  assert(led > 0.6 * runs, `only ${led} of ${runs} runs end with a leader`);
});

Deno.test("Election: no two leaders at once, although one of them takes the Lease from others", async () => {
  let terms = 0;
  let runs = 0;
  await forEachSeed(400, (random) => {
    terms += simulate(random, true).terms;
    runs++;
  });
  assert(terms > 2 * runs, `only ${terms} terms in ${runs} runs`);
});
