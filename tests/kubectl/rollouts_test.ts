import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { Client } from "@kubeloop/controller/client";
import {
  rolloutHistory,
  rolloutRestart,
  rolloutStatus,
  rolloutUndo,
  scale,
} from "@kubeloop/controller/kubectl";
import {
  ConfigMaps,
  defineResource,
  Deployments,
  type KubeObject,
  ReplicaSets,
  type Resource,
} from "@kubeloop/controller/types";
import { startActors } from "@kubeloop/testing";
import { namespace, refusal, World } from "./_world.ts";

interface Workload extends KubeObject {
  spec?: Record<string, unknown> & {
    template?: {
      metadata?: { annotations?: Record<string, string> };
      spec: { containers: { image: string }[] };
    };
  };
}

function workloads(kind: string): Resource<Workload> {
  const plural = `${kind.toLowerCase()}s`;
  return defineResource<Workload>({ group: "apps", version: "v1", plural, kind, namespaced: true });
}

function workload(image: string, more: object = {}): Workload {
  return {
    metadata: { name: "web", namespace, annotations: { "kubernetes.io/change-cause": image } },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "main", image }] },
      } as never,
      ...more,
    },
  };
}

async function statusOf(
  client: Client,
  target: Parameters<typeof rolloutStatus>[1],
): Promise<string[]> {
  const messages: string[] = [];
  for await (const { message } of rolloutStatus(client, target, { timeoutMs: 600_000 })) {
    messages.push(message);
  }
  return messages;
}

for (
  const [kind, more] of [
    ["Deployment", { replicas: 2 }],
    ["StatefulSet", { replicas: 2, serviceName: "web" }],
    ["DaemonSet", {}],
  ] as const
) {
  Deno.test(`A ${kind} is rolled out, restarted and rolled back`, async () => {
    await using world = new World();
    const { client } = world;
    await using _actors = startActors(world.server);
    const resource = workloads(kind);
    const target = { resource, name: "web", namespace };
    const created = await world.run(client.create(resource, workload("nginx:1", more)));
    const first = await world.run(statusOf(client, created));
    assertEquals(first.at(-1), "it is rolled out");
    assert(first.length > 1, "it says what is missing on the way");
    const cause = { "kubernetes.io/change-cause": "nginx:2" };
    await world.run(client.patch(resource, "web", {
      metadata: { annotations: cause },
      spec: { template: workload("nginx:2").spec?.template },
    } as never, { namespace }));
    await world.run(statusOf(client, target));
    const images = async () =>
      (await world.run(rolloutHistory(client, target))).map((one) =>
        `${one.revision} ${one.template.spec?.containers[0]?.image}${
          one.isCurrent ? " current" : ""
        }`
      );
    assertEquals(await images(), ["1 nginx:1", "2 nginx:2 current"]);
    if (kind === "Deployment") {
      const history = await world.run(rolloutHistory(client, target));
      assertEquals(history.map(({ changeCause }) => changeCause), ["nginx:1", "nginx:2"]);
      assertEquals(history[0]?.template.metadata?.labels, { app: "web" });
    }
    const dry = await world.run(rolloutUndo(client, target, { dryRun: true })) as Workload;
    assertEquals(dry.spec?.template?.spec.containers[0]?.image, "nginx:1");
    const undone = await world.run(rolloutUndo(client, target)) as Workload;
    assertEquals(undone.spec?.template?.spec.containers[0]?.image, "nginx:1");
    await world.run(statusOf(client, target));
    assertEquals(await images(), ["2 nginx:2", "3 nginx:1 current"]);
    await world.run(rolloutUndo(client, target, { toRevision: 2 }));
    await world.run(statusOf(client, target));
    assertEquals((await images()).at(-1), "4 nginx:2 current");
    const error = await assertRejects(() =>
      world.run(rolloutUndo(client, target, { toRevision: 77 }))
    );
    assertStringIncludes(
      String(error),
      `Cannot roll back ${kind} default/web: it has no revision 77; the revisions are 3, 4`,
    );
    const restarted = await world.run(rolloutRestart(client, target)) as Workload;
    const annotations = restarted.spec?.template?.metadata?.annotations;
    assertEquals(Object.keys(annotations ?? {}), ["kubectl.kubernetes.io/restartedAt"]);
    assertEquals((await world.run(statusOf(client, target))).at(-1), "it is rolled out");
  });
}

