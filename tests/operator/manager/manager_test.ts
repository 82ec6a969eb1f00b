import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type Cached,
  Client,
  ConfigMaps,
  fieldsOf,
  Manager,
  metadataOf,
  Namespaces,
  Nodes,
  Pods,
  Secrets,
} from "@kubeloop/controller";
import { delay } from "@kubeloop/controller/base";
import { changed, type WebhookServerOptions } from "@kubeloop/controller/operator";
import { namespace, type Widget, Widgets, widgetWorld, World } from "../_world.ts";

Deno.test("Manager.run() reconciles existing and new objects", async () => {
  await using world = await widgetWorld();
  await world.widget("a");
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Widgets).reconcile(({ key, object }) => {
    seen.push(`${key} ${object.spec.size}`);
  });
  world.start(manager);
  await world.pass(100);
  await world.widget("b", 2);
  await world.pass(100);
  await world.do(world.client.patch(Widgets, "a", { spec: { size: 5 } }, { namespace }));
  await world.pass(100);
  assertEquals(seen, ["default/a 1", "default/b 2", "default/a 5"]);
});

Deno.test("The status, labels and annotations of the reconciled kind cause no reconcile by default", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Widgets).reconcile(() => void reconciles++);
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  await world.do(world.client.patchStatus(Widgets, "a", { status: { ready: 1 } }, { namespace }));
  const metadata = { labels: { a: "b" }, annotations: { c: "d" } };
  await world.do(world.client.patch(Widgets, "a", { metadata }, { namespace }));
  await world.pass(100);
  assertEquals(reconciles, 1);
});

Deno.test("apply() creates owned objects, brings them back, and makes no request if nothing changes", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const controller = manager.controller(Widgets)
    .owns(ConfigMaps)
    .reconcile(async ({ object, apply, status }) => {
      const { metadata, spec } = object;
      await apply(ConfigMaps, {
        metadata: { name: `${metadata.name}-config`, labels: { app: "widget" } },
        data: { size: `${spec.size}` },
      });
      status({ ready: spec.size }).condition("Available", "True", "Applied");
    });
  world.start(manager);
  await world.widget("a", 3);
  await world.pass(200);
  const read = () => world.do(world.client.get(ConfigMaps, "a-config", { namespace }));
  const { metadata, data } = await read();
  assertEquals(data, { size: "3" });
  assertEquals(metadata.ownerReferences?.[0]?.name, "a");
  const widget = await world.do(world.client.get(Widgets, "a", { namespace }));
  assertEquals([widget.status?.ready, widget.status?.observedGeneration], [3, 1]);
  assertEquals(widget.status?.conditions?.map(({ type, status }) => [type, status]), [
    ["Available", "True"],
  ]);

  const before = world.requests;
  world.writes.length = 0;
  const reconciles = controller.snapshot().reconciles;
  controller.trigger("default/a");
  await world.pass(200);
  assertEquals(controller.snapshot().reconciles, reconciles + 1);
  assertEquals(world.writes, []);
  assertEquals(world.requests, before);

  await world.do(world.client.delete(ConfigMaps, "a-config", { namespace }));
  await world.pass(200);
  assertEquals((await read()).data, { size: "3" });
});

Deno.test("a status can be written in the middle of a reconcile", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const times: number[] = [];
  manager.controller(Widgets).reconcile(async ({ object, status, clock, signal }) => {
    times.push(clock.now());
    if (object.status?.ready === 1) return;
    await status({ ready: 0 }).condition("Available", "False", "Copying").write();
    await delay(1000, { clock, signal });
    status({ ready: 1 }).condition("Available", "True", "Copied");
  });
  world.start(manager);
  await world.widget("a");
  const read = () => {
    const { ready, conditions } = world.server.get(Widgets, "a", namespace)?.status ?? {};
    return [ready, conditions?.[0]?.reason];
  };
  await world.pass(500);
  assertEquals(read(), [0, "Copying"]);
  await world.pass(5000);
  assertEquals(read(), [1, "Copied"]);
  assertEquals(world.writes.filter((write) => write.endsWith("/status")).length, 2);
  assertEquals(times.length, 1);
});

