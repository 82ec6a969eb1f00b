/**
 * The promises of the original, in the order of its `syncHandler`:
 *
 * 1. It creates the Deployment that a Foo names, with the replicas, labels and image of the original.
 * 2. It copies the replicas of the Foo, and restores them after an edit. Without `spec.replicas` the
 *    Deployment is free to be scaled.
 * 3. It creates the Deployment again after a deletion.
 * 4. It copies `availableReplicas` into the status.
 * 5. A Deployment that it does not control is left alone: an Event, an error, a retry.
 * 6. A Foo without a name of a Deployment is logged, and not retried.
 * 7. An Event says that a Foo is synced.
 * 8. The garbage collector deletes the Deployment with its Foo.
 * 9. The API refuses more than 10 replicas.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  controllerOf,
  crd,
  type Deployment,
  Deployments,
  isNotFound,
  Manager,
} from "@kubeloop/controller";
import { EventsV1 } from "@kubeloop/controller/operator";
import { startActors } from "@kubeloop/testing";
import {
  assertClean,
  create,
  patch,
  patchStatus,
  remove,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";
import { namespace, World } from "../operator/_world.ts";
import { Foos, sampleController } from "./sample_controller.ts";
import { slowTest } from "../support/kinds_of_tests.ts";

/** A cluster in which the controller runs. */
class FooWorld extends World {
  readonly #actors = startActors(this.server, { token: "admin" });

  static async create(): Promise<FooWorld> {
    const world = new FooWorld();
    const manager = world.manager({ name: "sample-controller", definitions: [Foos] });
    sampleController(manager);
    world.start(manager);
    await world.pass(5_000);
    return world;
  }

  foo(name: string, spec: { deploymentName?: string; replicas?: number }): Promise<unknown> {
    return this.do(this.client.create(Foos, { metadata: { name, namespace }, spec }));
  }

  async available(name: string): Promise<number | undefined> {
    const foo = await this.do(this.client.get(Foos, name, { namespace }));
    return foo.status?.availableReplicas;
  }

  deployment(name: string): Promise<Deployment> {
    return this.do(this.client.get(Deployments, name, { namespace }));
  }

  async events(name: string): Promise<string[]> {
    await this.pass(1_000);
    const { items } = await this.do(this.client.list(EventsV1, { namespace }));
    const about = items.filter(({ regarding }) =>
      regarding?.name === name && regarding.kind === "Foo"
    );
    return about.map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.do(this.#actors.stop());
    await super[Symbol.asyncDispose]();
  }
}

Deno.test("sample-controller: a Foo gets its Deployment, status and Event", async () => {
  await using world = await FooWorld.create();
  await world.foo("foo", { deploymentName: "web", replicas: 2 });
  await world.pass(10_000);
  const deployment = await world.deployment("web");
  const labels = { app: "nginx", controller: "foo" };
  assertEquals(deployment.spec?.replicas, 2);
  assertEquals(deployment.spec?.selector, { matchLabels: labels });
  assertEquals(deployment.spec?.template.metadata?.labels, labels);
  assertEquals(deployment.spec?.template.spec?.containers[0]?.image, "nginx:latest");
  assertEquals(controllerOf(deployment, Foos)?.name, "foo");
  assertEquals(await world.available("foo"), 2);
  assertEquals(await world.events("foo"), ["Normal Synced: Foo synced successfully"]);
});

Deno.test("sample-controller: the replicas follow the Foo, also after an edit or a deletion", async () => {
  await using world = await FooWorld.create();
  await world.foo("foo", { deploymentName: "web", replicas: 1 });
  await world.pass(10_000);
  const replicas = async () => (await world.deployment("web")).spec?.replicas;
  await world.do(world.client.patch(Foos, "foo", { spec: { replicas: 3 } }, { namespace }));
  await world.pass(10_000);
  assertEquals([await replicas(), await world.available("foo")], [3, 3]);
  await world.do(world.client.patch(Deployments, "web", { spec: { replicas: 7 } }, { namespace }));
  await world.pass(10_000);
  assertEquals([await replicas(), await world.available("foo")], [3, 3]);
  await world.do(world.client.delete(Deployments, "web", { namespace }));
  await world.pass(10_000);
  assertEquals([await replicas(), await world.available("foo")], [3, 3]);
});

Deno.test("sample-controller: without spec.replicas, others may scale the Deployment", async () => {
  await using world = await FooWorld.create();
  await world.foo("foo", { deploymentName: "web" });
  await world.pass(10_000);
  await world.do(world.client.patch(Deployments, "web", { spec: { replicas: 4 } }, { namespace }));
  await world.pass(10_000);
  assertEquals((await world.deployment("web")).spec?.replicas, 4);
  assertEquals(await world.available("foo"), 4);
});

slowTest("sample-controller: a Deployment of others stays unchanged until deleted", async () => {
  await using world = await FooWorld.create();
  const labels = { app: "other" };
  const spec = {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "other" }] } },
  };
  const taken = { metadata: { name: "taken", namespace }, spec };
  await world.do(world.client.create(Deployments, taken));
  await world.pass(2_000);
  // The second Foo finds the Deployment of the first one.
  await world.foo("late", { deploymentName: "taken", replicas: 2 });
  await world.pass(2_000);
  await world.foo("foo", { deploymentName: "web" });
  await world.pass(2_000);
  await world.foo("rival", { deploymentName: "web", replicas: 5 });
  await world.pass(10_000);
  const { metadata, spec: after } = await world.deployment("taken");
  assertEquals([metadata.ownerReferences, after?.replicas], [undefined, 1]);
  assertEquals(controllerOf(await world.deployment("web"))?.name, "foo");
  assertEquals((await world.deployment("web")).spec?.replicas, 1);
  for (const [foo, name] of [["late", "taken"], ["rival", "web"]] as const) {
    const note = `Resource "${name}" already exists and is not managed by Foo`;
    assertEquals(await world.events(foo), [`Warning ErrResourceExists: ${note}`]);
    assert(world.lines.some((line) => line.includes(note) && line.includes(`default/${foo}`)));
  }
  await world.do(world.client.delete(Deployments, "taken", { namespace }));
  await world.pass(1_000_000);
  assertEquals(controllerOf(await world.deployment("taken"))?.name, "late");
});

