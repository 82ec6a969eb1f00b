import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  ConfigMaps,
  CustomResourceDefinitions,
  defineResource,
  type KubeObject,
  Manager,
  type ManagerOptions,
  metadataOf,
  type Resource,
} from "@kubeloop/controller";
import { delay } from "@kubeloop/controller/base";
import { namespace, Widgets, World } from "../_world.ts";

const DEFINITION = "widgets.acme.io";

/** A world that records the requests to the kind Widget, which is not installed. */
class OptionalWorld extends World {
  /** The requests to Widgets, except those of the test itself. */
  readonly requestsToKind: string[] = [];
  /** The requests of discovery. */
  readonly discoveries: string[] = [];

  /** Answers in place of the server. */
  answer: (request: Request) => Promise<Response> | undefined = () => undefined;

  /** Sends a request to the server. */
  direct(request: Request): Promise<Response> {
    return this.server.clientOptions.fetch(request) as Promise<Response>;
  }

  optionalManager(options: ManagerOptions = {}): Manager {
    const client = this.clientWith((request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname.endsWith("/widgets")) this.requestsToKind.push(pathname + search);
      if (pathname === "/apis/acme.io/v1") this.discoveries.push(pathname);
      return this.answer(request);
    });
    return new Manager(client, { namespaces: [namespace], ...options });
  }

  async uninstall(): Promise<void> {
    await this.do(this.client.delete(CustomResourceDefinitions, DEFINITION));
  }

  async configMap(name: string): Promise<void> {
    await this.do(this.client.create(ConfigMaps, { metadata: { name, namespace } }));
  }
}

function json(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = { "content-type": "application/json", ...headers };
  return Promise.resolve(new Response(text, { status, headers: all }));
}

/** Runs a manager that copies the sizes of Widgets, if there are any, and returns what it has seen. */
function watchWidgets(manager: Manager): string[] {
  const seen: string[] = [];
  manager.controller(ConfigMaps, { name: "maps", labelSelector: "!ignored" })
    .watches(Widgets, { map: (widget) => [`${namespace}/${widget.metadata.name}`], optional: true })
    .reconcile(({ key, cache, causes }) => {
      const widgets = cache(Widgets);
      const sizes = widgets.list().map(({ spec }) => spec.size);
      const why = [...new Set(causes.map(({ why }) => why))].join("+");
      seen.push(`${key} ${widgets.isServed ? `[${sizes}]` : "absent"} ${why}`);
    });
  return seen;
}

async function isReady(world: World, manager: Manager): Promise<string> {
  const response = await world.do(manager.handler(new Request("http://operator/readyz")));
  return `${response.status} ${await world.do(response.text())}`;
}

Deno.test("an optional kind that is absent neither delays the start nor gets a request", async () => {
  await using world = new OptionalWorld();
  await world.configMap("a");
  const manager = world.optionalManager();
  const seen = watchWidgets(manager);
  world.start(manager);
  await world.pass(1_000);
  assertStringIncludes(await isReady(world, manager), "200 ");
  assertStringIncludes(await isReady(world, manager), "widgets.acme.io is absent");
  assertEquals(seen, ["default/a absent listed"]);
  await world.pass(3_600_000);
  assertEquals(world.requestsToKind, []);
  // Once at the start, and then less and less often, up to every 30 s.
  assert(world.discoveries.length < 135, `${world.discoveries.length} requests of discovery`);
});

Deno.test("the cache of an optional kind starts within a second of its definition, and ends with it", async () => {
  await using world = new OptionalWorld();
  await world.configMap("a");
  const manager = world.optionalManager();
  const seen = watchWidgets(manager);
  world.start(manager);
  await world.pass(40_000);
  seen.length = 0;
  await world.install();
  await world.pass(1_000);
  assertEquals(seen, ["default/a [] served"]);
  await world.widget("a", 3);
  await world.pass(100);
  assertEquals(seen.splice(0), ["default/a [] served", "default/a [3] added"]);
  const before = world.requestsToKind.length;
  await world.uninstall();
  await world.pass(1_000);
  assertEquals(seen.at(-1), "default/a absent absent");
  // No object can be created while the definition is being deleted.
  assertEquals(seen[0], "default/a absent deleted");
  await world.pass(600_000);
  assertEquals(world.requestsToKind.length, before, "a request to the absent kind");
  assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
});