Deno.test("prune deletes objects that were not applied, only after success", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let fails = false;
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ object, apply }) => {
    for (let i = 0; i < object.spec.size; i++) {
      await apply(ConfigMaps, { metadata: { name: `${object.metadata.name}-${i}` } });
    }
    if (fails) throw new Error("broken");
    return { prune: true };
  });
  world.start(manager);
  await world.do(world.client.create(ConfigMaps, { metadata: { name: "other", namespace } }));
  await world.widget("a", 3);
  await world.pass(200);
  const names = async () => {
    const { items } = await world.do(world.client.list(ConfigMaps, { namespace }));
    return items.map(({ metadata }) => metadata.name);
  };
  assertEquals(await names(), ["a-0", "a-1", "a-2", "other"]);
  fails = true;
  await world.do(world.client.patch(Widgets, "a", { spec: { size: 1 } }, { namespace }));
  await world.pass(20);
  assertEquals(await names(), ["a-0", "a-1", "a-2", "other"]);
  fails = false;
  await world.pass(5_000);
  assertEquals(await names(), ["a-0", "other"]);
});

Deno.test("A finalizer is added before the first effect, and removed after the cleanup", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const external = new Set<string>();
  const log: string[] = [];
  let cleanupFails = true;
  manager.controller(Widgets)
    .finalizer("acme.io/bucket", {
      apply: async ({ client, key, name }) => {
        const { metadata } = await client.get(Widgets, name, { namespace });
        log.push(`effect with ${metadata.finalizers}`);
        external.add(key);
      },
      cleanup: ({ key }) => {
        log.push("cleanup");
        if (cleanupFails) throw new Error("the cloud is down");
        external.delete(key);
      },
    })
    .reconcile(() => void log.push("reconcile"));
  world.start(manager);
  await world.widget("a");
  await world.pass(200);
  assertEquals(log.slice(0, 2), ["effect with acme.io/bucket", "reconcile"]);
  log.length = 0;
  await world.do(world.client.delete(Widgets, "a", { namespace }));
  await world.pass(12);
  cleanupFails = false;
  await world.pass(2_000);
  assertEquals(external.size, 0);
  assert(log.length >= 2 && log.every((line) => line === "cleanup"), log.join());
  await assertRejects(
    () => world.do(world.client.get(Widgets, "a", { namespace })),
    Error,
    "not found",
  );
});

Deno.test("A status that was collected before an error is written", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).reconcile(({ status }) => {
    status().condition("Available", "False", "CloudDown", "try later");
    throw new Error("the cloud is down");
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(20);
  const { status } = await world.do(world.client.get(Widgets, "a", { namespace }));
  assertEquals(status?.conditions?.[0]?.reason, "CloudDown");
});

Deno.test("watches() maps both states of a changed object, with predicates and indices", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  const widgets = manager.controller(Widgets)
    .indexes({
      color: ({ spec }: Cached<Widget>) => spec.color === undefined ? [] : [spec.color],
    });
  const cache = manager.cache(Widgets);
  widgets
    .watches(Secrets, {
      map: ({ metadata }) => cache.byIndex("color", metadata.labels?.["color"] ?? ""),
      when: ({ object }) => object.metadata.name.startsWith("paint"),
    })
    .reconcile(({ key }) => void seen.push(key));
  world.start(manager);
  for (const [name, color] of [["a", "red"], ["b", "blue"], ["c", "green"]] as const) {
    const object = { metadata: { name, namespace }, spec: { size: 1, color } };
    await world.do(world.client.create(Widgets, object));
  }
  const labels = { color: "red" };
  await world.do(world.client.create(Secrets, { metadata: { name: "paint", namespace, labels } }));
  await world.do(world.client.create(Secrets, { metadata: { name: "other", namespace, labels } }));
  await world.pass(100);
  seen.length = 0;
  const metadata = { labels: { color: "blue" } };
  await world.do(world.client.patch(Secrets, "paint", { metadata }, { namespace }));
  await world.do(world.client.patch(Secrets, "other", { metadata }, { namespace }));
  await world.pass(100);
  assertEquals(seen.toSorted(), ["default/a", "default/b"]);
});

