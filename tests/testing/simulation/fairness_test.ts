/** Differences between two runs of a correct controller, which are not bugs, and similar differences that are. */

import {
  ConfigMaps,
  Controller,
  controllerReference,
  defineResource,
  isNotFound,
  type KubeObject,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  assertClean,
  create,
  patch,
  type PlanFault,
  type Process,
  type ProcessEnv,
  remove,
  settle,
  type Simulation,
  simulation,
  type SimulationOptions,
} from "@kubeloop/testing/simulation";
import { assertEquals, assertMatch } from "@std/assert";

interface Thing extends KubeObject {
  spec: { storage?: number; replicas?: number };
  status?: Record<string, unknown>;
}

const Things: Resource<Thing> = defineResource<Thing>({
  group: "example.com",
  version: "v1",
  plural: "things",
  kind: "Thing",
  namespaced: true,
});

/** A controller that reconciles live Things. */
function things<C>(
  reconcile: (thing: Thing, env: ProcessEnv<C>) => Promise<unknown>,
): Process<C> {
  return async (env) => {
    const { client, logger, signal } = env;
    const informer = new SharedInformerFactory(client, { logger }).informer(Things);
    await new Controller({
      informer,
      logger,
      async reconcile(key) {
        const thing = informer.indexer.getByKey(key);
        if (thing === undefined || thing.metadata.deletionTimestamp !== undefined) return;
        await reconcile(thing as Thing, env);
      },
    }).run({ signal });
  };
}

async function run<C>(
  options: SimulationOptions<C> | Simulation<C>,
  ...faults: PlanFault[]
): Promise<string[]> {
  const sim = "replay" in options ? options : simulation(options);
  const { wrong } = await sim.replay({ seed: 1, faults });
  return wrong.map(({ message, oracle }) => `${oracle}: ${message}`);
}

const call = { namespace: "default" };
const size = (spec: Thing["spec"]) => [
  create(Things, "t", { spec }),
  settle(),
];

Deno.test("a process that polls an external world lets everything settle, and is not tried at each poll", async () => {
  const sim = simulation({
    process: async ({ clock, cloud }: ProcessEnv<{ list(): string[] }>) => {
      for (;;) {
        cloud.list();
        await new Promise<void>((resolve) => clock.setTimer(() => resolve(), 1000));
      }
    },
    world: { cloud: () => ({ list: () => ["a"] }) },
    workload: [create(ConfigMaps, "c"), settle()],
  });
  assertEquals((await sim.reference()).wrong, []);
  const report = await sim.explore({ budget: { plans: 200 } });
  assertClean(report);
  const calls = report.reference.history.moments.filter(({ kind }) => kind === "cloud");
  assertEquals(calls.length, 1);
});

/** A cloud whose ids depend on how often it was asked. */
class Disks {
  readonly #disks = new Map<string, string>();
  #made = 0;

  create(name: string): { id: string } {
    const id = `disk-${++this.#made}`;
    this.#disks.set(id, name);
    return { id };
  }

  delete(id: string): void {
    this.#disks.delete(id);
  }

  state(): unknown {
    return Object.fromEntries(this.#disks);
  }
}

function disks(isDangling: boolean): Simulation<Disks> {
  let lives = 0;
  return simulation({
    process: things<Disks>(async (thing, { client, cloud }) => {
      if (thing.status?.disk !== undefined) return;
      lives++;
      // In some lives, the disk is deleted at once and made again.
      const isRemade = isDangling || lives % 2 === 1;
      const { id } = cloud.create("data");
      if (isRemade) cloud.delete(id);
      const disk = isRemade ? cloud.create("data").id : id;
      await client.patchStatus(Things, "t", { status: { disk: isDangling ? id : disk } }, call);
    }),
    world: { cloud: () => new Disks() },
    workload: size({}),
  });
}

Deno.test("an id that an external world gives out is not compared, but must be in use", async () => {
  // Each run is another life, so that the ids of two runs differ.
  const sim = disks(false);
  const states = [await sim.reference(), await sim.replay({ seed: 1, faults: [] })];
  assertEquals(states[0]!.state, states[1]!.state);
  assertEquals(states[1]!.wrong, []);
  const dangling = (await disks(true).reference()).state.get("things.example.com default/t");
  assertMatch(JSON.stringify(dangling), /an id of nothing in the external world/);
});

Deno.test("a status may tell of a wish that a process has not seen", async () => {
  const options: SimulationOptions = {
    process: things(async ({ spec, status }, { client }) => {
      if (status?.replicas === spec.replicas) return;
      const scaled = status === undefined ? null : `from ${status.replicas} to ${spec.replicas}`;
      await client.patchStatus(Things, "t", { status: { replicas: spec.replicas, scaled } }, call);
    }),
    workload: [...size({ replicas: 2 }), patch(Things, "t", { spec: { replicas: 1 } }), settle()],
  };
  const coalesce: PlanFault = {
    fault: "coalesce",
    process: "operator",
    event: "ADDED things.example.com default/t #1",
  };
  assertEquals(await run(options, coalesce), []);
});

function grows(field: "storage" | "replicas"): SimulationOptions {
  return {
    process: things(async (thing, { client }) => {
      const wanted = thing.spec[field]!;
      const metadata = {
        name: "c",
        ownerReferences: [controllerReference(thing as never, Things)],
      };
      const found = await client.get(ConfigMaps, "c", call).catch((error) => {
        if (!isNotFound(error)) throw error;
      });
      const data = { [field]: `${Math.max(wanted, parseInt(found?.data?.[field] ?? "0"))}Gi` };
      if (found === undefined) await client.create(ConfigMaps, { metadata, data }, call);
      else await client.patch(ConfigMaps, "c", { data }, call);
    }),
    workload: [...size({ [field]: 1 }), patch(Things, "t", { spec: { [field]: 2 } }), settle()],
  };
}

Deno.test("room for data need not shrink when a change is taken back, and anything else must", async () => {
  const back: PlanFault = { fault: "revert", step: 2, when: "settled" };
  assertEquals(await run(grows("storage"), back), []);
  assertMatch(
    (await run(grows("replicas"), back)).join(),
    /data\.replicas should be "1Gi" and is "2Gi"/,
  );
});

Deno.test("a process that sees the deletion of an owner late makes dependents again, which is not a hot loop", async () => {
  const options: SimulationOptions = {
    process: async ({ client, logger, signal }) => {
      const informers = new SharedInformerFactory(client, { logger });
      const owners = informers.informer(Things);
      const maps = informers.informer(ConfigMaps);
      const controller = new Controller({
        informer: owners,
        waitFor: [maps],
        async reconcile(key) {
          const thing = owners.indexer.getByKey(key);
          if (thing === undefined || maps.indexer.getByKey("default/c") !== undefined) return;
          const ownerReferences = [controllerReference(thing, Things)];
          await client.create(ConfigMaps, { metadata: { name: "c", ownerReferences } }, call);
        },
      });
      const enqueue = () => controller.enqueue("default/t");
      maps.addEventHandler({ onDelete: enqueue });
      await controller.run({ signal });
    },
    workload: [...size({}), remove(Things, "t"), settle()],
  };
  const late: PlanFault = {
    fault: "hold",
    process: "operator",
    scope: "kind",
    event: "DELETED things.example.com default/t #1",
    forMs: 400_000,
  };
  assertEquals(await run(options, late), []);
});