Deno.test("the objects of an optional kind whose version is no longer served are reported as deleted", async () => {
  await using world = new OptionalWorld();
  await world.configMap("a");
  await world.install();
  await world.widget("a", 3);
  const manager = world.optionalManager();
  const seen = watchWidgets(manager);
  world.start(manager);
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["default/a [3] listed"]);
  const definition = await world.do(world.client.get(CustomResourceDefinitions, DEFINITION));
  const versions = definition.spec.versions.map((one) => ({ ...one, served: false }));
  const update = (served: boolean) =>
    world.client.patch(CustomResourceDefinitions, DEFINITION, {
      spec: { versions: versions.map((one) => ({ ...one, served })) },
    } as never);
  const before = world.requestsToKind.length;
  await world.do(update(false));
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["default/a absent absent+deleted"]);
  assertEquals(world.requestsToKind.length, before);
  await world.do(update(true));
  await world.pass(1_000);
  assertEquals(seen.splice(0), ["default/a [3] served+listed"]);
});

Deno.test("a controller of an optional kind reconciles while the kind is there", async () => {
  await using world = new OptionalWorld();
  const manager = world.optionalManager({ name: "widgets" });
  const seen: string[] = [];
  manager.controller(Widgets, { optional: true })
    .owns(ConfigMaps)
    .reconcile(async ({ object, name, apply, status }) => {
      seen.push(`${name} ${object.spec.size}`);
      await apply(ConfigMaps, {
        metadata: { name: `w-${name}` },
        data: { size: `${object.spec.size}` },
      });
      status({ ready: object.spec.size });
    });
  world.start(manager);
  await world.pass(5_000);
  for (const round of [1, 2]) {
    await world.install();
    await world.widget(`a${round}`, round);
    await world.pass(1_500);
    const map = await world.do(world.client.get(ConfigMaps, `w-a${round}`, { namespace }));
    assertEquals(map.data, { size: `${round}` });
    await world.uninstall();
    await world.pass(20_000);
  }
  assertEquals([...new Set(seen)], ["a1 1", "a2 2"]);
  assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
});

Deno.test("apply() of an absent optional kind fails without a request, and succeeds when the kind has come", async () => {
  await using world = new OptionalWorld();
  await world.configMap("a");
  const manager = world.optionalManager();
  manager.controller(ConfigMaps, { name: "maps" })
    .owns(Widgets, { optional: true })
    .reconcile(async ({ name, apply, owned }) => {
      assertEquals(owned(Widgets).length <= 1, true);
      if (name === "kube-root-ca.crt") return;
      await apply(Widgets, { metadata: { name }, spec: { size: 1 } });
      return { prune: true };
    });
  world.start(manager);
  await world.pass(2_000);
  assertEquals(world.requestsToKind, []);
  assertStringIncludes(
    world.lines.join("\n"),
    'Cannot apply widgets.acme.io in controller "maps": the server does not serve the optional kind now',
  );
  await world.install();
  await world.pass(1_500);
  const made = await world.do(world.client.get(Widgets, "a", { namespace }));
  assertEquals(made.spec.size, 1);
});

Deno.test("references() to an optional kind work while it is there", async () => {
  await using world = new OptionalWorld();
  await world.do(
    world.client.create(ConfigMaps, { metadata: { name: "a", namespace }, data: { widget: "w" } }),
  );
  const manager = world.optionalManager();
  const seen: string[] = [];
  manager.controller(ConfigMaps, { name: "maps" })
    .references(Widgets, ({ data }) => data?.["widget"], { optional: true })
    .reconcile(({ name, namespace, cache }) => {
      if (name !== "a") return;
      const widgets = cache(Widgets);
      seen.push(`${widgets.isServed} ${widgets.get("w", namespace)?.spec.size}`);
    });
  world.start(manager);
  await world.pass(2_000);
  assertEquals(seen.splice(0), ["false undefined"]);
  assertEquals(world.requestsToKind, []);
  await world.install();
  await world.widget("w", 4);
  await world.pass(1_500);
  assertEquals(seen.splice(0).at(-1), "true 4");
  await world.uninstall();
  await world.pass(1_500);
  assertEquals(seen.splice(0).at(-1), "false undefined");
  await world.pass(600_000);
});

