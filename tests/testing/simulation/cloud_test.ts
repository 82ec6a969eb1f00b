/** Faults at the calls of an external world. */

import {
  Controller,
  defineResource,
  type KubeObject,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  create,
  patch,
  type Plan,
  type ProcessEnv,
  settle,
  type Simulation,
  simulation,
} from "@kubeloop/testing/simulation";
import { assert, assertEquals } from "@std/assert";

interface Ring extends KubeObject {
  spec: { nodes: number };
}

const Rings: Resource<Ring> = defineResource<Ring>({
  group: "example.com",
  version: "v1",
  plural: "rings",
  kind: "Ring",
  namespaced: true,
});

/** Nodes that are drained, and removed ten seconds later. */
class Nodes {
  #nodes = 0;
  #leaving = 0;

  count(): number {
    return this.#nodes;
  }

  leaving(): number {
    return this.#leaving;
  }

  add(): void {
    this.#nodes++;
  }

  leave(): void {
    this.#leaving++;
  }

  take(): void {
    this.#leaving--;
    this.#nodes--;
  }

  state(): unknown {
    return { nodes: this.#nodes, leaving: this.#leaving };
  }
}

/** A controller that forgets a node that leaves if it is wanted again. */
function rings(): Simulation<Nodes> {
  return simulation({
    process: async ({ client, cloud, logger, signal }: ProcessEnv<Nodes>) => {
      const informer = new SharedInformerFactory(client, { logger }).informer(Rings);
      await new Controller({
        informer,
        logger,
        async reconcile(key) {
          const ring = informer.indexer.getByKey(key);
          if (ring === undefined) return {};
          await Promise.resolve();
          while (cloud.count() < ring.spec.nodes) cloud.add();
          if (cloud.count() === ring.spec.nodes) return {};
          if (cloud.leaving() > 0) cloud.take();
          else cloud.leave();
          return { requeueAfterMs: 10_000 };
        },
      }).run({ signal });
    },
    world: { cloud: () => new Nodes() },
    workload: [
      create(Rings, "r", { spec: { nodes: 2 } }),
      settle(),
      patch(Rings, "r", { spec: { nodes: 1 } }),
      settle(),
    ],
  });
}

Deno.test("a step is taken back after a call of the external world", async () => {
  const sim = rings();
  const when = "operator calls leave() #1";
  const isTried = ({ faults: [fault] }: Plan) => fault?.fault === "revert" && fault.when === when;
  assert((await Array.fromAsync(sim.plans())).some(isTried));
  const { state, taken } = await sim.replay({
    seed: 1,
    faults: [{ fault: "revert", step: 2, when }],
  });
  assertEquals(taken.size, 1);
  assertEquals(state.get("cloud"), { leaving: 1, nodes: 2 });
});
