/** Controllers of optional kinds and of namespaces by label are right, whatever goes wrong. */

import { assert, assertEquals } from "@std/assert";
import {
  ConfigMaps,
  CustomResourceDefinitions,
  defineResource,
  isNotFound,
  type KubeObject,
  Manager,
  Namespaces,
  type Resource,
} from "@kubeloop/controller";
import {
  act,
  assertClean,
  create,
  patch,
  type ProcessEnv,
  remove,
  settle,
  simulation,
  type SimulationOptions,
  wait,
} from "@kubeloop/testing/simulation";
import { scaled } from "../../support/seeded_runs.ts";

/** The number of plans. */
const PLANS = 50;

interface Widget extends KubeObject {
  spec?: { size?: number };
}

const Widgets: Resource<Widget> = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

const Gadgets: Resource<Widget> = defineResource<Widget>({
  group: "gadgets.io",
  version: "v1",
  plural: "gadgets",
  kind: "Gadget",
  namespaced: true,
});

const DEFINITION = "gadgets.gadgets.io";
const definition = {
  spec: {
    group: "gadgets.io",
    scope: "Namespaced" as const,
    names: { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    }],
  },
};

// A step that is not undone in any plan: nothing restores the objects of a kind that was removed.
const install = () =>
  act("install the definition", async ({ client }) => {
    const metadata = { name: DEFINITION };
    const object = { metadata, ...definition } as never;
    await client.apply(CustomResourceDefinitions, object, { fieldManager: "user" });
  });

const uninstall = () =>
  act("remove the definition", async ({ client }) => {
    await client.delete(CustomResourceDefinitions, DEFINITION);
  });

const gadget = (name: string, size: number) =>
  act(`create gadget ${name}`, async ({ client }) => {
    try {
      const metadata = { name, namespace: "default" };
      await client.apply(Gadgets, { metadata, spec: { size } }, {
        fieldManager: "user",
        force: true,
      });
    } catch (error) {
      // In some plans the kind is absent.
      if (!isNotFound(error)) throw error;
    }
  });

/** Writes the sizes of the Gadgets, if there are any, into a ConfigMap for each Widget. */
async function gadgetOperator({ client, signal }: ProcessEnv): Promise<void> {
  const manager = new Manager(client);
  manager.controller(Widgets)
    .owns(ConfigMaps)
    .watches(Gadgets, { map: ({ metadata }) => [metadata], optional: true })
    .reconcile(async ({ apply, cache, name, namespace }) => {
      const gadgets = cache(Gadgets);
      const size = gadgets.get(name, namespace!)?.spec?.size;
      const data = { gadget: gadgets.isServed ? `${size ?? "none"}` : "absent" };
      await apply(ConfigMaps, { metadata: { name: `${name}-gadget` }, data });
    });
  await manager.run({ signal });
}

/** The same, but looks for the kind only when it starts. */
async function gadgetOperatorOfToday({ client, signal }: ProcessEnv): Promise<void> {
  const isServed = await client.list(Gadgets, { namespace: "default", signal }).then(
    () => true,
    (error) => {
      if (isNotFound(error)) return false;
      throw error;
    },
  );
  const manager = new Manager(client);
  const controller = manager.controller(Widgets).owns(ConfigMaps);
  if (isServed) controller.watches(Gadgets, { map: ({ metadata }) => [metadata] });
  controller.reconcile(async ({ apply, cache, name, namespace }) => {
    const size = isServed ? cache(Gadgets).get(name, namespace!)?.spec?.size : undefined;
    const data = { gadget: isServed ? `${size ?? "none"}` : "absent" };
    await apply(ConfigMaps, { metadata: { name: `${name}-gadget` }, data });
  });
  await manager.run({ signal });
}

const gadgetSimulation = (process: SimulationOptions["process"]) =>
  simulation({
    name: "optional-kind",
    process,
    resources: [Widgets],
    workload: [
      create(Widgets, "a"),
      settle(),
      install(),
      settle(),
      gadget("a", 1),
      create(Widgets, "b"),
      settle(),
      uninstall(),
      settle(),
      install(),
      wait(2_000),
      uninstall(),
      wait(5_000),
      install(),
      settle(),
      gadget("b", 2),
      remove(Widgets, "a"),
      settle(),
    ],
  });