Deno.test("a manager needs a kind that one of its declarations needs", async () => {
  await using world = new OptionalWorld();
  const manager = world.optionalManager();
  watchWidgets(manager);
  manager.cache(Widgets);
  const running = world.start(manager);
  let failure = "";
  running.catch((error) => failure = error.message);
  await world.pass(1_000);
  assertStringIncludes(failure, "the server does not know widgets.acme.io in version v1");
});

Deno.test("a cache of an optional kind can be declared while the manager runs, and be removed", async () => {
  await using world = new OptionalWorld();
  const manager = world.optionalManager();
  world.start(manager);
  await world.pass(1_000);
  const cache = manager.cache(Widgets, { optional: true });
  await world.pass(1_000);
  assertEquals([cache.isServed, cache.list()], [false, []]);
  await world.install();
  await world.widget("a", 2);
  await world.pass(1_500);
  assertEquals([cache.isServed, cache.list().length], [true, 1]);
  await world.do(manager.removeCache(cache));
  await world.uninstall();
  await world.pass(60_000);
  assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
});

Deno.test("an optional kind without a definition is found by discovery", async () => {
  const Beta: Resource<KubeObject> = defineResource<KubeObject>({
    group: "apps",
    version: "v9beta1",
    plural: "sprockets",
    namespaced: true,
    kind: "Sprocket",
  });
  await using world = new OptionalWorld();
  let isServed = false;
  const paths: string[] = [];
  const client = world.clientWith((request) => {
    const { pathname, searchParams } = new URL(request.url);
    paths.push(pathname);
    if (!pathname.startsWith("/apis/apps/v9beta1")) return undefined;
    if (!isServed) return json({ kind: "Status", code: 404, reason: "NotFound" }, 404);
    if (pathname === "/apis/apps/v9beta1") {
      return json({ kind: "APIResourceList", resources: [{ name: "sprockets" }] });
    }
    if (searchParams.get("watch") !== null) return json({ kind: "Status", code: 504 }, 504);
    return json({ kind: "SprocketList", metadata: { resourceVersion: "5" }, items: [] });
  });
  const manager = new Manager(client);
  const cache = manager.cache(Beta, { optional: true });
  world.start(manager);
  await world.pass(60_000);
  assertEquals(cache.isServed, false);
  assert(!paths.includes("/apis/apps/v9beta1/sprockets"));
  assert(
    !paths.includes("/apis/apiextensions.k8s.io/v1/customresourcedefinitions"),
    "a useless watch",
  );
  isServed = true;
  await world.pass(60_000);
  assertEquals(cache.isServed, true);
  isServed = false;
  await world.pass(31_000);
  assertEquals(cache.isServed, false);
});

Deno.test("discovery that does not answer delays the start by ten seconds", async () => {
  await using world = new OptionalWorld();
  await world.configMap("a");
  await world.install();
  await world.widget("a", 3);
  world.answer = (request) =>
    new URL(request.url).pathname === "/apis/acme.io/v1" ? json("down", 503) : undefined;
  const manager = world.optionalManager();
  const seen = watchWidgets(manager);
  world.start(manager);
  await world.pass(9_000);
  assertEquals(seen, []);
  await world.pass(2_000);
  assertEquals(seen.splice(0), ["default/a absent listed"]);
  assertMatch(
    world.lines.join("\n"),
    /optional kinds are absent until discovery answers: GET \/apis\/acme.io\/v1: .*503/,
  );
  assertEquals(world.requestsToKind, []);
  world.answer = () => undefined;
  await world.pass(31_000);
  assertEquals(seen.at(-1), "default/a [3] served+listed");
});

Deno.test("the rights of a manager include the watch of definitions only if a kind is optional", async () => {
  await using world = new OptionalWorld();
  const rules = `  - apiGroups: [apiextensions.k8s.io]
    resources: [customresourcedefinitions]
    verbs: [list, watch]
`;
  const manager = world.optionalManager();
  watchWidgets(manager);
  assertStringIncludes(manager.rbac(), rules);
  const other = world.optionalManager();
  other.controller(ConfigMaps).watches(Widgets, { map: () => [] }).reconcile(() => {});
  assert(!other.rbac().includes("customresourcedefinitions"));
});

