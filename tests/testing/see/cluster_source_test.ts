import { Client, ConfigMaps, Deployments, Pods, Secrets } from "@kubeloop/controller";
import type { SeeState } from "@kubeloop/controller/internal/see";
import { ApiServer, type ApiServerOptions, VirtualClock } from "@kubeloop/testing";
import { ClusterSource, type SeenServer } from "../../../src/testing/see/mod.ts";
import { silentLogger } from "@kubeloop/controller/base";
import { slowTest } from "../../support/kinds_of_tests.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

const namespace = "default";

/** A server with a source on a virtual clock. */
class Cluster implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly server: ApiServer;
  readonly source: ClusterSource;
  readonly #clients: Client[] = [];

  constructor(options: ApiServerOptions = {}) {
    const { clock } = this;
    this.server = new ApiServer({
      clock,

      logger: silentLogger,
      ...options,
    });
    this.source = new ClusterSource(this.server);
  }

  /** Returns a client with a User-Agent. */
  client(userAgent: string, token?: string): Client {
    const client = new Client({
      ...this.server.clientOptions,
      userAgent,
      maxRetries: 0,
      ...(token !== undefined && { token }),
    });
    this.#clients.push(client);
    return client;
  }

  async run<T>(promise: Promise<T>): Promise<T> {
    return await this.clock.run(promise);
  }

  /** Returns the texts of what needs attention, by kind. */
  attention(): string[] {
    return this.source.state().attention.map(({ kind, text }) => `${kind}: ${text}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.source[Symbol.dispose]();
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.server.close();
  }
}

function configMap(name: string, data: Record<string, string> = {}) {
  return { metadata: { name, namespace }, data };
}

Deno.test("ClusterSource.stories() has each write with its writer, its changed fields and its request", async () => {
  await using cluster = new Cluster();
  const kubectl = cluster.client("kubectl/v1.35.0 (linux/amd64)");
  await cluster.run(kubectl.create(ConfigMaps, configMap("a", { color: "red" })));
  await cluster.clock.advance(1000);
  const patch = { data: { color: "blue" } };
  await cluster.run(kubectl.patch(ConfigMaps, "a", patch, { namespace, fieldManager: "painter" }));
  const stale = { metadata: { name: "a", namespace, resourceVersion: "1" } };
  await assertRejects(() => cluster.run(kubectl.update(ConfigMaps, stale as never)));
  await cluster.run(kubectl.delete(ConfigMaps, "a", { namespace }));

  const stories = cluster.source.stories({ controller: "configmaps", key: "default/a" });
  assertEquals(
    stories.map((
      { causes: [cause], requests: [request], result },
    ) => [cause?.why, cause?.by, cause?.changed, request?.method, request?.code, result]),
    [
      ["added", "kubectl", undefined, "POST", 201, "success"],
      ["updated", "painter", ["data.color"], "PATCH", 200, "success"],
      ["refused", "kubectl", undefined, "PUT", 409, "error"],
      ["deleted", "kubectl", undefined, "DELETE", 200, "success"],
    ],
  );
  assertEquals(stories[1]?.startedAt, "2026-01-01T00:00:01.000Z");
  assertStringIncludes(stories[2]?.error ?? "", "the object has been modified");
  const [view] = cluster.source.keys({ text: "default/a", limit: 1 }).keys;
  assertEquals([view?.result, view?.isGone], ["success", true]);
  const text = cluster.source.export({
    controller: "configmaps",
    key: "default/a",
    form: "markdown",
  });
  assertStringIncludes(text, "configmaps default/a was updated: data.color, by painter");
});

Deno.test("ClusterSource.stories() names the user of a client with a token, and the subresource", async () => {
  await using cluster = new Cluster({
    tokens: { t: { user: "alice", groups: ["system:masters"] } },
  });
  const alice = cluster.client("dashboard", "t");
  await cluster.run(alice.create(Pods, {
    metadata: { name: "p", namespace },
    spec: { containers: [{ name: "c", image: "i" }] },
  }));
  await cluster.run(alice.patchStatus(Pods, "p", { status: { phase: "Running" } }, { namespace }));
  const stories = cluster.source.stories({ controller: "pods", key: "default/p" });
  assertEquals(stories.map(({ causes }) => causes[0]?.by), [
    "dashboard as alice",
    "dashboard (status) as alice",
  ]);
});

Deno.test("ClusterSource.versions() has both versions of a written object, and the only one of others", async () => {
  await using cluster = new Cluster();
  const client = cluster.client("kubectl");
  await cluster.run(client.create(ConfigMaps, configMap("a", { color: "red" })));
  await cluster.run(client.patch(ConfigMaps, "a", { data: { color: "blue" } }, { namespace }));
  const versions = cluster.source.versions({ controller: "configmaps", key: "default/a" });
  const colorOf = (value: unknown) => (value as { data: { color: string } }).data.color;
  assertEquals([colorOf(versions?.before), colorOf(versions?.after)], ["red", "blue"]);
  assert(!JSON.stringify(versions).includes("managedFields"));
  const other = cluster.source.versions({ controller: "namespaces", key: "default" });
  assertEquals(other !== undefined && "before" in other, false);
  assertEquals(cluster.source.versions({ controller: "namespaces", key: "none" }), undefined);
  assertEquals(cluster.source.versions({ controller: "nothing", key: "none" }), undefined);
});

Deno.test("ClusterSource.keys() lists written objects first, filters by text, resource and client, and counts all", async () => {
  await using cluster = new Cluster();
  const [kubectl, robot] = [cluster.client("kubectl"), cluster.client("robot")];
  await cluster.run(kubectl.create(ConfigMaps, configMap("one")));
  await cluster.run(robot.create(ConfigMaps, configMap("two")));
  const { source } = cluster;
  const names = (query: Parameters<typeof source.keys>[0]) => {
    const { keys, total } = source.keys(query);
    return [keys.map(({ key, result }) => `${key} ${result}`), total];
  };
  assertEquals(names({ limit: 2 })[0], ["default/two success", "default/one success"]);
  const all = cluster.server.stores().reduce((sum, { size }) => sum + size, 0);
  assertEquals([names({ limit: 2 })[1], names({ limit: 5000 })[1]], [all, all]);
  assertEquals(source.keys({ limit: 5000 }).keys.length, all);
  assertEquals(names({ limit: 9, controller: "robot" }), [["default/two success"], 1]);
  assertEquals(names({ limit: 9, text: "kube-public", controller: "namespaces" }), [[
    "kube-public idle",
  ], 1]);
  assertEquals(names({ limit: 9, controller: "nobody" }), [[], 0]);
});

Deno.test("ClusterSource.state() has the watches of each client with rate, queue and objects", async () => {
  await using cluster = new Cluster();
  const client = cluster.client("viewer/2");
  const stop = new AbortController();
  const events = await cluster.run(client.watch(ConfigMaps, { signal: stop.signal }));
  const reading = (async () => {
    for await (const _ of events);
  })().catch(() => {});
  cluster.source.state();
  for (const name of ["a", "b", "c"]) {
    await cluster.run(client.create(ConfigMaps, configMap(name)));
    await cluster.clock.advance(1000);
  }
  const { controllers, watches } = cluster.source.state();
  const [watch] = watches;
  assertEquals(watches.length, 1);
  assertEquals(
    [watch?.name, watch?.eventsPerSecond, watch?.queued, watch?.reconnects, watch?.controllers],
    ["configmaps (viewer)", 1, 0, 0, ["viewer"]],
  );
  assertEquals(watch?.objects, cluster.server.count(ConfigMaps));
  assertEquals(
    controllers.map(({ isRunning, name, reconcilesPerSecond, resource }) => [
      name,
      resource,
      reconcilesPerSecond,
      isRunning,
    ]),
    [["viewer", "configmaps", 1, true]],
  );
  stop.abort();
  await cluster.run(reading);
  assertEquals(cluster.source.state().watches, []);
});

Deno.test("ClusterSource.state() names a field that two clients overwrite in turns", async () => {
  await using cluster = new Cluster();
  const [scaler, gitops] = [cluster.client("scaler"), cluster.client("gitops")];
  await cluster.run(gitops.create(ConfigMaps, configMap("web", { size: "1" })));
  for (let round = 0; round < 2; round++) {
    await cluster.run(scaler.patch(ConfigMaps, "web", { data: { size: "2" } }, { namespace }));
    assertEquals(cluster.attention(), []);
    await cluster.run(gitops.patch(ConfigMaps, "web", { data: { size: "1" } }, { namespace }));
  }
  assertEquals(cluster.attention(), [
    "hot_loop: data.size of configmaps default/web was written 4 times, in turns by scaler and gitops",
  ]);
  await cluster.clock.advance(61_000);
  assertEquals(cluster.attention(), []);
});

Deno.test("ClusterSource.state() names conflicts, other refusals and missing rights", async () => {
  await using cluster = new Cluster({
    tokens: { admin: { user: "admin", groups: ["system:masters"] }, bob: { user: "bob" } },
  });
  const admin = cluster.client("kubectl", "admin");
  const bob = cluster.client("bobs-tool", "bob");
  await cluster.run(admin.create(ConfigMaps, configMap("a")));
  const stale = { metadata: { name: "a", namespace, resourceVersion: "1" } } as never;
  const invalid = { metadata: { name: "A_", namespace } } as never;
  for (let i = 0; i < 3; i++) {
    assertEquals(cluster.attention(), []);
    await assertRejects(() => cluster.run(admin.update(ConfigMaps, stale)));
    await assertRejects(() => cluster.run(admin.create(ConfigMaps, invalid)));
  }
  await assertRejects(() => cluster.run(bob.list(Secrets)));
  assertEquals(cluster.attention(), [
    "backoff: The last 3 writes of configmaps default/(new) by kubectl were refused, the newest with 422",
    "conflict: kubectl had 3 conflicts when it wrote configmaps default/a",
    'right_missing: bobs-tool lacks a right: secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" at the cluster scope',
  ]);
  for (let i = 0; i < 3; i++) {
    await assertRejects(() => cluster.run(admin.create(ConfigMaps, configMap("a"))));
  }
  // Not a conflict: to read the object again before each attempt would not help.
  assertEquals(
    cluster.attention()[0],
    "backoff: The last 6 writes of configmaps default/(new) by kubectl were refused, the newest with 409",
  );
  await cluster.run(admin.patch(ConfigMaps, "a", { data: { a: "b" } }, { namespace }));
  assertEquals(cluster.attention().filter((text) => text.startsWith("conflict")), []);
});

Deno.test("ClusterSource.state() names clients that send many requests or list again and again", async () => {
  await using cluster = new Cluster();
  const client = cluster.client("poller");
  cluster.source.state();
  for (let i = 0; i < 5; i++) {
    assertEquals(cluster.attention(), []);
    await cluster.run(client.list(ConfigMaps, { limit: 1 }));
    await cluster.clock.advance(1000);
  }
  assertEquals(cluster.attention(), [
    "watch_failing: poller has listed all configmaps 5 times in 5 s",
  ]);
  await cluster.clock.advance(60_000);
  cluster.source.state();
  for (let i = 0; i < 200; i++) {
    await cluster.run(client.get(ConfigMaps, "kube-root-ca.crt", { namespace }).catch(() => {}));
  }
  await cluster.clock.advance(2000);
  assertEquals(cluster.attention(), [
    "hot_loop: poller sends 100 requests a second, most of them for configmaps",
  ]);
});

Deno.test("ClusterSource.state() follows objects that do not settle, only while a page is open", async () => {
  await using cluster = new Cluster();
  const client = cluster.client("kubectl");
  const pod = {
    metadata: { name: "p", namespace },
    spec: { containers: [{ name: "c", image: "i" }] },
  };
  await cluster.run(client.create(Pods, pod));
  await cluster.run(client.create(ConfigMaps, {
    metadata: { name: "held", namespace, finalizers: ["example.com/hold"] },
  }));
  await cluster.run(client.delete(ConfigMaps, "held", { namespace }));
  await cluster.clock.advance(31_000);
  assertEquals(cluster.attention(), []);
  let changes = 0;
  const close = cluster.source.subscribe(() => changes++);
  assertEquals(cluster.attention(), [
    "not_settled: Pod default/p is pending",
    "stuck_finalizer: configmaps default/held is deleted, but waits for the finalizer example.com/hold",
  ]);
  const labels = { app: "web" };
  await cluster.run(client.create(Deployments, {
    metadata: { name: "web", namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod.spec },
    },
  }));
  const status = { status: { observedGeneration: 1 } };
  await cluster.run(client.patchStatus(Deployments, "web", status, { namespace }));
  await cluster.run(client.patch(Deployments, "web", { spec: { replicas: 5 } }, { namespace }));
  await cluster.run(client.patchStatus(Pods, "p", { status: { phase: "Running" } }, { namespace }));
  await cluster.run(
    client.patch(ConfigMaps, "held", { metadata: { finalizers: null } }, { namespace }),
  );
  assertEquals(cluster.attention(), []);
  await cluster.clock.advance(30_000);
  assertEquals(cluster.attention(), [
    "not_settled: deployments.apps default/web has generation 2, but its controller has observed 1",
  ]);
  assert(changes > 50);
  close();
  close();
  assertEquals(cluster.attention(), []);
  const before = changes;
  await cluster.clock.advance(10_000);
  assertEquals(changes, before);
});

async function assertNoSecret(count: number): Promise<void> {
  await using cluster = new Cluster();
  const { server, source } = cluster;
  const SECRET = "c2VjcmV0LXZhbHVl";
  const send = (path: string, method: string, body: unknown) =>
    server.fetch(`http://cluster/api/v1/namespaces/default/secrets${path}`, {
      method,
      headers: {
        "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
        "user-agent": "kubectl",
      },
      body: JSON.stringify(body),
    });
  for (let i = 0; i < count; i++) {
    const metadata = {
      name: `s${i}`,
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": SECRET },
    };
    await send("", "POST", {
      metadata,
      data: { password: SECRET },
      stringData: { more: `${SECRET}x` },
    });
  }
  for (let i = Math.floor(count * 0.9); i < count; i++) {
    await send(`/s${i}`, "PATCH", { data: { password: btoa(`${SECRET}${i}`) } });
    await send(`/s${i}`, "PATCH", { data: { password: `invalid ${SECRET}` } });
  }
  const close = source.subscribe(() => {});
  const { keys, total } = source.keys({ limit: 100_000, controller: "secrets" });
  assertEquals([keys.length, total], [count, count]);
  const texts: unknown[] = [source.state(), keys];
  for (const { controller, key } of keys) {
    texts.push(source.stories({ controller, key }), source.versions({ controller, key }));
    for (const form of ["json", "markdown", "workload"] as const) {
      texts.push(source.export({ controller, key, form }));
    }
  }
  close();
  const shown = JSON.stringify(texts);
  assert(shown.includes("data.password"));
  for (const value of [SECRET, btoa(SECRET).slice(0, 12), "secret-value"]) {
    assert(!shown.includes(value));
  }
}

