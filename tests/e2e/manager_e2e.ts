import { assert, assertEquals } from "@std/assert";
import {
  type Client,
  CustomResourceDefinitions,
  defineResource,
  Deployments,
  Manager,
  type ManagerOptions,
  Services,
} from "@kubeloop/controller";
import { eventually, World } from "./world.ts";

const Widgets = defineResource({
  group: "e2e.kubeloop.dev",
  version: "v1",
  kind: "Widget",
  spec: { type: "object", properties: { size: { type: "integer", default: 1 } } },
  status: { type: "object", properties: { ready: { type: "integer" } } },
});

const container = {
  name: "main",
  image: "nginx",
  ports: [{ containerPort: 80 }],
  env: [{ name: "A", value: "" }],
  resources: { requests: { cpu: "1000m", memory: "1024Mi" } },
  readinessProbe: { httpGet: { path: "/", port: 80 } },
};

/** What the server stores in another form than it gets: quantities, defaults, keys of lists that are left out. */
function declare(manager: Manager, seen: (key: string) => void) {
  return manager.controller(Widgets, { workers: 8 }).owns(Deployments).owns(Services).reconcile(
    async ({ key, name, object, apply, status }) => {
      seen(key);
      const labels = { widget: name };
      await apply(Deployments, {
        metadata: { name, labels },
        spec: {
          replicas: object.spec.size,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              containers: [container],
            },
          },
        },
      });
      await apply(Services, {
        metadata: { name },
        spec: { selector: labels, ports: [{ port: 80 }] },
      });
      status({ ready: 0 }).condition("Available", "False", "Waiting");
      return { prune: true };
    },
  );
}

Deno.test("Manager on a real API server", async (t) => {
  await using world = await World.create();
  const { client, namespace } = world;
  const call = { namespace };
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };

  /** Runs a manager, and returns what it wrote and how to stop it. */
  const start = (options: ManagerOptions = {}, reconciled: (key: string) => void = () => {}) => {
    const writes: string[] = [];
    const applied: string[] = [];
    const observed = client.observed({
      ended: ({ method, path }) => {
        if (method !== "GET") applied.push(`${method} ${path}`);
      },
      wrote: ({ resource, name, object }) => {
        const { resourceVersion } = (object as { metadata: { resourceVersion: string } }).metadata;
        writes.push(`${resource.plural} ${name} ${resourceVersion}`);
      },
    });
    const manager = new Manager(observed as Client, {
      definitions: [Widgets],
      namespaces: [namespace],
      logger: quiet,
      ...options,
    });
    const keys: string[] = [];
    const controller = declare(manager, (key) => {
      keys.push(key);
      reconciled(key);
    });
    const stop = new AbortController();
    const running = manager.run({ signal: stop.signal });
    running.catch(() => {});
    const end = async () => {
      stop.abort();
      await running;
    };
    return { manager, controller, writes, applied, keys, end, running };
  };

  await t.step(
    "a settled restart makes no write, and a reconcile of nothing no request",
    async () => {
      const first = start();
      await client.waitFor(
        CustomResourceDefinitions,
        "widgets.e2e.kubeloop.dev",
        (definition) => definition?.status?.conditions?.some(({ type }) => type === "Established"),
        { timeoutMs: 60_000 },
      );
      const names = Array.from({ length: 30 }, (_, i) => `w${i}`);
      for (const name of names) {
        await client.create(Widgets, { metadata: { name, namespace }, spec: {} });
      }
      for (const name of names) {
        await client.waitFor(
          Widgets,
          name,
          (widget) => widget?.status?.conditions?.[0]?.reason === "Waiting",
          { ...call, timeoutMs: 60_000 },
        );
      }
      const { items } = await client.list(Deployments, call);
      assertEquals(items.length, 30);
      assertEquals(items[0]?.metadata.ownerReferences?.[0]?.kind, "Widget");
      await first.end();

      const versions = async () => {
        const lists = await Promise.all([
          client.list(Deployments, call),
          client.list(Services, call),
          client.list(Widgets, call),
        ]);
        return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.resourceVersion));
      };
      const before = await versions();
      const second = start();
      await eventually(
        "all are reconciled",
        () => Promise.resolve(new Set(second.keys).size === 30),
      );
      await eventually("nothing waits", () => {
        const { queueLength, activeWorkers } = second.controller.snapshot();
        return Promise.resolve(queueLength + activeWorkers === 0);
      });
      assertEquals(await versions(), before);
      // Quantities are stored in another form, so one request a process shows that nothing changes.
      const requests = second.applied.length;
      console.log(`# requests of a restart with 30 settled objects: ${requests}`);
      for (const name of names) {
        second.controller.trigger(`${namespace}/${name}`);
      }
      await eventually("all are reconciled again", () =>
        Promise.resolve(
          second.keys.length >= 60 && second.controller.snapshot().activeWorkers === 0,
        ));
      assertEquals(second.applied.length, requests);
      await second.end();
    },
  );

  await t.step("a clean stop hands over within two seconds", async () => {
    const leaderElection = { name: "widgets", namespace };
    const a = start({ leaderElection: { ...leaderElection, identity: "a" } });
    await eventually("a leads", () => Promise.resolve(a.keys.length > 0));
    const b = start({ leaderElection: { ...leaderElection, identity: "b" } });
    await eventually(
      "b is ready",
      async () => (await b.manager.handler(new Request("http://pod/readyz"))).status === 200,
    );
    assertEquals(b.keys, []);
    await a.end();
    const stoppedAt = performance.now();
    await eventually("b leads", () => Promise.resolve(b.keys.length > 0));
    const tookMs = performance.now() - stoppedAt;
    console.log(`# hand-over in ${Math.round(tookMs)} ms`);
    await b.end();
  });

  await t.step("shards are spread, and no key is reconciled by two", async () => {
    const owners = new Map<string, string>();
    const start3 = (identity: string) =>
      start(
        { sharding: { name: "widgets", namespace, identity } },
        (key) => owners.set(key, identity),
      );
    const replicas = ["a", "b", "c"].map(start3);
    await eventually("all three have shards", () => {
      for (const { controller } of replicas) {
        for (let i = 0; i < 30; i++) controller.trigger(`${namespace}/w${i}`);
      }
      return Promise.resolve(new Set(owners.values()).size === 3);
    });
    for (const { end } of replicas.slice(0, 2)) await end();
    const last = replicas[2]!;
    await eventually("the last one has them all", () =>
      Promise.resolve(
        new Set(last.keys).size === 30,
      ));
    await last.end();
    assert(owners.size === 30);
  });
});