Deno.test(`a controller of an optional kind is right in ${PLANS} plans`, async () => {
  const sim = gadgetSimulation(gadgetOperator);
  const report = await sim.explore({ budget: { plans: scaled(PLANS), ms: Infinity } });
  assertClean(report);
  assert(report.plans > 0);
});

Deno.test("an operator that looks for a kind only at its start is found", async () => {
  const sim = gadgetSimulation(gadgetOperatorOfToday);
  const report = await sim.explore({ budget: { plans: scaled(PLANS), ms: Infinity } });
  assertEquals(report.findings.length > 0, true);
});

/** Remembers which ConfigMaps there have been. */
class Memory {
  readonly seen = new Set<string>();
}

const NAMESPACES = ["team-a", "team-b"];

// A step that is not undone in any plan: the objects that a controller has made in a namespace stay when it leaves.
const label = (namespace: string, team: string | null) =>
  act<Memory>(`label ${namespace} with ${team}`, async ({ client }) => {
    await client.patch(Namespaces, namespace, { metadata: { labels: { team } } } as never);
  });

/** Applies two ConfigMaps for each Widget in the selected namespaces, and prunes others. */
async function teamOperator({ client, signal }: ProcessEnv<Memory>): Promise<void> {
  const manager = new Manager(client, { namespaces: { labelSelector: "team=x" } });
  manage(manager);
  await manager.run({ signal });
}

/** The same, but reads the namespaces only when it starts. */
async function teamOperatorOfToday({ client, signal }: ProcessEnv<Memory>): Promise<void> {
  const { items } = await client.list(Namespaces, { labelSelector: "team=x", signal });
  const namespaces = items.map(({ metadata }) => metadata.name);
  const manager = new Manager(client, {
    namespaces: namespaces.length > 0 ? namespaces : ["none"],
  });
  manage(manager);
  await manager.run({ signal });
}

function manage(manager: Manager): void {
  manager.controller(Widgets)
    .owns(ConfigMaps)
    .reconcile(async ({ apply, name, object }) => {
      for (const part of ["left", "right"]) {
        const data = { size: `${object.spec?.size}` };
        await apply(ConfigMaps, { metadata: { name: `${name}-${part}` }, data });
      }
      return { prune: true };
    });
}

const teamSimulation = (process: SimulationOptions<Memory>["process"]) =>
  simulation({
    name: "namespaces-by-label",
    process,
    world: { cloud: () => new Memory() },
    resources: [Widgets],
    workload: [
      act<Memory>("create the namespaces", async ({ client }) => {
        for (const name of NAMESPACES) {
          await client.apply(Namespaces, { metadata: { name } }, { fieldManager: "user" });
        }
      }),
      create(Widgets, "team-a/w", { spec: { size: 1 } }),
      create(Widgets, "team-b/w", { spec: { size: 1 } }),
      label("team-a", "x"),
      settle(),
      label("team-b", "x"),
      wait(300_000),
      patch(Widgets, "team-b/w", { spec: { size: 2 } }),
      wait(300_000),
      label("team-a", null),
      label("team-b", null),
      wait(300_000),
      patch(Widgets, "team-a/w", { spec: { size: 3 } }),
      wait(1_000),
      label("team-a", "x"),
      wait(500),
      label("team-a", null),
      wait(20),
      label("team-a", "x"),
      label("team-b", "x"),
      settle(),
      patch(Widgets, "team-b/w", { spec: { size: 4 } }),
      settle(),
    ],
    always: [({ server, cloud }) => {
      const now = new Set(
        NAMESPACES.flatMap((namespace) =>
          server.objects(ConfigMaps, namespace).map(({ metadata }) =>
            `${namespace}/${metadata.name}`
          )
        ).filter((key) => /-(left|right)$/.test(key)),
      );
      for (const key of cloud.seen) if (!now.has(key)) return `${key} was deleted`;
      for (const key of now) cloud.seen.add(key);
      return true;
    }],
  });

Deno.test(`a controller of namespaces by label is right in ${PLANS} plans, and never prunes what it no longer sees`, async () => {
  const sim = teamSimulation(teamOperator);
  const report = await sim.explore({ budget: { plans: scaled(PLANS), ms: Infinity } });
  assertClean(report);
  assert(report.plans > 0);
});

Deno.test("an operator that reads its namespaces only at its start is found", async () => {
  const sim = teamSimulation(teamOperatorOfToday);
  const report = await sim.explore({ budget: { plans: scaled(PLANS), ms: Infinity } });
  assertEquals(report.findings.length > 0, true);
});