Deno.test("ClusterSource shows no value of a Secret, in no answer", () => assertNoSecret(300));
slowTest("ClusterSource shows no value of 10,000 Secrets", () => assertNoSecret(10_000));

slowTest("ClusterSource keeps little of 100,000 objects by 100,000 clients", async () => {
  await using cluster = new Cluster();
  const { server, source } = cluster;
  const path = "http://cluster/api/v1/namespaces/default/configmaps";
  const headers = { "content-type": "application/json" };
  const post = (body: string, agent: string) =>
    server.fetch(path, { method: "POST", headers: { ...headers, "user-agent": agent }, body });
  for (let i = 0; i < 100_000; i++) await post(`{"metadata":{"name":"c${i}"}}`, `agent-${i}`);
  const { controllers, notes } = source.state();
  assert(controllers.length <= 200);
  assertStringIncludes(notes?.join() ?? "", "older writes were dropped");
  assertEquals(source.keys({ limit: 10, text: "c99" }).keys.length, 10);
  assert(source.stories({ controller: "configmaps", key: "default/c1" }).length === 0);
  assert(source.stories({ controller: "configmaps", key: "default/c99999" }).length === 1);
});

Deno.test("ClusterSource keeps hostile names and messages visible and short", async () => {
  await using cluster = new Cluster();
  const name = `<img src=x onerror=alert(1)>\u202e${"x".repeat(500)}`;
  const agents = [name, "", "__proto__", "constructor", "a/b/c"];
  for (const agent of agents) {
    await cluster.server.fetch(
      `http://cluster/api/v1/namespaces/default/configmaps?fieldManager=${
        encodeURIComponent(agent === name ? "" : agent)
      }`,
      {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": encodeURIComponent(agent) },
        body: JSON.stringify({ metadata: { generateName: "c-" } }),
      },
    );
  }
  await cluster.server.fetch("http://cluster/apis/%2e%2e/v1/__proto__/constructor", {
    method: "DELETE",
  });
  const state: SeeState = cluster.source.state();
  assert(state.controllers.length >= 4);
  for (const { name } of state.controllers) assert(name.length <= 120, name);
  assertEquals(cluster.source.keys({ limit: 5, controller: "__proto__" }).total, 1);
  assertEquals(cluster.source.stories({ controller: "__proto__", key: "constructor" }), []);
});