Deno.test("a hundred cycles of an optional kind leave nothing", async () => {
  await using world = new OptionalWorld();
  await world.configMap("a");
  const manager = world.optionalManager();
  const seen = watchWidgets(manager);
  world.start(manager);
  await world.pass(1_000);
  await world.install();
  const { spec } = await world.do(world.client.get(CustomResourceDefinitions, DEFINITION));
  await world.uninstall();
  const cycle = async () => {
    const definition = { metadata: { name: DEFINITION }, spec };
    await world.do(world.client.create(CustomResourceDefinitions, definition));
    await world.pass(200);
    assertEquals(seen.splice(0), ["default/a [] served"]);
    await world.uninstall();
    await world.pass(200);
    assertEquals(seen.splice(0), ["default/a absent absent"]);
  };
  const state = () => ({
    timers: world.clock.pendingTimers,
    series: manager.metrics.text().split("\n").length,
  });
  await world.pass(1_000);
  seen.length = 0;
  await cycle();
  await world.pass(60_000);
  const before = state();
  for (let i = 0; i < 100; i++) await cycle();
  await world.pass(60_000);
  assertEquals(state(), before);
});

Deno.test("Manager.cache() rejects an option optional that is not a flag", async () => {
  await using world = new OptionalWorld();
  const manager = world.optionalManager();
  let message = "";
  try {
    manager.cache(metadataOf(Widgets), { optional: "yes" as never });
  } catch (error) {
    message = (error as Error).message;
  }
  assertStringIncludes(message, "optional");
});

Deno.test("an optional kind whose storage is not ready is asked for again within a second", async () => {
  await using world = new OptionalWorld();
  let refusals = 3;
  world.answer = (request) =>
    new URL(request.url).pathname.endsWith("/widgets") && refusals-- > 0
      ? json({ kind: "Status", code: 429, message: "storage is (re)initializing" }, 429, {
        "retry-after": "1",
      })
      : undefined;
  const manager = world.optionalManager();
  const seen = watchWidgets(manager);
  await world.configMap("a");
  world.start(manager);
  await world.pass(2_000);
  seen.length = 0;
  await world.install();
  await world.pass(600);
  assertEquals(seen, ["default/a [] served"]);
});

Deno.test("an optional kind stays as it is while discovery answers nonsense", async () => {
  await using world = new OptionalWorld();
  await world.configMap("a");
  await world.install();
  await world.widget("a", 3);
  const manager = world.optionalManager();
  const seen = watchWidgets(manager);
  world.start(manager);
  await world.pass(1_000);
  for (const body of ["<html>", { kind: "APIResourceList" }, { resources: "all" }, 5, null]) {
    world.answer = (request) =>
      new URL(request.url).pathname === "/apis/acme.io/v1" ? json(body) : undefined;
    const labels = { changed: `${typeof body}` };
    await world.do(
      world.client.patch(CustomResourceDefinitions, DEFINITION, { metadata: { labels } } as never),
    );
    await world.pass(40_000);
  }
  assertEquals(seen, ["default/a [3] listed"]);
  assertStringIncludes(
    world.lines.join("\n"),
    "GET /apis/acme.io/v1 failed, so the optional kinds in it stay as they are",
  );
  world.answer = () => undefined;
  await world.uninstall();
  await world.pass(1_000);
  assertEquals(seen.at(-1), "default/a absent absent");
});

Deno.test("an optional kind is found without the right to watch definitions, if a bit later", async () => {
  await using world = new OptionalWorld();
  world.answer = (request) =>
    request.url.includes("/customresourcedefinitions")
      ? json({ kind: "Status", code: 403, reason: "Forbidden" }, 403)
      : undefined;
  await world.configMap("a");
  const manager = world.optionalManager();
  const seen = watchWidgets(manager);
  world.start(manager);
  await world.pass(60_000);
  assertEquals(seen.splice(0), ["default/a absent listed"]);
  await world.install();
  await world.pass(31_000);
  assertEquals(seen.splice(0), ["default/a [] served"]);
  // Only the end of the watch tells that the kind has gone.
  const before = world.requestsToKind.length;
  await world.uninstall();
  await world.pass(31_000);
  assertEquals(seen.at(-1), "default/a absent absent");
  assertEquals(world.requestsToKind.length, before, "a request to the absent kind");
});