Deno.test("Triggers reconcile keys from outside; a failing trigger stops the manager", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  async function* keys() {
    yield await first.promise;
    yield { name: "b", namespace };
    yield await second.promise;
  }
  const seen: string[] = [];
  manager.controller(Widgets).triggeredBy("messages", keys()).reconcile(({ key, causes }) => {
    seen.push(`${key} ${causes.map(({ why }) => why)}`);
  });
  const running = world.start(manager);
  await world.widget("a");
  await world.widget("b");
  await world.pass(100);
  seen.length = 0;
  first.resolve("default/a");
  await world.pass(100);
  assertEquals(seen, ["default/a triggered", "default/b triggered"]);
  second.reject(new Error("the queue has gone"));
  await assertRejects(
    () => world.do(running),
    Error,
    'controller "widget" failed: Trigger "messages" of controller "widget" failed: the queue has gone',
  );
});

Deno.test("A manager of two namespaces sees nothing of others", async () => {
  await using world = await widgetWorld();
  for (const name of ["a", "b", "c"]) {
    await world.do(world.client.create(Namespaces, { metadata: { name } }));
  }
  const manager = world.manager({ namespaces: ["b", "a"] });
  const seen: string[] = [];
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ key, apply, name, owned }) => {
    seen.push(`${key} ${owned(ConfigMaps).length}`);
    await apply(ConfigMaps, { metadata: { name } });
  });
  world.start(manager);
  for (const namespace of ["a", "b", "c"]) {
    const object = { metadata: { name: "w", namespace }, spec: { size: 1 } };
    await world.do(world.client.create(Widgets, object));
  }
  await world.pass(200);
  assertEquals(seen.toSorted(), ["a/w 0", "a/w 1", "b/w 0", "b/w 1"]);
  const cache = manager.cache(Widgets);
  assertEquals(cache.list().length, 2);
  // An object of another namespace is not "none".
  for (const read of ["get", "list"] as const) {
    assertThrows(
      () => read === "get" ? cache.get("w", "c") : cache.list({ namespace: "c" }),
      Error,
      'The cache of widgets.acme.io does not hold namespace "c", but a, b',
    );
  }
});

Deno.test("Manager refuses wrong declarations, with a remedy", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const widgets = manager.controller(Widgets);
  assertThrows(() => manager.controller(Widgets), Error, 'There is a controller "widget" already');
  assertThrows(() => widgets.owns(Nodes), TypeError, "Cannot own nodes: it is cluster-scoped");
  assertThrows(() => widgets.watches(Pods, {} as never), TypeError, "needs { map }");
  assertThrows(
    () => widgets.finalizer("bucket", { cleanup: () => {} }),
    TypeError,
    'such as "example.com/bucket"',
  );
  assertThrows(
    () => manager.controller(Pods, { name: "Über" }),
    TypeError,
    'Invalid name of a controller: "Über"',
  );
  assertThrows(() => new Manager({} as never), TypeError, "a Client");
  assertThrows(
    () => world.manager({ leaderElection: { name: "a" }, sharding: { name: "a" } } as never),
    TypeError,
    "cannot have both",
  );
  await assertRejects(
    () => world.do(manager.run()),
    Error,
    'Controller "widget" has no reconcile function: call .reconcile()',
  );
});

Deno.test("A missing definition is an error at the start, not a loop", async () => {
  await using world = new World();
  const manager = world.manager();
  manager.controller(Widgets).reconcile(() => {});
  const error = await assertRejects(() => world.do(manager.run()), Error);
  assertEquals(
    error.message,
    "The manager cannot start: the server does not know widgets.acme.io in version v1: " +
      "install its CustomResourceDefinition, for example with installDefinitions()",
  );
});

Deno.test("apply() of an undeclared kind is an error with a remedy", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const errors: unknown[] = [];
  manager.controller(Widgets, { maxRetries: 0, onGiveUp: (_key, error) => errors.push(error) })
    .reconcile(async ({ apply }) => {
      await apply(ConfigMaps, { metadata: { name: "a" } });
    });
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  assertEquals(
    (errors[0] as Error).message,
    'Cannot apply configmaps in controller "widget", which has not declared the kind: ' +
      "add .owns(…) for objects that it creates, or .watches(…) for others",
  );
});

