import { nightlyTest } from "../../support/kinds_of_tests.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  ConfigMaps,
  CustomResourceDefinitions,
  defineResource,
  installDefinitions,
  Manager,
  type ManagerOptions,
  Namespaces,
  Secrets,
} from "@kubeloop/controller";
import { Widgets, World } from "../_world.ts";

const SELECTION = { labelSelector: "team=a" };

/** A world with Widgets and namespaces, which records requests. */
class NamespaceWorld extends World {
  /** The requests to Widgets and ConfigMaps by namespace, as in `widgets a`. */
  readonly requestsTo = new Map<string, number>();
  /** The writes of the manager. */
  readonly managerWrites: string[] = [];
  /** Answers in place of the server. */
  answer: (request: Request) => Promise<Response> | undefined = () => undefined;

  selectingManager(options: ManagerOptions = {}): Manager {
    const client = this.clientWith((request) => {
      const { method, url } = request;
      if (method !== "GET") this.managerWrites.push(`${method} ${new URL(url).pathname}`);
      const [, name, plural] =
        /namespaces\/([^/]+)\/(widgets|configmaps)$/.exec(new URL(request.url).pathname) ?? [];
      if (request.method === "GET" && name !== undefined) {
        const key = `${plural} ${name}`;
        this.requestsTo.set(key, (this.requestsTo.get(key) ?? 0) + 1);
      }
      return this.answer(request);
    });
    return new Manager(client, { namespaces: SELECTION, ...options });
  }

  async namespace(name: string, isSelected = true): Promise<void> {
    const labels = isSelected ? { team: "a" } : {};
    await this.do(this.client.create(Namespaces, { metadata: { name, labels } }));
  }

  async label(name: string, team: string | null): Promise<void> {
    await this.do(this.client.patch(Namespaces, name, { metadata: { labels: { team } } } as never));
  }

  async widgetIn(namespace: string, name: string, size = 1): Promise<void> {
    const metadata = { name, namespace };
    await this.do(this.client.create(Widgets, { metadata, spec: { size } }));
  }
}

async function namespaceWorld(): Promise<NamespaceWorld> {
  const world = new NamespaceWorld();
  await world.install();
  return world;
}

/** Declares a controller that owns one ConfigMap for each Widget, and returns the keys that it has reconciled. */
function ownMaps(manager: Manager): string[] {
  const seen: string[] = [];
  manager.controller(Widgets)
    .owns(ConfigMaps, { when: ({ type }) => type !== "added" && type !== "updated" })
    .reconcile(async ({ key, name, object, owned, apply, causes }) => {
      seen.push(`${key} owns ${owned(ConfigMaps).length} ${causes[0]?.why}`);
      await apply(ConfigMaps, { metadata: { name }, data: { size: `${object.spec.size}` } });
      return { prune: true };
    });
  return seen;
}

Deno.test("a namespace that gets the label is reconciled, and no longer when it loses it", async () => {
  await using world = await namespaceWorld();
  await world.namespace("a");
  await world.namespace("b", false);
  await world.widgetIn("a", "w");
  await world.widgetIn("b", "w");
  const manager = world.selectingManager();
  const seen = ownMaps(manager);
  world.start(manager);
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["a/w owns 0 listed"]);
  await world.label("b", "a");
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["b/w owns 0 listed"]);
  world.managerWrites.length = 0;
  await world.label("a", null);
  await world.pass(1_000);
  await world.do(world.client.patch(Widgets, "w", { spec: { size: 9 } }, { namespace: "a" }));
  await world.pass(60_000);
  assertEquals(seen, []);
  assertEquals(world.managerWrites, []);
  // Its ConfigMap is still there, and is not applied again when the namespace is back.
  await world.label("a", "a");
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["a/w owns 1 listed"]);
  const map = await world.do(world.client.get(ConfigMaps, "w", { namespace: "a" }));
  assertEquals(map.data, { size: "9" });
  assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
});

Deno.test("a namespace that is deleted leaves, and the namespaces of the list are always there", async () => {
  await using world = await namespaceWorld();
  await world.namespace("a");
  await world.namespace("fixed", false);
  await world.widgetIn("fixed", "w");
  const manager = world.selectingManager({ namespaces: { ...SELECTION, names: ["fixed"] } });
  const seen = ownMaps(manager);
  const widgets = manager.cache(Widgets);
  world.start(manager);
  await world.pass(1_000);
  assertEquals(seen, ["fixed/w owns 0 listed"]);
  assertEquals(widgets.list({ namespace: "a" }), []);
  await world.do(world.client.delete(Namespaces, "a"));
  await world.pass(1_000);
  const namespace = await world.do(
    world.client.get(Namespaces, "a").catch(() => undefined),
  );
  if (namespace === undefined) assertThrows(() => widgets.list({ namespace: "a" }), Error, '"a"');
});