Deno.test("A paused Deployment is neither restarted nor rolled back", async () => {
  await using world = new World();
  const { client } = world;
  const web = await world.run(
    client.create(workloads("Deployment"), workload("nginx", { paused: true })),
  );
  for (const call of [rolloutRestart, rolloutUndo]) {
    const error = await assertRejects(() => world.run(call(client, web)), Error);
    assertStringIncludes(error.message, "Deployment default/web: it is paused");
  }
});

Deno.test("rolloutStatus() ends with its reader, its signal, its time limit and its client", async () => {
  await using world = new World();
  const { client } = world;
  const web = await world.run(client.create(workloads("Deployment"), workload("nginx")));
  const first = rolloutStatus(client, web);
  const { value } = await world.run(first.next());
  assertEquals([value?.message, value?.isDone], [
    "its controller has not yet seen the last change",
    false,
  ]);
  await world.run(first.return());
  const stop = new AbortController();
  const second = rolloutStatus(client, web, { signal: stop.signal });
  await world.run(second.next());
  const next = second.next();
  stop.abort(new Error("enough"));
  assertStringIncludes(String(await assertRejects(() => world.run(next))), "enough");
  const third = rolloutStatus(client, web, { timeoutMs: 5000 });
  await world.run(third.next());
  const late = await assertRejects(() => world.run(third.next()), DOMException);
  assertStringIncludes(late.message, "Deployment default/web was not rolled out within 5000 ms");
  const fourth = rolloutStatus(client, web);
  await world.run(fourth.next());
  const pending = fourth.next();
  await client.close();
  await assertRejects(() => world.run(pending), Error, "Client is closed");
});

Deno.test("scale() sets the replicas, and only if as many are wanted as expected", async () => {
  await using world = new World();
  const { client } = world;
  const target = { resource: Deployments, name: "web", namespace };
  await world.run(client.create(workloads("Deployment"), workload("nginx", { replicas: 2 })));
  assertEquals((await world.run(scale(client, target, 3))).spec?.replicas, 3);
  const error = await assertRejects(() =>
    world.run(scale(client, target, 5, { currentReplicas: 2 }))
  );
  assertEquals(
    String(error),
    "Error: Cannot scale deployments.apps default/web from 2 to 5 replicas: it wants 3 now",
  );
  let conflicts = 2;
  world.answer = (line) =>
    line.startsWith("PUT") && conflicts-- > 0 ? refusal(409, "Conflict", "again") : undefined;
  assertEquals(
    (await world.run(scale(client, target, 0, { currentReplicas: 3 }))).spec,
    {},
  );
  const dry = { currentReplicas: 0, dryRun: true };
  assertEquals((await world.run(scale(client, target, 9, dry))).spec?.replicas, 9);
  assertEquals((await world.run(client.get(Deployments, "web", { namespace }))).spec?.replicas, 0);
});

Deno.test("Wrong targets and numbers are refused, and the function is named", async () => {
  await using world = new World();
  const { client } = world;
  const refused = async (promise: Promise<unknown>, message: string) => {
    const error = await assertRejects(() => world.run(promise), Error);
    assertStringIncludes(error.message, message);
  };
  await refused(
    scale(client, undefined as never, 1),
    "scale() needs { resource, name, namespace }, or",
  );
  await refused(scale(client, "web" as never, 1), "received a string");
  await refused(scale(client, { metadata: { name: "web" } }, 1), "scale() needs");
  await refused(
    scale({} as Client, { resource: Deployments, name: "web" }, 1),
    "Expected a client",
  );
  await refused(
    scale(client, { resource: Deployments, name: "web", namespace }, -1),
    "replicas must be",
  );
  await refused(scale(client, { resource: Deployments, name: "web" }, 1), "Missing namespace");
  const map = { resource: ConfigMaps, name: "a", namespace };
  const workloads = "Deployments, StatefulSets and DaemonSets of the group apps";
  await refused(
    rolloutHistory(client, map),
    `rolloutHistory() is for ${workloads}: received ConfigMap of the core group`,
  );
  await refused(
    rolloutHistory(client, { resource: ReplicaSets, name: "a", namespace }),
    `rolloutHistory() is for ${workloads}: received ReplicaSet of apps`,
  );
  await refused(rolloutRestart(client, map), "rolloutRestart() is for");
  await refused(rolloutUndo(client, map, { toRevision: 0 }), "toRevision must be");
  assertEquals(world.requests, []);
});