Deno.test("A reconcile that takes too long is aborted and retried", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let starts = 0;
  manager.controller(Widgets, { reconcileTimeoutMs: 1_000 }).reconcile(async ({ signal }) => {
    if (starts++ > 0) return;
    await new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(1_200);
  assertEquals(starts, 2);
  assert(
    world.lines.some((line) => line.includes('reconcile of "default/a" took longer than 1000 ms')),
    world.lines.join("\n"),
  );
});

Deno.test("Manager.run() waits for running reconciles, and names what does not stop in time", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ gracefulStopTimeoutMs: 5_000 });
  const hung = Promise.withResolvers<void>();
  manager.controller(Widgets).reconcile(() => hung.promise);
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await world.widget("a");
  await world.pass(100);
  stop.abort();
  await assertRejects(
    () => world.do(running),
    Error,
    'operator: not everything has stopped within 5000 ms: controller "widget"',
  );
  hung.resolve();
  await world.pass(10);
});

Deno.test("Manager.handler answers health, readiness and metrics", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ healthChecks: { disk: () => "full of secrets" } });
  manager.controller(Widgets).reconcile(() => {});
  const ask = (path: string) => world.do(manager.handler(new Request(`http://pod${path}`)));
  assertEquals((await ask("/readyz")).status, 503);
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  assertEquals((await ask("/readyz")).status, 200);
  const health = await ask("/healthz");
  assertEquals(health.status, 503);
  assertEquals(
    await health.text(),
    "[+]ping ok\n[+]state ok: leading\n[-]disk failed: reason withheld\nfailed\n",
  );
  const metrics = await (await ask("/metrics")).text();
  assert(
    metrics.includes('controller_runtime_reconcile_total{controller="widget",result="success"} 1'),
    metrics,
  );
  assert(metrics.includes("rest_client_requests_total{"), metrics);
  for (const phase of ["first_reconcile", "initial_list"]) {
    const line = `kubeloop_controller_startup_seconds{controller="widget",phase="${phase}"}`;
    assert(metrics.includes(line), metrics);
  }
  assertEquals((await ask("/nothing")).status, 404);
});

Deno.test("A check that never answers has failed after ten seconds", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({
    healthChecks: { disk: () => new Promise(() => {}), net: () => Promise.resolve(true) },
  });
  const health = await world.do(manager.handler(new Request("http://pod/healthz")));
  assertEquals(health.status, 503);
  assertEquals(
    await health.text(),
    "[+]ping ok\n[+]state ok: created\n[-]disk failed: reason withheld\n[+]net ok\nfailed\n",
  );
});

Deno.test("Controllers, caches and parts can be added to a running manager, and parts removed", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ namespaces: [namespace] });
  manager.controller(Widgets).reconcile(() => {});
  world.start(manager);
  await world.pass(100);
  const seen: string[] = [];
  manager.controller(ConfigMaps).reconcile(({ key }) => void seen.push(key));
  const secrets = manager.cache(Secrets);
  const life: string[] = [];
  const part = {
    name: "timer",
    async run({ signal }: { signal: AbortSignal }) {
      life.push("runs");
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      life.push("stops");
    },
  };
  manager.add(part);
  await world.do(world.client.create(ConfigMaps, { metadata: { name: "a", namespace } }));
  await world.do(world.client.create(Secrets, { metadata: { name: "s", namespace } }));
  await world.pass(200);
  assertEquals(seen, ["default/a"]);
  assertEquals(secrets.list().length, 1);
  assertEquals(life, ["runs"]);
  await world.do(manager.remove(part));
  assertEquals(life, ["runs", "stops"]);
});

