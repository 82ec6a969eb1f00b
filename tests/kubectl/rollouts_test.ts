import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Client } from "@kubeloop/controller/client";
import {
  canI,
  cordon,
  requestToken,
  rolloutHistory,
  rolloutRestart,
  rolloutStatus,
  rolloutUndo,
  scale,
  topNodes,
  topPods,
  uncordon,
  whoAmI,
} from "@kubeloop/kubectl";
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

Deno.test("rolloutStatus() waits for a missing workload, and ends with a deleted workload", async () => {
  for (const isReplaced of [false, true]) {
    await using world = new World();
    const { client } = world;
    const target = { resource: Deployments, name: "web", namespace };
    const follow = rolloutStatus(client, target);
    assertEquals((await world.run(follow.next())).value?.message, "it does not exist");
    const next = follow.next();
    await world.run(client.create(workloads("Deployment"), workload("nginx")));
    assertEquals(
      (await world.run(next)).value?.message,
      "its controller has not yet seen the last change",
    );
    const last = assertRejects(
      () => follow.next(),
      Error,
      "Deployment default/web was deleted during its rollout",
    );
    await world.run(client.delete(Deployments, "web", { namespace }));
    if (isReplaced) await world.run(client.create(workloads("Deployment"), workload("nginx")));
    await world.run(last);
  }
});

Deno.test("scale() sets the replicas, with currentReplicas only if they are the desired number", async () => {
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

Deno.test("rolloutUndo() writes the change cause alone, not the other annotations", async () => {
  await using world = new World();
  const { client } = world;
  await using _actors = startActors(world.server);
  const target = { resource: Deployments, name: "web", namespace };
  await world.run(client.create(workloads("Deployment"), workload("nginx:1", { replicas: 1 })));
  await world.run(statusOf(client, target));
  const annotations = { "kubernetes.io/change-cause": "nginx:2", mine: "1" };
  const template = workload("nginx:2").spec?.template;
  await world.run(
    client.patch(workloads("Deployment"), "web", {
      metadata: { annotations },
      spec: { template },
    } as never, { namespace }),
  );
  await world.run(statusOf(client, target));
  // Another writer changes an annotation between the read and the patch.
  let isChanged = false;
  let patch: unknown;
  world.answer = (line, request) => {
    if (!line.startsWith("PATCH") || isChanged) return undefined;
    isChanged = true;
    patch = request.clone().json();
    const mine = { metadata: { annotations: { mine: "2" } } };
    return world.server.fetch(
      new Request(request.url.split("?")[0]!, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: JSON.stringify(mine),
      }),
    ).then(() => world.server.fetch(request)) as never;
  };
  const undone = await world.run(rolloutUndo(client, target));
  assertEquals(undone.metadata.annotations?.mine, "2");
  assertEquals(undone.metadata.annotations?.["kubernetes.io/change-cause"], "nginx:1");
  const paths = (await patch as { path: string }[]).map(({ path }) => path);
  assertEquals(paths, [
    "/metadata/uid",
    "/spec/template",
    "/metadata/annotations/kubernetes.io~1change-cause",
  ]);
});

/** A server that answers each kind of request with what a test says. */
function lyingClient(answers: Readonly<Record<string, unknown>>, token: string): Client {
  return new Client({
    token,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      const found = Object.entries(answers).find(([end]) => pathname.endsWith(end));
      return Promise.resolve(Response.json(found?.[1] ?? {}));
    },
  });
}

Deno.test("Errors of scale(), rolloutUndo() and rolloutStatus() show no credentials that a server repeats", async () => {
  const token = "secret-token-0123456789";
  const text = `${token}\u001b[2J\n`;
  const metadata = { name: "web", namespace, uid: "u", resourceVersion: "1", generation: 1 };
  const owner = { apiVersion: "apps/v1", kind: "X", name: "web", uid: "u", controller: true };
  const item = (revision: unknown) => ({
    metadata: { ...metadata, ownerReferences: [owner] },
    revision,
    data: {},
  });
  const spec = { replicas: text, selector: { matchLabels: { app: "web" } } };
  const status = { observedGeneration: 1, readyReplicas: 0 };
  const set = { apiVersion: "apps/v1", kind: "StatefulSet", metadata, spec, status };
  await using client = lyingClient({
    "/scale": { metadata, spec: { replicas: text } },
    "/statefulsets/web": set,
    "/statefulsets": { kind: "StatefulSetList", metadata: {}, items: [set] },
    "/controllerrevisions": {
      kind: "ControllerRevisionList",
      metadata: {},
      items: [item(text), item(1), item(-1), item(1e400), item("5e3"), item("2")],
    },
  }, token);
  const target = { resource: workloads("StatefulSet"), name: "web", namespace };
  const messages: string[] = [];
  const failing = async (call: () => Promise<unknown>) => {
    messages.push((await assertRejects(call, Error)).message);
  };
  await failing(() => scale(client, target, 5, { currentReplicas: 2 }));
  await failing(() => rolloutUndo(client, target, { toRevision: 77 }));
  await failing(() => rolloutUndo(client, target, { toRevision: 1 }));
  assertStringIncludes(messages[1]!, "the revisions are 0, 0, 0, 0, 1, 2");
  assertStringIncludes(messages[2]!, "revision 1 has no template of Pods");
  set.apiVersion = text;
  await failing(() => rolloutStatus(client, target).next());
  assertStringIncludes(messages.at(-1)!, "(hidden)");
  for (const message of messages) assert(!message.includes(token), message);
});

Deno.test("cordon(), scale() and the functions of rollouts check their options before any request", async () => {
  await using world = new World();
  const { client } = world;
  const target = { resource: Deployments, name: "web", namespace };
  const odd = { dry: true } as never;
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    "scale()": () => scale(client, target, 1, odd),
    "rolloutUndo()": () => rolloutUndo(client, target, odd),
    "rolloutRestart()": () => rolloutRestart(client, target, odd),
    "rolloutHistory()": () => rolloutHistory(client, target, odd),
    "rolloutStatus()": () => rolloutStatus(client, target, odd).next(),
    "cordon()": () => cordon(client, "n", odd),
    "uncordon()": () => uncordon(client, "n", odd),
    "canI()": () => canI(client, { verb: "get", resource: Deployments }, odd),
    "whoAmI()": () => whoAmI(client, odd),
    "topPods()": () => topPods(client, odd),
    "topNodes()": () => topNodes(client, odd),
    "requestToken()": () => requestToken(client, { name: "a", namespace }, odd),
  };
  for (const [name, call] of Object.entries(calls)) {
    await assertRejects(call, TypeError, `${name} has no option "dry"`);
  }
  await assertRejects(() => scale(client, target, 1, null as never), TypeError, "takes an object");
  assertEquals(world.requests, []);
});
