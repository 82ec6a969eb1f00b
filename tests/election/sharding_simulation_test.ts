import { assert } from "@std/assert";
import type { Random } from "../../src/base/mod.ts";
import { ShardingCore, type ShardingStep } from "../../src/election/sharding_core.ts";
import { forEachSeed } from "../support/seeded_runs.ts";
import { Machine, World } from "./_world.ts";

const TIMES = [
  { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 },
  { leaseDurationMs: 15_000, renewDeadlineMs: 14_000, retryPeriodMs: 2_000 },
] as const;
const DRIFT = 0.97;
const SHARDS = 5;
const NAME = "widgets";
const CALM_FROM_MS = 80_000;
const LENGTH_MS = 165_000;

type Request = Exclude<ShardingStep, { kind: "wait" | "done" }>;

/** A replica that works on its shards, and takes its time to drain them. */
class Replica {
  readonly machine: Machine;
  readonly #world: World;
  readonly #replicas: readonly Replica[];
  readonly #times: typeof TIMES[number];
  /** The shards that are worked on, until when at most, whatever the core believes. */
  readonly #work = new Map<number, { untilMs: number }>();
  #core: ShardingCore | undefined;
  #isKilled = false;
  #listsFailUntilMs = 0;
  acquired = 0;

  constructor(
    world: World,
    replicas: readonly Replica[],
    times: typeof TIMES[number],
  ) {
    this.#world = world;
    this.#replicas = replicas;
    this.#times = times;
    const { leaseDurationMs, renewDeadlineMs } = times;
    this.machine = new Machine(world, { drift: DRIFT * leaseDurationMs / renewDeadlineMs });
  }

  /** The shards of a replica that is alive. */
  get shards(): number[] | undefined {
    if (this.#core === undefined || this.#isKilled) return undefined;
    return [...this.#core.shards].filter(([, is]) => is === "owned").map(([shard]) => shard);
  }

  worksOn(shard: number): boolean {
    const work = this.#work.get(shard);
    return work !== undefined && this.machine.now() < work.untilMs;
  }

  start(): void {
    const { machine } = this;
    const core = new ShardingCore({
      ...this.#times,
      name: NAME,
      namespace: "default",
      identity: "same for all",
      shards: SHARDS,
      random: this.#world.random,
    }, {
      acquired: (shard) => {
        this.acquired++;
        this.#work.set(shard, { untilMs: core.deadlineMs });
      },
      drain: (shard) => {
        const work = this.#work.get(shard);
        machine.at(this.#world.nowMs + this.#world.between(0, 8_000), () => {
          // It may have been lost, and acquired again.
          if (this.#work.get(shard) !== work) return;
          this.#work.delete(shard);
          core.drained(shard, machine.now());
        });
      },
      lost: (shard) => this.#work.delete(shard),
    });
    this.#core = core;
    this.#act(core);
  }

  stop(): void {
    this.machine.at(this.#world.nowMs, () => {
      this.#core?.stop(this.machine.now());
    });
  }

  /** Is not allowed to list for a time, and may do everything else. */
  denyLists(forMs: number): void {
    this.#listsFailUntilMs = this.#world.nowMs + forMs;
  }

  kill(): void {
    this.#isKilled = true;
    this.machine.kill();
  }

  #act(core: ShardingCore): void {
    const { machine } = this;
    const step = core.step(machine.now(), machine.wallNow());
    this.#check();
    if (step.kind === "wait") return machine.atLocal(step.untilMs, () => this.#act(core));
    if (step.kind === "done") {
      this.#core = undefined;
      machine.at(this.#world.nowMs + this.#world.between(0, 5_000), () => this.start());
      return;
    }
    this.#request(core, step, () => {
      this.#check();
      this.#act(core);
    });
  }

  #request(core: ShardingCore, step: Request, next: () => void): void {
    const { machine } = this;
    const { register } = this.#world;
    const limitMs = this.#times.renewDeadlineMs / 4;
    const now = () => machine.now();
    if (step.kind === "list") {
      machine.request(
        () => register.list(),
        limitMs,
        (leases) => {
          if (this.#world.nowMs < this.#listsFailUntilMs) core.listFailed(now());
          else core.listed(leases, now());
          next();
        },
        () => {
          core.listFailed(now());
          next();
        },
      );
    } else if (step.kind === "delete") {
      const { name, resourceVersion } = step.lease.metadata;
      const end = () => {
        core.deleted(step.lease);
        next();
      };
      machine.request(() => register.delete(name, resourceVersion), limitMs, end, end);
    } else {
      const { name, answers, step: { kind } } = step;
      machine.request(
        () => {
          if (step.step.kind === "create") return register.create(step.step.lease);
          if (step.step.kind === "update") return register.update(step.step.lease);
          return register.get(name);
        },
        limitMs,
        (lease) => {
          if (kind === "read") answers.observed(lease, now());
          else if (lease === undefined) answers.failed("conflict", now());
          else answers.written(lease, now());
          next();
        },
        () => {
          answers.failed("unknown", now());
          next();
        },
      );
    }
  }

