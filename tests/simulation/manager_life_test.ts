/**
 * A manager lives as its state machine says, whatever happens: two replicas with leader election, a finalizer, an owned kind,
 * a status and a watched kind, under every fault that the simulator has.
 */

import { assert, assertEquals } from "@std/assert";
import {
  type Cached,
  ConfigMaps,
  defineResource,
  type KubeObject,
  Leases,
  type Logger,
  Manager,
  type Resource,
  type Secret,
  Secrets,
} from "@kubeloop/controller";
import { LinkedAbort } from "@kubeloop/controller/internal/base";
import { LeadershipLostError } from "@kubeloop/controller/operator";
import {
  assertClean,
  create,
  patch,
  type ProcessEnv,
  remove,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";
import { scaled } from "../support/seeded_runs.ts";
import { plansOfEachFault } from "./_plans_of_each_fault.ts";

interface Widget extends KubeObject {
  spec?: { size?: number };
  status?: { ready?: number };
}

const Widgets: Resource<Widget> = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

const STOP_MS = 10_000;

/** The phases that may follow each phase. A manager stops from every one of them. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  "created": ["starting"],
  "starting": ["standing by", "stopping"],
  "standing by": ["leading", "stopping"],
  "leading": ["stopping"],
  "stopping": ["stopped"],
  "stopped": [],
};

/** The life of one manager, read from its log and its metrics. */
class Life {
  /** The errors of all runs. */
  static readonly broken: string[] = [];
  /** How many managers have been in each phase. */
  static readonly seen = new Map<string, number>();
  /** The reasons for which managers have ended. */
  static readonly ends = new Map<string, number>();
  readonly logger: Logger;
  readonly #env: ProcessEnv;
  #phase = "created";
  #stoppingMs: number | undefined;

  constructor(env: ProcessEnv) {
    this.#env = env;
    const { logger } = env;
    this.logger = {
      debug: (line) => logger.debug(line),
      info: (line) => {
        const [, phase] = /^operator: (?:.*, )?([a-z ]+)$/.exec(line) ?? [];
        if (phase !== undefined && phase in NEXT) this.#enter(phase);
        logger.info(line);
      },
      warn: (line) => logger.warn(line),
      error: (line) => logger.error(line),
    };
  }

  /** Runs a manager until it ends: when the process stops, or after some minutes, as in a rolling update. */
  async run(manager: Manager): Promise<void> {
    const { clock, random } = this.#env;
    const stop = new LinkedAbort(this.#env.signal);
    const timer = clock.setTimer(() => stop.abort(), 60_000 + 300_000 * random.next());
    let end = "stop";
    try {
      await manager.run({ signal: stop.signal });
    } catch (error) {
      // A definition may come late.
      const isEarly = String(error).includes("the server does not know widgets.example.com");
      if (!LeadershipLostError.is(error) && !isEarly) this.#break(`run() rejects: ${error}`);
      end = isEarly ? "the definition is missing" : "the lease was lost";
    } finally {
      timer.cancel();
      stop.release();
    }
    Life.ends.set(end, (Life.ends.get(end) ?? 0) + 1);
    const tookMs = clock.now() - (this.#stoppingMs ?? clock.now());
    if (tookMs > STOP_MS) this.#break(`it took ${tookMs} ms to stop`);
    if (this.#phase !== "stopped") this.#break(`run() has ended, and the phase is ${this.#phase}`);
    const gauge = /kubeloop_manager_state\{state="([^"]*)"\} 1\n/.exec(manager.metrics.text())?.[1];
    if (gauge !== this.#phase) this.#break(`the log says ${this.#phase}, the metric ${gauge}`);
  }

  #enter(phase: string): void {
    if (!NEXT[this.#phase]?.includes(phase)) this.#break(`${this.#phase} → ${phase}`);
    this.#phase = phase;
    if (phase === "stopping") this.#stoppingMs = this.#env.clock.now();
    Life.seen.set(phase, (Life.seen.get(phase) ?? 0) + 1);
  }

  #break(what: string): void {
    const text = `${this.#env.identity}: ${what}`;
    Life.broken.push(text);
    this.#env.logger.error(text);
  }
}

/** Runs the operator as the kubelet does: a new one when the last one has ended. */
async function operator(env: ProcessEnv): Promise<void> {
  for (let life = 1; !env.signal.aborted; life++) {
    const one = new Life(env);
    const manager = new Manager(env.client, {
      logger: one.logger,
      gracefulStopTimeoutMs: STOP_MS,
      leaderElection: {
        name: "widgets",
        namespace: "default",
        identity: `${env.identity}-${life}`,
      },
    });
    manager.controller(Widgets)
      .owns(ConfigMaps)
      .watches(Secrets, { map: (secret: Cached<Secret>) => secret.metadata.name ?? "" })
      .finalizer("example.com/clean", { cleanup: () => {} })
      .reconcile(async ({ apply, cache, key, name, object, status }) => {
        const secret = cache(Secrets).get(key);
        const size = object.spec?.size ?? 1;
        await apply(ConfigMaps, {
          metadata: { name: `${name}-config` },
          data: { size: `${size}`, secret: secret?.data?.color ?? "" },
        });
        status({ ready: size });
      });
    await one.run(manager);
    // As the kubelet waits.
    await new Promise<void>((resolve) => env.clock.setTimer(resolve, 10_000));
  }
}

Deno.test("a manager lives as its state machine says, under every fault of the simulator", async () => {
  const sim = simulation({
    process: operator,
    replicas: 2,
    resources: [Widgets],
    workload: [
      create(Widgets, "a", { spec: { size: 1 } }),
      create(Widgets, "b", { spec: { size: 2 } }),
      settle(),
      create(Secrets, "a", { data: { color: "cmVk" } }),
      patch(Widgets, "a", { spec: { size: 3 } }),
      settle(),
      remove(Widgets, "a"),
      settle(),
    ],
    // Which replica holds the lease depends on the faults.
    mask: (object) => object.kind === Leases.kind ? undefined : object,
  });
  const report = await sim.explore({
    plans: plansOfEachFault(await sim.singles(), scaled(1)),
    budget: { plans: Infinity, ms: Infinity },
  });
  assertClean(report);
  assertEquals(Life.broken, []);
  for (const phase of ["starting", "standing by", "leading", "stopping", "stopped"]) {
    assert((Life.seen.get(phase) ?? 0) > 0, `no manager was ${phase}`);
  }
  assert(Life.ends.has("stop"), "no manager was stopped");
});