Deno.test("a running reconcile of a namespace that leaves is aborted, and neither writes nor prunes", async () => {
  await using world = await namespaceWorld();
  await world.namespace("a");
  await world.widgetIn("a", "w");
  const manager = world.selectingManager();
  let aborted = "";
  const failures: string[] = [];
  const entered = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  let isFirst = true;
  manager.controller(Widgets).owns(ConfigMaps).reconcile(
    async ({ signal, apply, name, owned, status, event }) => {
      if (isFirst) {
        isFirst = false;
        await apply(ConfigMaps, { metadata: { name }, data: {} });
        return;
      }
      signal.addEventListener("abort", () => aborted = `${signal.reason.message}`);
      entered.resolve();
      await left.promise;
      assertEquals(owned(ConfigMaps), []);
      event("Normal", "Late", "it was late");
      status({ ready: 1 });
      try {
        await apply(ConfigMaps, { metadata: { name: "other" }, data: {} });
      } catch (error) {
        failures.push((error as Error).message);
      }
      return { prune: true };
    },
  );
  world.start(manager);
  await world.pass(1_000);
  await world.do(world.client.patch(Widgets, "w", { spec: { size: 2 } }, { namespace: "a" }));
  await world.do(entered.promise);
  await world.label("a", null);
  await world.pass(100);
  assertEquals(aborted, 'The namespace "a" is no longer selected');
  world.managerWrites.length = 0;
  left.resolve();
  await world.pass(600_000);
  assertEquals(world.managerWrites, []);
  assertEquals(failures, ['The namespace "a" is no longer selected']);
  assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
  assertEquals((await world.do(world.client.list(ConfigMaps, { namespace: "a" }))).items.length, 1);
});

Deno.test("a namespace joins in one step, when all of its caches have synced, and delays no other", async () => {
  await using world = await namespaceWorld();
  await world.namespace("a");
  await world.widgetIn("a", "w");
  const manager = world.selectingManager();
  const seen = ownMaps(manager);
  let isBlocked = true;
  world.answer = (request) =>
    isBlocked && request.url.includes("/namespaces/b/configmaps")
      ? Promise.resolve(new Response("{}", { status: 403 }))
      : undefined;
  world.start(manager);
  await world.pass(1_000);
  await world.namespace("b");
  await world.widgetIn("b", "w");
  await world.namespace("c");
  await world.widgetIn("c", "w");
  await world.pass(60_000);
  assertEquals(seen.splice(0), ["a/w owns 0 listed", "c/w owns 0 listed"]);
  const ready = await world.do(manager.handler(new Request("http://operator/readyz")));
  assertStringIncludes(await world.do(ready.text()), "1 cache of selected namespaces");
  isBlocked = false;
  await world.pass(60_000);
  assertEquals(seen.splice(0), ["b/w owns 0 listed"]);
});

Deno.test("a namespace that does not sync at the start is logged, and follows", async () => {
  await using world = await namespaceWorld();
  for (const name of ["a", "b"]) {
    await world.namespace(name);
    await world.widgetIn(name, "w");
  }
  const manager = world.selectingManager();
  const seen = ownMaps(manager);
  let isBlocked = true;
  world.answer = (request) =>
    isBlocked && request.url.includes("/namespaces/b/configmaps")
      ? Promise.resolve(new Response("{}", { status: 403 }))
      : undefined;
  world.start(manager);
  await world.pass(20_000);
  assertEquals(seen.splice(0), ["a/w owns 0 listed"]);
  assertStringIncludes(
    world.lines.join("\n"),
    "starts without caches that have not synced, and follow: configmaps (in b)",
  );
  isBlocked = false;
  await world.pass(60_000);
  assertEquals(seen.splice(0), ["b/w owns 0 listed"]);
});

