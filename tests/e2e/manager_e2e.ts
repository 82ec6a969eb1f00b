/**
 * Managers on a real API server: what they write and what they leave alone, their rights, webhooks and Events, leader
 * election and shards, and an API server that restarts.
 *
 * @module
 */

import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { parseAll } from "@std/yaml/parse";
import { stringify } from "@std/yaml/stringify";
import {
  type Client,
  ConfigMaps,
  defineResource,
  Deployments,
  type KubeObject,
  type Logger,
  Manager,
  type ManagerOptions,
  Secrets,
} from "@kubeloop/controller";
import { admission, EventsV1, MissingRightsError } from "@kubeloop/controller/operator";
import { type Cached, compareResourceVersions } from "@kubeloop/controller/types";
import { CHILD_KINDS, childrenOf } from "./children.ts";
import { freePort } from "./cluster.ts";
import { applyYaml, clientWith } from "./service_account.ts";
import { disturbedClient, eventually, World } from "./world.ts";

const Widgets = defineResource({
  group: "e2e.kubeloop.dev",
  version: "v1",
  kind: "Widget",
  spec: {
    type: "object",
    properties: {
      size: { type: "integer", default: 1 },
      color: { type: "string" },
    },
  },
  status: { type: "object", properties: { ready: { type: "integer" } } },
});

/** The names of `count` objects. */
function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
}

/** A Deployment as people write it: the server stores much of it in another form, or with defaults. */
function deploymentOf(name: string, replicas: number, labels: Record<string, string> = {}) {
  const selector = { widget: name };
  return {
    metadata: { name, labels: { ...selector, ...labels } },
    spec: {
      replicas,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: selector },
        spec: {
          containers: [{
            name: "main",
            image: "nginx",
            args: [],
            ports: [{ containerPort: 80 }, { containerPort: 81, name: "metrics" }],
            env: [
              { name: "EMPTY", value: "" },
              { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
              { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
              { name: "KEY", valueFrom: { secretKeyRef: { name: "keys", key: "a" } } },
            ],
            resources: {
              requests: { cpu: "1000m", memory: "1024Mi" },
              limits: { cpu: "1.5", memory: "2048Mi" },
            },
            readinessProbe: { httpGet: { path: "/", port: 80 } },
            livenessProbe: { tcpSocket: { port: "metrics" }, periodSeconds: 30 },
            securityContext: {},
            volumeMounts: [{ name: "config", mountPath: "/etc/config" }],
          }],
          volumes: [
            { name: "config", configMap: { name: "config" } },
            { name: "scratch", emptyDir: { sizeLimit: "1024Mi" } },
          ],
          tolerations: [{ key: "spot", operator: "Exists" as const }],
          nodeSelector: {},
        },
      },
    },
  };
}

const WEBHOOK_CONFIGURATIONS = ["Mutating", "Validating"].map((mode) =>
  defineResource<KubeObject>({
    group: "admissionregistration.k8s.io",
    version: "v1",
    plural: `${mode.toLowerCase()}webhookconfigurations`,
    kind: `${mode}WebhookConfiguration`,
    namespaced: false,
  })
);

interface Life {
  readonly manager: Manager;
  readonly controller: ReturnType<ReturnType<Manager["controller"]>["reconcile"]>;
  /** Each request, as in `PATCH /apis/…: 200`. */
  readonly requests: string[];
  /** The logged lines. */
  readonly lines: string[];
  readonly running: Promise<void>;
  /** Stops the manager, and returns how it ended. */
  end(): Promise<void>;
}

/** Runs a manager, and keeps what it requests and logs. */
function start(
  client: Client,
  options: ManagerOptions,
  declare: (manager: Manager) => Life["controller"],
): Life {
  const requests: string[] = [];
  const lines: string[] = [];
  const line = (message: string) => void lines.push(message);
  const logger: Logger = { debug: () => {}, info: line, warn: line, error: line };
  const observed = client.observed({
    ended: ({ method, path, status }) => void requests.push(`${method} ${path}: ${status}`),
  });
  const manager = new Manager(observed, { logger, definitions: [Widgets], ...options });
  const controller = declare(manager);
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  // The caller that stops the manager gets the error.
  running.catch(() => {});
  const end = async () => {
    stop.abort();
    await running;
  };
  return { manager, controller, requests, lines, running, end };
}