  #check(): void {
    const core = this.#core;
    for (const [shard, work] of this.#work) {
      if (core?.shards.has(shard)) work.untilMs = core.deadlineMs;
      if (!this.worksOn(shard)) continue;
      const owners = this.#replicas.filter((replica) => replica.worksOn(shard));
      assert(
        owners.length === 1,
        `${owners.length} owners of shard ${shard} at ${this.#world.nowMs} ms`,
      );
    }
  }
}

interface Outcome {
  readonly acquired: number;
}

function simulate(random: Random): Outcome {
  const world = new World(random, CALM_FROM_MS);
  const times = world.chance(0.5) ? TIMES[0] : TIMES[1];
  const replicas: Replica[] = [];
  const count = 2 + Math.floor(world.between(0, 3));
  while (replicas.length < count) {
    replicas.push(new Replica(world, replicas, times));
  }
  for (const replica of replicas) {
    world.at(world.between(0, 20_000), () => replica.start());
    const meets = (happen: () => void) => world.at(world.between(5_000, CALM_FROM_MS), happen);
    meets(() => replica.machine.stand(world.between(0, 30_000)));
    meets(() => replica.machine.stand(world.between(0, 4_000)));
    meets(() => replica.machine.cutOff(world.between(0, 30_000)));
    if (world.chance(0.3)) meets(() => replica.denyLists(world.between(0, 40_000)));
    meets(() => replica.stop());
    if (world.chance(0.2)) meets(() => replica.kill());
  }
  if (world.chance(0.3)) meddle(world);
  world.run(LENGTH_MS);
  expectSpread(replicas);
  return { acquired: replicas.reduce((sum, { acquired }) => sum + acquired, 0) };
}

/** Deletes or edits a Lease, or writes an invalid table, but not while the table is new. */
function meddle(world: World): void {
  const atMs = world.between(10_000, CALM_FROM_MS);
  const isTable = (name: string) => name.endsWith("-shards");
  const find = (ofTable: boolean) =>
    world.register.list().find(({ metadata }) => isTable(metadata.name) === ofTable);
  world.at(atMs - 10_000, () => {
    if (find(true) === undefined) return;
    world.at(atMs, () => {
      const lease = find(world.chance(0.6));
      if (lease === undefined) return;
      if (isTable(lease.metadata.name) && world.chance(0.5)) {
        const annotations = { "kubeloop/shards": '{"shards":2,"owners":{"x":[0,0]}}' };
        world.register.update({ ...lease, metadata: { ...lease.metadata, annotations } });
      } else if (world.chance(0.5)) world.register.delete(lease.metadata.name);
      else {
        const edit = world.chance(0.5) ? { holderIdentity: "" } : { leaseDurationSeconds: 1 };
        world.register.update({ ...lease, spec: { ...lease.spec, ...edit } });
      }
    });
  });
}

/** After a while without trouble, each shard has an owner, and the shards are spread evenly. */
function expectSpread(replicas: readonly Replica[]): void {
  const owned = replicas.flatMap(({ shards }) => shards === undefined ? [] : [shards]);
  if (owned.length === 0) return;
  const counts = owned.map(({ length }) => length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  assert(total === SHARDS, `only ${total} of ${SHARDS} shards have owners: ${counts}`);
  assert(
    Math.max(...counts) - Math.min(...counts) <= 1,
    `the shards are spread unevenly: ${counts}`,
  );
}

Deno.test("ShardingCore: no two owners of a shard, and in the end all shards are spread evenly", async () => {
  let acquired = 0;
  let runs = 0;
  await forEachSeed(200, (random) => {
    acquired += simulate(random).acquired;
    runs++;
  });
  assert(acquired > 8 * runs, `only ${acquired} shards were acquired in ${runs} runs`);
});
