/**
 * People control a manager on a real API server: they pause objects, resume them, change them while they are reconciled, and
 * read metrics with their own rights.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  ConfigMaps,
  defineResource,
  installDefinitions,
  Manager,
  type ManagerOptions,
} from "@kubeloop/controller";
import { delay } from "@kubeloop/controller/base";
import type { Story } from "@kubeloop/controller/operator";
import { Seen } from "../see/_seen.ts";
import { applyYaml, clientWith, createToken } from "./service_account.ts";
import { eventually, World } from "./world.ts";

const Widgets = defineResource({
  group: "control.kubeloop.dev",
  version: "v1",
  kind: "Widget",
  spec: { type: "object", properties: { size: { type: "integer" }, slow: { type: "boolean" } } },
  status: { type: "object", properties: { ready: { type: "integer" } } },
});

const PAUSED = "kubeloop.dev/paused";

Deno.test("people control a manager on a real API server", async (t) => {
  await using world = await World.create();
  const { client, namespace } = world;
  await installDefinitions(client, [Widgets]);

  const seen: string[] = [];
  const declare = (manager: Manager) =>
    manager.controller(Widgets, { supersede: true })
      .owns(ConfigMaps)
      .finalizer("control.kubeloop.dev/cleanup", { cleanup: () => void seen.push("cleanup") })
      .reconcile(async ({ object, name, apply, clock, signal, status }) => {
        const { size = 0, slow = false } = object.spec ?? {};
        seen.push(`size ${size}`);
        if (slow) await delay(600_000, { clock, signal });
        await apply(ConfigMaps, { metadata: { name }, data: { size: `${size}` } });
        status({ ready: size }).condition("Ready", "True", "Copied");
      });
  const options: ManagerOptions = {
    name: "control",
    namespaces: [namespace],
    protectEndpoints: true,
  };
  const planned = new Manager(client, options);
  declare(planned);
  await using limited = await clientWith(world, planned.rbac({ namespace }), "control");
  const manager = new Manager(limited, options);
  const controller = declare(manager);
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  running.catch(() => {});

  const read = () => client.get(Widgets, "a", { namespace });
  const patch = (change: { metadata?: object; spec?: object }) =>
    client.patch(Widgets, "a", change as never, { namespace });
  const annotate = (value: string | null) =>
    patch({ metadata: { annotations: { [PAUSED]: value } } });
  const condition = async (type: string) => {
    const found = (await read()).status?.conditions?.find((one) => one.type === type);
    return found && `${found.status} ${found.reason}`;
  };
  const sizeOf = async () => (await client.get(ConfigMaps, "a", { namespace })).data?.["size"];
  const ask = async (path: string, token?: string) => {
    const headers: Record<string, string> = token === undefined
      ? {}
      : { authorization: `Bearer ${token}` };
    return await manager.handler(new Request(`http://pod${path}`, { headers }));
  };

  await t.step(
    "a paused object gets the condition and no other write, and is done when it is resumed",
    async () => {
      await client.create(Widgets, { metadata: { name: "a", namespace }, spec: { size: 1 } });
      await eventually("it is ready", async () => await condition("Ready") === "True Copied");
      await annotate("true");
      await eventually(
        "it is paused",
        async () => await condition("Paused") === "True PausedByAnnotation",
      );
      const { resourceVersion } = (await read()).metadata;
      const before = controller.snapshot().reconciles;
      const changed = await patch({ spec: { size: 2 } });
      await client.delete(ConfigMaps, "a", { namespace });
      await eventually(
        "it has seen both",
        () => Promise.resolve(controller.snapshot().reconciles >= before + 1),
      );
      await delay(1000);
      const now = await read();
      assert(changed.metadata.resourceVersion !== resourceVersion);
      assertEquals(now.metadata.resourceVersion, changed.metadata.resourceVersion, "no write");
      assertEquals(now.status?.observedGeneration, 1);
      await annotate(null);
      await eventually("it is copied", async () => await sizeOf() === "2");
      await eventually("it says so", async () => await condition("Paused") === "False Resumed");
      assertEquals((await read()).status?.observedGeneration, 2);
    },
  );

  await t.step("a page shows what is paused, after it has paused it", async () => {
    const page = await Seen.open(manager);
    const key = `${namespace}/a`;
    const act = async (name: string) => {
      const body = JSON.stringify({ name, controller: "widget", key });
      const response = await page.fetch("/see/act", { method: "POST", body });
      assertEquals([response.status, (await response.text()).includes(key)], [200, true]);
    };
    const paused = async () => (await page.attention("paused")).map((one) => one.key);
    await act("pause");
    await eventually("it is paused", async () => (await paused()).includes(key));
    await act("resume");
    await eventually("it is resumed", async () => (await paused()).length === 0);
    assertEquals((await page.state()).watches.map(({ phase }) => phase), ["watching", "watching"]);
  });

  await t.step("a newer generation ends the reconcile, and so does a deletion", async () => {
    await patch({ spec: { size: 3, slow: true } });
    await eventually("it is busy", () => Promise.resolve(seen.at(-1) === "size 3"));
    await patch({ spec: { size: 4 } });
    await eventually("the next one is busy", () => Promise.resolve(seen.at(-1) === "size 4"));
    await client.delete(Widgets, "a", { namespace });
    await eventually("it cleans up", () => Promise.resolve(seen.at(-1) === "cleanup"));
    assertEquals(controller.snapshot().errors, 0);
  });

  await t.step(
    "metrics and stories need a token with the right, and stories have Audit-Ids",
    async () => {
      await applyYaml(
        client,
        `apiVersion: v1
kind: ServiceAccount
metadata: { name: scraper, namespace: ${namespace} }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: other, namespace: ${namespace} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: ${namespace}-metrics-reader }
rules:
  - nonResourceURLs: [/metrics]
    verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: ${namespace}-metrics-reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${namespace}-metrics-reader }
subjects:
  - { kind: ServiceAccount, name: scraper, namespace: ${namespace} }
`,
      );
      const scraper = await createToken(client, "scraper", namespace);
      const other = await createToken(client, "other", namespace);
      // The API server learns of a rule a little later, and a refusal is kept for ten seconds.
      await eventually(
        "the scraper may",
        async () => (await ask("/metrics", scraper)).status === 200,
      );
      const text = await (await ask("/metrics", scraper)).text();
      assert(text.includes('kubeloop_superseded_reconciles_total{controller="widget"} 2'));
      assertEquals((await ask("/debug/reconciles", scraper)).status, 403);
      assertEquals((await ask("/metrics", other)).status, 403);
      assertEquals((await ask("/metrics", "garbage")).status, 401);
      assertEquals((await ask("/metrics")).status, 401);
      assertEquals((await ask("/healthz")).status, 200);
    },
  );

  await t.step("the requests of stories have the Audit-Ids of the server", async () => {
    const stories: Story[] = [];
    const open = new Manager(client, { namespaces: [namespace], name: "open" });
    open.controller(Widgets, { name: "other", events: false }).reconcile(({ status }) => {
      status({ ready: 7 });
    });
    const end = new AbortController();
    const ended = open.run({ signal: end.signal });
    const reading = (async () => {
      for await (const story of open.stories({ signal: end.signal })) {
        stories.push(story);
      }
    })().catch(() => {});
    await client.create(Widgets, { metadata: { name: "b", namespace }, spec: { size: 1 } });
    await eventually(
      "it has written",
      () => Promise.resolve(stories.some(({ requests }) => requests.length > 0)),
    );
    end.abort();
    await Promise.all([ended, reading]);
    const [request] = stories.flatMap(({ requests }) => requests);
    assertMatch(request?.auditId ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  stop.abort();
  await running;
});