Deno.test("sample-controller: a Foo without a name of a Deployment is logged, and not retried", async () => {
  await using world = await FooWorld.create();
  await world.foo("foo", {});
  await world.pass(60_000);
  const lines = world.lines.filter((line) => line.includes("spec.deploymentName is missing"));
  assertEquals(lines, ['error foo: "default/foo": spec.deploymentName is missing']);
  assertEquals(await world.events("foo"), []);
});

Deno.test("sample-controller: the Deployment is deleted with its Foo; 11 replicas fail", async () => {
  await using world = await FooWorld.create();
  await world.foo("foo", { deploymentName: "web" });
  await world.pass(5_000);
  await world.do(world.client.delete(Foos, "foo", { namespace }));
  await world.pass(30_000);
  assert(isNotFound(await world.deployment("web").catch((error) => error)));
  await assertRejects(() => world.foo("big", { replicas: 11 }), Error, "spec.replicas");
});

Deno.test("sample-controller: a Foo that changes nothing makes no request", async () => {
  await using world = await FooWorld.create();
  await world.foo("foo", { deploymentName: "web", replicas: 2 });
  await world.pass(20_000);
  world.writes.length = 0;
  const metadata = { labels: { team: "a" } };
  await world.do(world.client.patch(Deployments, "web", { metadata }, { namespace }));
  await world.pass(300_000);
  const path = "/apis/apps/v1/namespaces/default/deployments/web";
  const others = world.writes.filter((line) => !line.includes("/leases/"));
  assertEquals(others.filter((line) => !line.includes("/events")), [`PATCH ${path}`]);
});

slowTest("sample-controller passes a simulation", async () => {
  // A Deployment as an orphan of a Foo would be: only its owner is missing.
  const labels = { app: "nginx", controller: "late" };
  const taken = {
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "mine" }] } },
    },
  };
  const sim = simulation({
    process: ({ client, signal }) => {
      const manager = new Manager(client, { name: "sample-controller" });
      sampleController(manager);
      return manager.run({ signal });
    },
    resources: [crd(Foos)],
    workload: [
      create(Foos, "foo", { spec: { deploymentName: "web", replicas: 2 } }),
      settle(),
      patchStatus(Deployments, "web", { replicas: 2, readyReplicas: 2, availableReplicas: 2 }),
      settle(),
      create(Deployments, "taken", taken),
      create(Foos, "late", { spec: { deploymentName: "taken", replicas: 2 } }),
      patch(Foos, "foo", { spec: { replicas: 3 } }),
      settle(),
      patch(Deployments, "web", { spec: { replicas: 9 } }),
      remove(Foos, "late"),
      settle(),
      remove(Foos, "foo"),
      settle(),
    ],
    always: [({ server }) => {
      const deployment = server.get(Deployments, "taken", namespace);
      return deployment === undefined || controllerOf(deployment) === undefined ||
        "a Deployment of others was adopted";
    }],
  });
  assertClean(await sim.explore({ budget: { plans: 30, ms: Infinity } }));
});
