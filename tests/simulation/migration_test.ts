/**
 * A migration of stored objects is killed, refused and disturbed at each of its requests: whatever happens, an object is
 * stored in a version that the definition names, and in the end all are stored in the newest one.
 */

import { assertEquals } from "@std/assert";
import {
  type Client,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  type KubeObject,
} from "@kubeloop/controller";
import { crd, installDefinitions } from "@kubeloop/controller/crd";
import {
  assertClean,
  create,
  patch,
  type Process,
  type ProcessEnv,
  remove,
  type Scene,
  settle,
  simulation,
  upgrade,
} from "@kubeloop/testing/simulation";
import { scaled } from "../support/seeded_runs.ts";
import { plansOfEachFault } from "./_plans_of_each_fault.ts";
import {
  countsByVersion,
  definitionOf,
  storedVersions,
  type Widget,
  widgetsIn,
} from "../crd/_stored_versions.ts";

const Widgets = widgetsIn("v1");

/** Returns the client with pages of two objects, so that a few objects are enough. */
function withSmallPages(client: Client): Client {
  const list: Client["list"] = (resource, options) =>
    client.list(resource, { ...options, ...(options?.limit === 500 ? { limit: 2 } : {}) });
  return new Proxy(client, {
    get(target, name) {
      if (name === "list") return list;
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** Returns an operator whose definition stores objects in a version. */
function operator(storage: "v1" | "v2" | "v3"): Process {
  return async ({ client, signal }: ProcessEnv) => {
    const options = { migrate: true, signal };
    await installDefinitions(withSmallPages(client), [widgetsIn(storage)], options);
  };
}

/** Trims the versions although an object could not be rewritten. */
async function careless({ client, signal }: ProcessEnv): Promise<void> {
  const [definition] = await installDefinitions(client, [widgetsIn("v2")], { signal });
  if (definition?.status?.storedVersions?.length === 1) return;
  const { items } = await client.list(Widgets, { signal });
  for (const { metadata } of items) {
    await client.patch(Widgets, metadata.name, {}, { namespace: "default", signal })
      .catch(() => {});
  }
  await client.patchStatus(CustomResourceDefinitions, "widgets.acme.io", {
    status: { storedVersions: ["v2"] },
  });
}

/** Whether the definition names the versions of all stored objects. */
function isNothingLost({ server }: Scene): true | string {
  const named = storedVersions(server);
  const lost = Object.keys(countsByVersion(server)).filter((version) => !named.includes(version));
  return definitionOf(server) === undefined || lost.length === 0 ||
    `objects are stored in ${lost}, and the definition names ${named}`;
}

/** Whether all objects are stored in the storage version, and the definition says so. */
function isMigrated({ server }: Scene): true | string {
  const storage = definitionOf(server)?.spec.versions.find((version) => version.storage)?.name;
  const found = [...storedVersions(server), ...Object.keys(countsByVersion(server))];
  return found.every((version) => version === storage) || `stored in ${found}, not in ${storage}`;
}

function withoutConditions(object: KubeObject): KubeObject {
  const { status: { conditions: _, ...status }, ...rest } = object as CustomResourceDefinition & {
    status: object;
  };
  return { ...rest, status } as KubeObject;
}

const objects = Array.from({ length: 5 }, (_, index) => ({
  resource: Widgets,
  object: {
    metadata: { name: `w-${index}`, namespace: "default" },
    spec: { size: index },
  } as Widget,
}));

/** The first definition. It lacks a name, so that each operator writes it. */
const installed = crd(Widgets);
delete installed.spec.names.shortNames;

function migrations(actors: boolean) {
  return simulation({
    process: operator("v1"),
    resources: [installed],
    objects,
    world: { actors: actors && { nodes: 0 } },
    workload: [
      settle(),
      upgrade(operator("v2")),
      patch(Widgets, "w-1", { spec: { size: 7 } }),
      remove(Widgets, "w-2"),
      create(Widgets, "x", { spec: { size: 1 } }),
      settle(),
      upgrade(operator("v1")),
      patch(Widgets, "w-3", { spec: { size: 8 } }),
      upgrade(operator("v3")),
      settle(),
    ],
    // The program waits a minute for the controller of the server.
    limits: { quietMs: 120_000 },
    always: [isNothingLost],
    finally: [isMigrated],
    // Whether the server or the program has migrated depends on the faults.
    mask: (object) =>
      object.kind === "CustomResourceDefinition"
        ? withoutConditions(object)
        : object.kind === "StorageVersionMigration"
        ? undefined
        : object,
  });
}

for (const [who, actors] of [["the program", false], ["the server", true]] as const) {
  Deno.test(`a migration by ${who} loses nothing, whatever happens`, async () => {
    const sim = migrations(actors);
    const report = await sim.explore({
      plans: plansOfEachFault(await sim.singles(), scaled(1)),
      budget: { plans: Infinity, ms: Infinity },
    });
    assertClean(report);
  });
}

Deno.test("the simulation finds a migration that ignores a failure", async () => {
  const sim = simulation({
    process: careless,
    resources: [installed],
    objects,
    workload: [settle()],
    always: [isNothingLost],
  });
  const { findings } = await sim.explore({ budget: { plans: 50 } });
  assertEquals(findings[0]?.wrong[0]?.oracle, "invariant");
});