Deno.test("a controller of another namespace learns that objects have joined and left", async () => {
  const Zones = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Zone",
    namespaced: false,
    spec: { type: "object", properties: { size: { type: "integer" } } },
  });
  await using world = await namespaceWorld();
  await world.do(installDefinitions(world.client, [Zones]));
  await world.do(world.client.create(Zones, { metadata: { name: "z" }, spec: { size: 1 } }));
  await world.namespace("a");
  await world.widgetIn("a", "w");
  const manager = world.selectingManager();
  const seen: string[] = [];
  manager.controller(Zones, { status: false })
    .watches(Widgets, {
      map: (widget, { type }) => {
        seen.push(`map ${widget.metadata.name} ${type}`);
        return ["z"];
      },
    })
    .reconcile(({ cache, causes }) => {
      seen.push(`${cache(Widgets).list().length} ${causes.map(({ why }) => why)}`);
    });
  world.start(manager);
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["1 listed", "map w listed"]);
  await world.namespace("b");
  await world.widgetIn("b", "v");
  await world.label("b", null);
  await world.pass(1_000);
  seen.length = 0;
  await world.label("b", "a");
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["map v listed", "2 listed"]);
  await world.label("b", null);
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["map v left", "1 left"]);
});

/** Lets namespaces join and leave, ten in a second. */
async function joinAndLeave(count: number): Promise<void> {
  await using world = await namespaceWorld();
  const names = Array.from({ length: count }, (_, i) => `n${i}`);
  for (const name of names) {
    await world.namespace(name, false);
    await world.widgetIn(name, "w");
  }
  const manager = world.selectingManager();
  const seen = ownMaps(manager);
  world.start(manager);
  await world.pass(1_000);
  assertEquals(seen, []);
  const series = () =>
    manager.metrics.text().split("\n").filter((line) => /^(reflector|informer)/.test(line)).length;
  for (let i = 0; i < names.length; i += 10) {
    for (const name of names.slice(i, i + 10)) await world.label(name, "a");
    await world.pass(1_000);
  }
  await world.pass(5_000);
  const reconciled = new Set(
    seen.filter((line) => line.endsWith("listed")).map((line) => line.split(" ")[0]),
  );
  assertEquals(reconciled.size, count, "a key is missing");
  const most = Math.max(...world.requestsTo.values());
  assert(most <= 2, `${most} requests for one namespace and kind`);
  const seriesBefore = series();
  world.requestsTo.clear();
  world.managerWrites.length = 0;
  const timers = world.clock.pendingTimers;
  for (let i = 0; i < names.length; i += 10) {
    for (const name of names.slice(i, i + 10)) await world.label(name, null);
    await world.pass(1_000);
  }
  await world.pass(60_000);
  assertEquals([...world.requestsTo.values()].length, 0, "a request for a namespace that has left");
  assertEquals(world.managerWrites, []);
  assertEquals(series(), seriesBefore);
  assert(world.clock.pendingTimers < timers);
  assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
}

Deno.test("fifty namespaces join and leave, with at most two requests for each and kind", () =>
  joinAndLeave(50));

nightlyTest(
  "five hundred namespaces join and leave in a minute, with at most two requests for each and kind",
  () => joinAndLeave(500),
);

Deno.test("Manager.rbac() prints one ClusterRole for the selected namespaces, and a binding for each named one", async () => {
  await using world = new World();
  const manager = world.manager({ name: "op", namespaces: { ...SELECTION, names: ["web"] } });
  manager.controller(Widgets).owns(ConfigMaps).needs(Secrets, ["get"]).reconcile(() => {});
  const documents = manager.rbac({ namespace: "ops" }).split("---\n");
  assertEquals(
    documents.map((text) =>
      [...text.matchAll(/^(?:kind| {2}name| {2}namespace): (.*)$/gm)].map(([, one]) => one).join(
        " ",
      )
    ),
    [
      "ServiceAccount op ops",
      "ClusterRole op",
      "ClusterRoleBinding op op",
      "ClusterRole op-namespaced",
      "RoleBinding op web op-namespaced",
    ],
  );
  assertStringIncludes(
    documents[1] ?? "",
    `rules:
  - apiGroups: [""]
    resources: [namespaces]
    verbs: [list, watch]
`,
  );
  assert(!documents[1]?.includes("configmaps"), "a right in all namespaces");
  assertStringIncludes(documents[3] ?? "", "resources: [secrets]");
  assertStringIncludes(
    documents[4] ?? "",
    "# Each namespace with the label team=a needs this binding:",
  );
  assertStringIncludes(documents[4] ?? "", "#   namespace: NAMESPACE");
});