/** Returns the rules of the roles in YAML of `rbac()`, one a line. */
function rulesIn(yaml: string): Record<string, string[]> {
  const roles = yaml.split("---\n").filter((text) => text.includes("\nrules:\n"));
  return Object.fromEntries(roles.map((text) => {
    const [head = "", rules = ""] = text.split("\nrules:\n");
    const [, kind, name, namespace] =
      /kind: (\w+)\nmetadata:\n {2}name: (\S+)(?:\n {2}namespace: (\S+))?/.exec(head) ?? [];
    const lines = rules.trim().split(/^\s*- /m).filter((line) => line !== "");
    return [
      `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
      lines.map((line) => line.trim().replace(/\s*\n\s*/g, " ")),
    ];
  }));
}

Deno.test("Manager.rbac() gives exactly the rights that the declarations need", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({
    name: "widgets",
    leaderElection: { name: "widgets", namespace: "ops" },
    http: { port: 8080 },
  });
  manager.controller(Widgets)
    .owns(ConfigMaps)
    .watches(Secrets, { map: () => undefined })
    .finalizer("acme.io/bucket", { cleanup: () => {} })
    .needs(Pods, ["create"], "eviction")
    .reconcile(() => {});
  // tests/rights covers the rest of the text.
  assertEquals(rulesIn(manager.rbac({ namespace: "ops" })), {
    "ClusterRole widgets": [
      'apiGroups: [""] resources: [configmaps] verbs: [list, watch, create, patch, delete]',
      'apiGroups: [""] resources: [pods/eviction] verbs: [create]',
      'apiGroups: [""] resources: [secrets] verbs: [list, watch]',
      "apiGroups: [acme.io] resources: [widgets] verbs: [get, list, watch, patch]",
      "apiGroups: [acme.io] resources: [widgets/finalizers] verbs: [update]",
      "apiGroups: [acme.io] resources: [widgets/status] verbs: [patch]",
      "apiGroups: [events.k8s.io] resources: [events] verbs: [create, patch]",
    ],
    "Role ops/widgets": [
      "apiGroups: [coordination.k8s.io] resources: [leases] verbs: [create]",
      "apiGroups: [coordination.k8s.io] resources: [leases] resourceNames: [widgets] verbs: [get, update]",
    ],
  });
  assertEquals(manager.permissions(), ["--allow-net=0.0.0.0:8080"]);
});

Deno.test("Manager.permissions() has the port of the webhooks too", async () => {
  await using world = await widgetWorld();
  const http = { port: 8080 };
  const service = { namespace: "ops", name: "widgets" };
  const net = (webhooks: WebhookServerOptions) =>
    world.manager({ http, webhooks }).permissions().join(" ");
  assertEquals(net({ service }), "--allow-net=0.0.0.0:8080,0.0.0.0:9443");
  assertEquals(net({ service, port: 1, hostname: "::" }), "--allow-net=0.0.0.0:8080,[::]:1");
});

Deno.test("A manager without rights reports the missing rights at its start", async () => {
  const tokens = {
    admin: { user: "admin", groups: ["system:masters"] },
    nobody: { user: "nobody" },
  };
  await using world = await widgetWorld({ tokens });
  await using client = new Client({ ...world.server.clientOptions, token: "nobody" });
  const manager = new Manager(client);
  manager.controller(Widgets).reconcile(() => {});
  const { message } = await assertRejects(() => world.do(manager.run()), Error);
  for (const part of ["apiGroups: [acme.io]", "verbs: [get, list, watch]"]) {
    assert(message.includes(part), message);
  }
});

Deno.test("Manager.removeCache() stops an informer that no controller reads", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).reconcile(() => {});
  world.start(manager);
  const secrets = manager.cache(Secrets);
  await world.pass(100);
  await assertRejects(
    () => manager.removeCache(manager.cache(Widgets)),
    Error,
    'Cannot remove the cache of widgets.acme.io: controller "widget" reads it',
  );
  await world.do(manager.removeCache(secrets));
  await world.do(world.client.create(Secrets, { metadata: { name: "s", namespace } }));
  await world.pass(100);
  assertEquals(secrets.list().length, 0);
  const again = manager.cache(Secrets);
  await world.pass(100);
  assertEquals(again.list().length, 1);
});

Deno.test("A cache of metadata is not used for whole objects", async () => {
  await using world = await widgetWorld();
  await world.do(world.client.create(Secrets, {
    metadata: { name: "s", namespace, labels: { a: "b" } },
    data: { key: "c2VjcmV0" },
  }));
  const manager = world.manager();
  const seen: unknown[] = [];
  manager.controller(Widgets, { maxRetries: 0, onGiveUp: (_key, error) => seen.push(`${error}`) })
    .watches(metadataOf(Secrets), { map: () => undefined })
    .reconcile(({ cache }) => {
      const secret = cache(metadataOf(Secrets)).get("s", namespace);
      seen.push(secret?.metadata.labels, (secret as { data?: unknown } | undefined)?.data);
      cache(Secrets);
    });
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  assertEquals(seen, [
    { a: "b" },
    undefined,
    'TypeError: Cannot cache secrets in controller "widget", which has declared only the metadata of the kind: ' +
    "pass the same resource to both",
  ]);
});

Deno.test("A watch of one field is woken by that field, and reads no other", async () => {
  for (const recordObjects of [false, true]) {
    await using world = await widgetWorld();
    const metadata = { name: "s", namespace };
    const data = { crt: "AA==", key: "AQ==" };
    await world.do(world.client.create(Secrets, { metadata, data }));
    const Certificates = fieldsOf(Secrets, "data.crt");
    const manager = world.manager({ recordObjects });
    const seen: unknown[] = [];
    const shown: unknown[] = [];
    manager.controller(Widgets, { maxRetries: 0, onGiveUp: (_key, error) => seen.push(`${error}`) })
      .watches(Certificates, {
        when: changed("data.crt"),
        map: (secret) => {
          shown.push(secret.data);
          return { name: "a", namespace };
        },
      })
      .reconcile(({ cache }) => {
        const secret = cache(Certificates).get("s", namespace);
        seen.push(secret?.data, Object.keys(secret ?? {}).sort());
      });
    manager.controller(Widgets, {
      name: "other",
      maxRetries: 0,
      onGiveUp: (_, error) => seen.push(`${error}`),
    })
      .watches(Certificates, { when: changed("data.crt"), map: () => undefined })
      .reconcile(({ cache }) => void cache(Secrets));
    world.start(manager);
    await world.pass(100);
    await world.widget("a");
    await world.pass(100);
    assertEquals(seen, [
      { crt: "AA==" },
      ["apiVersion", "data", "kind", "metadata"],
      'TypeError: Cannot cache secrets in controller "other", which has declared only some fields of the kind: ' +
      "pass the same resource to both",
    ]);
    seen.length = shown.length = 0;
    const patch = (data: Record<string, string>) =>
      world.do(world.client.patch(Secrets, "s", { data }, { namespace }));
    await patch({ key: "Ag==" });
    await world.pass(100);
    assertEquals([seen, shown], [[], []]);
    await patch({ crt: "Aw==" });
    await world.pass(100);
    assertEquals(seen[0], { crt: "Aw==" });
    assertEquals(shown, [{ crt: "AA==" }, { crt: "Aw==" }]);
  }
});

Deno.test("Manager with recordObjects tells stories that a simulation can replay", async () => {
  await using world = await widgetWorld();
  const patches = async (recordObjects: boolean) => {
    const manager = world.manager({ recordObjects });
    manager.controller(Widgets).reconcile(() => {});
    const stop = new AbortController();
    const running = manager.run({ signal: stop.signal });
    await world.pass(100);
    const spec = { color: `${recordObjects}` };
    await world.do(world.client.patch(Widgets, "a", { spec }, { namespace }));
    await world.pass(100);
    const request = new Request("http://pod/debug/reconciles?format=json");
    const { stories } = await (await world.do(manager.handler(request))).json();
    stop.abort();
    await world.do(running);
    return stories.at(-1).causes.map(({ patch }: { patch?: unknown }) => patch);
  };
  await world.widget("a");
  assertEquals(await patches(false), [undefined]);
  assertEquals(await patches(true), [{ spec: { color: "true" } }]);
});

Deno.test("All metrics of a controller have its name as their label", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets, { name: "painter" }).owns(ConfigMaps).reconcile(({ event }) => {
    event("Normal", "Painted", "all of it");
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(1_000);
  const labels = manager.metrics.text().split("\n").flatMap((line) => {
    const [, rest = ""] = line.split('{controller="');
    return rest === "" ? [] : [rest.slice(0, rest.indexOf('"'))];
  });
  assertEquals([...new Set(labels)], ["painter"]);
  const text = manager.metrics.text();
  assert(text.includes('kubeloop_events_total{controller="painter"} 1'), text);
});