async function isReady({ manager }: Life): Promise<boolean> {
  return (await manager.handler(new Request("http://pod/readyz"))).status === 200;
}

async function page({ manager }: Life, path: string): Promise<string> {
  return await (await manager.handler(new Request(`http://pod${path}`))).text();
}

function writesOf(life: Life): string[] {
  return life.requests.filter((request) => !request.startsWith("GET "));
}

/** Starts managers until one fails: the API server learns of a missing rule a little later. Returns the error. */
async function startError(begin: () => Life): Promise<unknown> {
  for (let tries = 0; tries < 100; tries++) {
    const life = begin();
    let failure: { readonly error: unknown } | undefined;
    life.running.catch((error) => failure = { error });
    await eventually(
      "it is ready or has failed",
      async () => failure !== undefined || await isReady(life),
    );
    if (failure !== undefined) return failure.error;
    await life.end();
  }
  return undefined;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("managers on a real API server", async (t) => {
  await using world = await World.create();
  const { client, namespace } = world;
  const call = { namespace };
  const inNamespace = { name: "widgets", namespaces: [namespace] };

  const createWidgets = async (
    all: readonly string[],
    spec: { size?: number; color?: string } = {},
  ) => {
    for (const name of all) {
      await client.create(Widgets, { metadata: { name, namespace }, spec });
    }
  };
  const removeWidgets = async () => {
    await client.deleteCollection(Widgets, call);
    await client.deleteCollection(Deployments, call);
    await client.deleteCollection(ConfigMaps, call);
  };
  /** Resolves when the manager has seen the current state of all Widgets and its queue is empty. */
  const settled = async ({ manager, controller }: Life) => {
    await world.cacheEqualsCluster(manager.cache(Widgets), Widgets);
    await eventually("nothing waits", () => {
      const { activeWorkers, queueLength, waitingForCaches } = controller.snapshot();
      return Promise.resolve(activeWorkers + queueLength + waitingForCaches === 0);
    });
  };
  const conditionsOf = async (name: string) => {
    const { status } = await client.get(Widgets, name, call);
    return (status?.conditions ?? []).map(({ type, status }) => `${type}=${status}`).sort();
  };

  /** All that a reconcile can do. */
  const cleaned: string[] = [];
  const declareAll = (manager: Manager) =>
    manager.controller(Widgets, { workers: 8 })
      .owns(Deployments)
      .owns(ConfigMaps)
      .finalizer("e2e.kubeloop.dev/cleanup", { cleanup: ({ name }) => void cleaned.push(name) })
      .needs(Secrets, ["create", "delete"])
      .reconcile(async ({ name, object, apply, status, client, event }) => {
        const { size = 1, color } = object.spec;
        const labels: Record<string, string> = color === undefined ? {} : { color };
        const { metadata } = await apply(Deployments, deploymentOf(name, size, labels));
        for (let i = 0; i < size; i++) {
          await apply(ConfigMaps, { metadata: { name: `${name}-${i}` }, data: { i: `${i}` } });
        }
        if (metadata.generation === 1 && color === "secret") {
          await client.create(Secrets, { metadata: { name, namespace } });
          await client.delete(Secrets, name, call);
        }
        status({ ready: size }).condition("Available", "True", "Applied");
        event("Normal", "Applied", `${size} ConfigMaps are as they should be`);
        return { prune: true };
      });

  await t.step(
    "definitions, children, status, finalizer and prune; what others set stays",
    async () => {
      const life = start(client, inNamespace, declareAll);
      await eventually("the manager is ready", () => isReady(life));
      await createWidgets(["a"], { size: 3, color: "red" });
      await eventually(
        "it is applied",
        async () => (await conditionsOf("a")).join() === "Available=True",
      );
      const widget = await client.get(Widgets, "a", call);
      assertEquals(widget.metadata.finalizers, ["e2e.kubeloop.dev/cleanup"]);
      assertEquals([widget.status?.ready, widget.status?.observedGeneration], [3, 1]);
      const deployment = await client.get(Deployments, "a", call);
      assertEquals(deployment.metadata.labels, { widget: "a", color: "red" });
      assertEquals(deployment.metadata.ownerReferences, [{
        apiVersion: "e2e.kubeloop.dev/v1",
        kind: "Widget",
        name: "a",
        uid: widget.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      }]);
      const mapNames = async () =>
        (await client.list(ConfigMaps, call)).items.map(({ metadata }) => metadata.name);
      assertEquals(await mapNames(), ["a-0", "a-1", "a-2"]);

      const other = { fieldManager: "other", ...call };
      await client.apply(Deployments, {
        metadata: { name: "a", labels: { team: "blue" } },
        spec: { template: { spec: { containers: [{ name: "side", image: "redis" }] } } },
      }, other);
      const seen = { type: "Seen", status: "True", lastTransitionTime: new Date().toISOString() };
      await client.apply(Widgets, {
        metadata: { name: "a" },
        status: { conditions: [seen] },
      } as never, { ...other, subresource: "status" });
      await client.create(ConfigMaps, { metadata: { name: "alien", namespace } });
      await client.patch(Widgets, "a", { spec: { size: 1, color: null } } as never, call);
      await eventually(
        "it follows",
        async () => (await client.get(Widgets, "a", call)).status?.observedGeneration === 2,
      );
      await eventually("it is pruned", async () => (await mapNames()).join() === "a-0,alien");
      const after = await client.get(Deployments, "a", call);
      assertEquals(after.metadata.labels, { widget: "a", team: "blue" });
      assertEquals(after.spec?.replicas, 1);
      const { containers } = after.spec!.template.spec!;
      assertEquals(containers.map(({ name }) => name).sort(), ["main", "side"]);
      assertEquals(await conditionsOf("a"), ["Available=True", "Seen=True"]);

      await client.delete(ConfigMaps, "a-0", call);
      await eventually("it is back", async () => (await mapNames()).join() === "a-0,alien");
      await client.delete(Widgets, "a", call);
      await client.waitFor(Widgets, "a", (one) => one === undefined, {
        ...call,
        timeoutMs: 30_000,
      });
      assertEquals(cleaned, ["a"]);

      await life.end();
      const { items } = await client.list(EventsV1, { ...call, fieldSelector: "regarding.name=a" });
      const counts = items.map((
        { note, series },
      ) => [note!.slice(0, 12), (series?.count ?? 1) > 1]);
      assertEquals(counts.sort(), [["1 ConfigMaps", true], ["3 ConfigMaps", true]]);
      assertStringIncludes(
        await page(life, "/metrics"),
        'kubeloop_events_total{controller="widget"}',
      );
      assertMatch(await page(life, "/debug/reconciles"), /because configmaps \S+\/a-0 was deleted/);
      assertEquals(life.lines.filter((line) => line.includes("ailed") || line.includes("403")), []);
      await removeWidgets();
    },
  );

  /** Children whose stored form differs from the sent one. */
  const declareMany = (manager: Manager) => {
    const builder = manager.controller(Widgets, { workers: 8 }).owns(Deployments);
    for (const kind of CHILD_KINDS) builder.owns(kind);
    return builder.reconcile(async ({ name, object, apply, status }) => {
      await apply(Deployments, deploymentOf(name, object.spec.size ?? 1));
      if (name.endsWith("0")) {
        for (const [kind, child] of childrenOf(name)) await apply(kind, child);
      }
      status({ ready: 0 }).condition("Available", "False", "Waiting");
      return { prune: true };
    });
  };

  await t.step(
    "a restart with 100 settled objects writes nothing; a reconcile of nothing requests nothing",
    async () => {
      const all = names("w", 100);
      const first = start(client, inNamespace, declareMany);
      await eventually("the manager is ready", () => isReady(first));
      await createWidgets(all);
      await eventually("all have a status", async () => {
        const { items } = await client.list(Widgets, call);
        return items.every(({ status }) => status?.observedGeneration === 1);
      });
      await settled(first);
      await first.end();

      const second = start(client, inNamespace, declareMany);
      await eventually(
        "all are reconciled",
        () => Promise.resolve(second.controller.snapshot().reconciles >= 100),
      );
      await settled(second);
      const reviews = (write: string) => !write.includes("selfsubjectaccessreviews");
      assertEquals(writesOf(second).filter(reviews), []);
      const before = second.requests.length;
      for (const name of all) second.controller.trigger(`${namespace}/${name}`);
      await eventually(
        "all are reconciled again",
        () => Promise.resolve(second.controller.snapshot().reconciles >= 200),
      );
      await settled(second);
      assertEquals(second.requests.slice(before), []);
      await second.end();
      await removeWidgets();
    },
  );

  await t.step(
    "the printed rights are enough, and each of them is asked for at the start",
    async () => {
      const declare = (options: ManagerOptions = {}) => (client: Client) =>
        start(
          client,
          { ...inNamespace, leaderElection: { name: "rights", namespace }, ...options },
          declareAll,
        );
      const rbac = new Manager(client, {
        ...inNamespace,
        definitions: [Widgets],
        leaderElection: { name: "rights", namespace },
      });
      declareAll(rbac);
      const yaml = rbac.rbac({ namespace });
      await using limited = await clientWith(world, yaml, "widgets");
      await eventually("the rights are there", async () => {
        await limited.list(Deployments, call);
        return true;
      });
      const life = declare()(limited);
      await eventually("the manager is ready", () => isReady(life));
      await createWidgets(["r"], { size: 2, color: "secret" });
      await eventually(
        "it is applied",
        async () => (await conditionsOf("r")).join() === "Available=True",
      );
      await client.patch(Widgets, "r", { spec: { size: 1 } }, call);
      await eventually(
        "it is pruned",
        async () => (await client.list(ConfigMaps, call)).items.length === 1,
      );
      await client.delete(Widgets, "r", call);
      await client.waitFor(Widgets, "r", (one) => one === undefined, {
        ...call,
        timeoutMs: 30_000,
      });
      await life.end();
      const { items } = await client.list(EventsV1, { ...call, fieldSelector: "regarding.name=r" });
      assert(items.length > 0, "there are no Events");
      const refused = (one: string) => one.endsWith(": 403") && !one.includes("selfsubject");
      assertEquals(life.requests.filter(refused), []);
      assertEquals(
        life.lines.filter((line) => line.includes("orbidden")),
        [],
      );
      await assertRejects(
        () => limited.list(Secrets, call),
        Error,
        "forbidden",
      );

      interface Role extends KubeObject {
        rules: { resources: string[]; verbs: string[] }[];
      }
      const roles = (parseAll(yaml) as Role[]).filter(({ rules }) => rules !== undefined);
      for (const role of roles) {
        for (const rule of role.rules) {
          const rules = role.rules.filter((one) => one !== rule);
          await applyYaml(client, stringify({ ...role, rules } as never));
          const error = await startError(() => declare()(limited));
          assert(MissingRightsError.is(error), `${error} without ${JSON.stringify(rule)}`);
          const missing = error.missing.map(({ resource, subresource }) =>
            `${resource.plural}${subresource ? `/${subresource}` : ""}`
          );
          assertEquals([...new Set(missing)].sort(), rule.resources.toSorted());
          for (const verb of rule.verbs) assertStringIncludes(error.message, verb);
        }
        await applyYaml(client, stringify(role as never));
      }
      await removeWidgets();
    },
  );

  await t.step(
    "the API server asks the manager's webhooks, over TLS with its own certificates",
    async () => {
      const port = freePort();
      const webhooks = {
        url: `https://127.0.0.1:${port}`,
        port,
        hostname: "127.0.0.1",
        name: namespace,
        secret: { namespace, name: "webhook-certificates" },
      };
      const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
      const declare = (manager: Manager) => {
        manager.webhooks.add(admission(Widgets, {
          mutate: ({ object }) => {
            object.spec.color ??= "grey";
          },
          validate: ({ object, oldObject, warn }) => {
            if (object.spec.color === "pink") warn("pink is out of fashion");
            const shrinks = object.spec.size! < (oldObject?.spec.size ?? 0);
            return shrinks ? [{ field: "spec.size", message: "cannot shrink" }] : [];
          },
        }, { namespaceSelector }));
        return manager.controller(Widgets).reconcile(() => {});
      };
      const life = start(client, { ...inNamespace, webhooks }, declare);
      const create = async (name: string) => {
        const object = { metadata: { name, namespace }, spec: { size: 2 } };
        return (await client.create(Widgets, object)).spec.color;
      };
      let count = 0;
      try {
        await eventually(
          "the webhook mutates",
          async () => await create(`m-${count++}`) === "grey",
        );
        assert(await isReady(life));
        const name = `m-${count - 1}`;
        // The configurations are written one after the other.
        await eventually("the webhook validates", async () => {
          const shrinking = client.patch(Widgets, name, { spec: { size: 1 } }, call);
          const refusal = await shrinking.then(() => "", String);
          if (refusal === "") await client.patch(Widgets, name, { spec: { size: 2 } }, call);
          return refusal.includes("spec.size: cannot shrink");
        });
        await client.patch(Widgets, name, { spec: { size: 3 } }, call);
        const review = {
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          request: {
            uid: "1",
            kind: { group: "e2e.kubeloop.dev", version: "v1", kind: "Widget" },
            operation: "UPDATE",
            object: { metadata: { name: "a" }, spec: { size: 1 } },
            oldObject: { metadata: { name: "a" }, spec: { size: 2 } },
          },
        };
        const path = life.manager.webhooks.paths.find((one) => one.includes("validate"));
        const answer = await life.manager.handler(
          new Request(`http://pod${path}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(review),
          }),
        );
        assertEquals((await answer.json()).response.allowed, false);
      } finally {
        await life.end();
        for (const resource of WEBHOOK_CONFIGURATIONS) await client.delete(resource, namespace);
        // The API server hears of the deletion a moment later.
        await eventually(
          "no webhook is asked any more",
          async () => await create(`m-${count++}`) === undefined,
        );
        await removeWidgets();
      }
    },
  );

  await t.step("no reconcile sees a state older than what its key wrote", async () => {
    const written = new Map<string, Map<string, string>>();
    let older = 0;
    let checked = 0;
    const isOlder = (object: Cached<KubeObject> | undefined, version: string) =>
      (compareResourceVersions(object?.metadata.resourceVersion ?? "0", version) ?? -1) < 0;
    await using late = await disturbedClient(world, { lagMs: 5 });
    const life = start(
      late.client,
      inNamespace,
      (manager) =>
        manager.controller(Widgets, { workers: 16 }).owns(ConfigMaps).reconcile(
          async ({ key, name, cache, client, object: { spec } }) => {
            const mine = written.get(key) ?? new Map<string, string>();
            written.set(key, mine);
            for (const [child, version] of mine) {
              checked++;
              if (isOlder(cache(ConfigMaps).get(child, namespace), version)) older++;
            }
            const child = { metadata: { name: `${name}-${spec.size! % 3}`, namespace } };
            const { metadata } = await client.apply(ConfigMaps, {
              ...child,
              data: { size: `${spec.size}` },
            }, { fieldManager: "test" });
            mine.set(child.metadata.name, metadata.resourceVersion);
          },
        ),
    );
    await eventually("the manager is ready", () => isReady(life));
    const all = names("k", 50);
    await createWidgets(all, { size: 0 });
    for (let size = 1; size <= 8; size++) {
      await Promise.all(all.map((name) => client.patch(Widgets, name, { spec: { size } }, call)));
    }
    await settled(life);
    assertEquals(older, 0);
    assert(written.size === 50 && checked > 100, `${checked} checks`);
    const { items } = await client.list(ConfigMaps, { ...call, limit: 500 });
    const last = items.filter(({ metadata }) => metadata.name.endsWith("-2"));
    assertEquals(new Set(last.map(({ data }) => data?.["size"])), new Set(["8"]));
    await life.end();
    await removeWidgets();
  });

  await t.step(
    "the manager continues after a restart of the API server, and creates no child twice",
    async () => {
      const life = start(
        client,
        inNamespace,
        (manager) =>
          manager.controller(Widgets, { workers: 4 }).owns(ConfigMaps).reconcile(
            async ({ name, object: { spec }, apply, status }) => {
              for (let i = 0; i < spec.size!; i++) {
                await apply(ConfigMaps, { metadata: { name: `${name}-${i}` } });
              }
              status({ ready: spec.size! });
              return { prune: true };
            },
          ),
      );
      await eventually("the manager is ready", () => isReady(life));
      const all = names("s", 20);
      const creating = createWidgets(all.slice(0, 15), { size: 2 }).catch(() => {});
      await eventually(
        "some are there",
        () => Promise.resolve(life.controller.snapshot().reconciles > 5),
      );
      await world.restartApiServer();
      await creating;
      for (const name of all) {
        const object = { metadata: { name, namespace }, spec: { size: 3 } };
        await eventually(`${name} is applied`, async () => {
          await client.apply(Widgets, object, { fieldManager: "user", force: true });
          return true;
        });
      }
      const expected = all.flatMap((name) => [0, 1, 2].map((i) => `${name}-${i}`)).sort();
      await eventually("each has its children", async () => {
        const { items } = await client.list(ConfigMaps, call);
        return items.map(({ metadata }) => metadata.name).sort().join() === expected.join();
      });
      await eventually("each has its status", async () => {
        const { items } = await client.list(Widgets, call);
        return items.every(({ status }) => status?.ready === 3);
      });
      await settled(life);
      const before = writesOf(life).length;
      for (const name of all) life.controller.trigger(`${namespace}/${name}`);
      await settled(life);
      assertEquals(writesOf(life).length, before);
      await life.end();
      await removeWidgets();
    },
  );

  await t.step(
    "a stopped leader hands over within two seconds; a dead one writes nothing once another leads",
    async () => {
      await createWidgets(["l"]);
      const leading = { name: "leader", namespace, leaseDurationMs: 3_000, renewDeadlineMs: 2_000 };
      const at: Record<string, number> = {};
      const note = (what: string) => at[what] ??= performance.now();
      const replica = (client: Client, identity: string) =>
        start(
          client,
          { ...inNamespace, leaderElection: { ...leading, retryPeriodMs: 500, identity } },
          (manager) =>
            manager.controller(Widgets).reconcile(async ({ signal }) => {
              note(`${identity} leads`);
              await new Promise<void>((resolve) =>
                signal.addEventListener("abort", () => {
                  note(`${identity} is told to stop`);
                  resolve();
                }, { once: true })
              );
            }),
        );
      const happened = (what: string) =>
        eventually(what, () => Promise.resolve(at[what] !== undefined));
      await using doomed = await disturbedClient(world);
      const a = replica(client, "a");
      await happened("a leads");
      const b = replica(doomed.client, "b");
      await eventually("b is ready", () => isReady(b));
      assertEquals(at["b leads"], undefined);
      note("a is stopped");
      await a.end();
      await happened("b leads");
      assert(at["a is told to stop"]! < at["b leads"]!);
      const tookMs = at["b leads"]! - at["a is stopped"]!;
      assert(tookMs < 2_000, `the hand-over took ${tookMs} ms`);

      const c = replica(client, "c");
      await eventually("c is ready", () => isReady(c));
      note("b dies");
      doomed.kill();
      await happened("c leads");
      assert(at["b is told to stop"]! < at["c leads"]!, "two have led");
      assert(at["c leads"]! - at["b dies"]! < 3_000 + 500 + 2_000);
      await assertRejects(() => b.running, Error, "lease");
      await c.end();
      await removeWidgets();
    },
  );

  await t.step("no key is reconciled by two shards, while replicas come and go", async () => {
    const all = names("h", 30);
    await createWidgets(all);
    const busy = new Map<string, string>();
    const overlaps: string[] = [];
    const owners = new Map<string, string>();
    const sharding = { name: "shards", namespace, retryPeriodMs: 500 };
    const replica = (identity: string) =>
      start(
        client,
        { ...inNamespace, sharding: { ...sharding, identity } },
        (manager) =>
          manager.controller(Widgets, { workers: 8 }).reconcile(async ({ key }) => {
            const other = busy.get(key);
            if (other !== undefined) overlaps.push(`${key}: ${other} and ${identity}`);
            busy.set(key, identity);
            await sleep(20);
            busy.delete(key);
            owners.set(key, identity);
            return { requeueAfterMs: 10 };
          }),
      );
    const spread = (...identities: string[]) =>
      eventually(`the keys are with ${identities}`, async () => {
        owners.clear();
        await sleep(200);
        const found = new Set(owners.values());
        return owners.size === 30 && [...found].sort().join() === identities.join();
      });
    const a = replica("a");
    await spread("a");
    const b = replica("b");
    await spread("a", "b");
    const c = replica("c");
    await spread("a", "b", "c");
    await a.end();
    await spread("b", "c");
    await Promise.all([b.end(), c.end()]);
    assertEquals(overlaps, []);
    await removeWidgets();
  });
});