Deno.test("the option namespaces rejects anything but names and a selection", async () => {
  await using world = new World();
  const of = (namespaces: unknown) => () => world.manager({ namespaces: namespaces as never });
  assertThrows(
    of({}),
    TypeError,
    'namespaces needs a label selector, as in { labelSelector: "team=a" }',
  );
  assertThrows(of({ labelSelector: "" }), TypeError, "needs a label selector");
  assertThrows(of({ labelSelector: 5 }), TypeError, "labelSelector");
  assertThrows(of({ labelSelector: "a in (" }), SyntaxError);
  assertThrows(of({ labelSelector: "a", names: [] }), TypeError, "list of names");
  assertThrows(of({ labelSelector: "a", label: "b" }), TypeError, "label");
  assertThrows(of("team=a"), TypeError, "list of names");
  assertThrows(of(null), TypeError);
});

Deno.test("an optional kind comes and goes in the namespaces that are selected then", async () => {
  await using world = new NamespaceWorld();
  for (const name of ["a", "b", "c"]) {
    await world.namespace(name, name === "a");
    await world.do(world.client.create(ConfigMaps, { metadata: { name: "m", namespace: name } }));
  }
  const manager = world.selectingManager();
  const seen: string[] = [];
  manager.controller(ConfigMaps, { name: "maps", fieldSelector: "metadata.name=m" })
    .watches(Widgets, { map: ({ metadata: { namespace } }) => [`${namespace}/m`], optional: true })
    .reconcile(({ key, cache }) => {
      const widgets = cache(Widgets);
      seen.push(
        `${key} ${widgets.isServed} ${widgets.list().map(({ metadata }) => metadata.namespace)}`,
      );
    });
  world.start(manager);
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["a/m false "]);
  await world.install();
  for (const name of ["a", "b", "c"]) await world.widgetIn(name, "w");
  await world.pass(1_000);
  assertEquals(seen.splice(0).at(-1), "a/m true a");
  await world.label("b", "a");
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["b/m true a,b"]);
  await world.do(world.client.delete(CustomResourceDefinitions, "widgets.acme.io"));
  await world.label("c", "a");
  await world.label("a", null);
  await world.pass(1_000);
  assertEquals(seen.splice(0).slice(-2).toSorted(), ["b/m false ", "c/m false "]);
  await world.install();
  await world.widgetIn("b", "w");
  await world.widgetIn("c", "w");
  await world.pass(1_000);
  assertEquals(seen.splice(0).at(-1), "c/m true b,c");
  assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
});

Deno.test("references are read in the namespaces that are selected, also if there are many", async () => {
  await using world = await namespaceWorld();
  for (const name of ["a", "b"]) {
    await world.namespace(name, name === "a");
    for (let i = 0; i < 30; i++) {
      const metadata = { name: `s${i}`, namespace: name };
      await world.do(world.client.create(Secrets, { metadata, stringData: { value: name } }));
    }
    await world.widgetIn(name, "w", 30);
  }
  const manager = world.selectingManager();
  const seen: string[] = [];
  manager.controller(Widgets)
    .references(Secrets, ({ spec }) => Array.from({ length: spec.size }, (_, i) => `s${i}`))
    .reconcile(({ key, namespace, cache, object }) => {
      const names = Array.from({ length: object.spec.size }, (_, i) => `s${i}`);
      const found = names.filter((name) => cache(Secrets).get(name, namespace) !== undefined);
      seen.push(`${key} ${found.length}`);
    });
  world.start(manager);
  await world.pass(5_000);
  assertEquals(new Set(seen.splice(0)), new Set(["a/w 30"]));
  await world.label("b", "a");
  await world.pass(30_000);
  assertEquals(new Set(seen.splice(0)), new Set(["b/w 30"]));
  await world.label("a", null);
  await world.pass(30_000);
  await world.do(world.client.patch(Widgets, "w", { spec: { size: 2 } }, { namespace: "a" }));
  await world.do(world.client.patch(Widgets, "w", { spec: { size: 3 } }, { namespace: "b" }));
  await world.pass(30_000);
  assertEquals(new Set(seen.splice(0)), new Set(["b/w 3"]));
  assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
});

Deno.test("shards have the keys of selected namespaces", async () => {
  await using world = await namespaceWorld();
  for (const name of ["a", "b"]) {
    await world.namespace(name, name === "a");
    await world.widgetIn(name, "w");
  }
  const seen: string[] = [];
  for (const identity of ["one", "two"]) {
    const sharding = { name: "op", namespace: "default", identity, shards: 4 };
    const manager = world.selectingManager({ name: identity, sharding });
    manager.controller(Widgets).reconcile(({ key }) => void seen.push(key));
    world.start(manager);
  }
  await world.pass(60_000);
  assertEquals(new Set(seen.splice(0)), new Set(["a/w"]));
  await world.label("b", "a");
  await world.label("a", null);
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["b/w"]);
});