Deno.test("a kind that discovery promises and the server does not have delays the start by ten seconds", async () => {
  await using world = new OptionalWorld();
  world.answer = (request) =>
    new URL(request.url).pathname === "/apis/acme.io/v1"
      ? json({ kind: "APIResourceList", resources: [{ name: "widgets" }] })
      : undefined;
  await world.configMap("a");
  const manager = world.optionalManager();
  const seen = watchWidgets(manager);
  world.start(manager);
  await world.pass(9_000);
  assertEquals(seen, []);
  await world.pass(2_000);
  assertEquals(seen, ["default/a absent listed"]);
  assertStringIncludes(world.lines.join("\n"), "starts without caches that have not synced");
});

Deno.test("a manager stops in the middle of everything that an optional kind does", async () => {
  for (let ms = 0; ms < 40; ms += 3) {
    await using world = new OptionalWorld();
    await world.configMap("a");
    world.answer = (request) => {
      if (request.method !== "GET") return undefined;
      return delay(5, { clock: world.clock }).then(() => world.direct(request));
    };
    const manager = world.optionalManager();
    watchWidgets(manager);
    const stop = new AbortController();
    const running = manager.run({ signal: stop.signal });
    running.catch(() => {});
    await world.pass(1_000);
    await world.install();
    await world.pass(ms);
    stop.abort();
    await world.do(running);
  }
});

Deno.test("a kind whose definition is gone is absent, although discovery lists it a while longer", async () => {
  await using world = new OptionalWorld();
  await world.configMap("a");
  await world.install();
  const manager = world.optionalManager();
  const seen = watchWidgets(manager);
  world.start(manager);
  await world.pass(1_000);
  seen.length = 0;
  world.answer = (request) =>
    new URL(request.url).pathname === "/apis/acme.io/v1"
      ? json({ kind: "APIResourceList", resources: [{ name: "widgets" }] })
      : undefined;
  const before = world.requestsToKind.length;
  await world.uninstall();
  await world.pass(5_000);
  assertEquals(seen, ["default/a absent absent"]);
  world.answer = () => undefined;
  await world.pass(60_000);
  assertEquals(seen, ["default/a absent absent"]);
  assertEquals(world.requestsToKind.length, before);
});

Deno.test("references() to an optional kind tell that it is there before an object names one", async () => {
  await using world = new OptionalWorld();
  await world.configMap("a");
  const manager = world.optionalManager();
  const seen: string[] = [];
  manager.controller(ConfigMaps, { name: "maps" })
    .references(Widgets, ({ data }) => data?.["widget"], { optional: true })
    .reconcile(({ cache, causes }) => {
      seen.push(`${cache(Widgets).isServed} ${causes.map(({ why }) => why)}`);
    });
  world.start(manager);
  await world.pass(1_000);
  await world.install();
  await world.pass(1_000);
  await world.uninstall();
  await world.pass(1_000);
  assertEquals(seen, ["false listed", "true served", "false absent"]);
  assertEquals(world.requestsToKind, []);
});

Deno.test("a controller of an optional kind removes its finalizers while the definition is being deleted", async () => {
  await using world = new OptionalWorld();
  const manager = world.optionalManager();
  const seen: string[] = [];
  manager.controller(Widgets, { optional: true })
    .finalizer("acme.io/bucket", { cleanup: ({ name }) => void seen.push(`cleanup ${name}`) })
    .reconcile(({ name }) => void seen.push(`reconcile ${name}`));
  world.start(manager);
  await world.pass(1_000);
  await world.install();
  await world.widget("a");
  await world.pass(1_000);
  await world.uninstall();
  await world.pass(5_000);
  assertEquals(seen, ["reconcile a", "cleanup a"]);
  const { items } = await world.do(world.client.list(CustomResourceDefinitions));
  assertEquals(items.map(({ metadata }) => metadata.name), []);
});