Deno.test("ClusterSource refuses actions, and records nothing once it is disposed", async () => {
  await using cluster = new Cluster();
  await assertRejects(() => cluster.source.act(), Error, "has no actions");
  cluster.source[Symbol.dispose]();
  await cluster.run(cluster.client("kubectl").create(ConfigMaps, configMap("a")));
  assertEquals(cluster.source.stories({ controller: "configmaps", key: "default/a" }), []);
});

Deno.test("ClusterSource parses no object and sets no timer while no page is open", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock, logger: silentLogger });
  let parsed = 0;
  const counted = <Result>(read: () => Result) => () => {
    parsed++;
    return read();
  };
  const seen: SeenServer = {
    clientOptions: server.clientOptions,
    onRequest: (listener) => server.onRequest(listener),
    onWrite: (listener) =>
      server.onWrite((write) =>
        listener({
          ...write,
          object: counted(() => write.object()),
          previous: counted(() => write.previous()),
        })
      ),
    stores: counted(() => server.stores()),
    watches: counted(() => server.watches()),
  };
  using source = new ClusterSource(seen);
  await using client = new Client(server.clientOptions);
  const timers = clock.pendingTimers;
  for (let i = 0; i < 10; i++) {
    await clock.run(client.create(ConfigMaps, configMap(`c${i}`)));
    await clock.run(client.patch(ConfigMaps, `c${i}`, { data: { a: "b" } }, { namespace }));
  }
  assertEquals([parsed, clock.pendingTimers], [0, timers]);
  assertEquals(source.stories({ controller: "configmaps", key: "default/c1" }).length, 2);
  assert(parsed > 0);
});

Deno.test("ClusterSource.keys() finds the object of a text among any number of longer names", async () => {
  await using cluster = new Cluster();
  const client = cluster.client("operator/1");
  for (const name of ["c1", ...Array.from({ length: 30 }, (_, i) => `c1${i}`)]) {
    await cluster.run(client.create(ConfigMaps, configMap(name)));
  }
  const { keys } = cluster.source.keys({ text: "default/c1", limit: 10 });
  assertEquals([keys.length, keys.at(-1)?.key], [11, "default/c1"]);
});
