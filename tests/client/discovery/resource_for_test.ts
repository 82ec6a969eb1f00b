import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Client, NoMatchError } from "@kubeloop/controller/client";
import { crd } from "@kubeloop/controller/operator";
import {
  CustomResourceDefinitions,
  defineResource,
  resourceName,
} from "@kubeloop/controller/types";
import { World as PlainWorld } from "../../support/world.ts";

const Widgets = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Widget",
  spec: { type: "object", properties: { size: { type: "integer" } } },
});

/** A world whose client records the paths of its requests. */
class World extends PlainWorld {
  readonly paths: string[] = [];
  readonly #change: (request: Request) => Request | Response;

  constructor(change: (request: Request) => Request | Response = (request) => request) {
    super();
    this.#change = change;
  }

  override async fetch(request: Request): Promise<Response> {
    this.paths.push(new URL(request.url).pathname);
    const changed = this.#change(request);
    return changed instanceof Request ? await this.server.fetch(changed) : changed;
  }
}

/** Turns a request into that of a client that knows nothing of aggregated discovery. */
function plainly(request: Request): Request {
  return new Request(request, { headers: { accept: "application/json" } });
}

for (const [form, change] of [["aggregated", undefined], ["per group", plainly]] as const) {
  Deno.test(`resourceFor() finds what kubectl accepts, by the ${form} discovery`, async () => {
    await using world = new World(change);
    const names = async (text: string) => {
      const { group, version, plural } = await world.until(world.client.resourceFor(text));
      return `${plural}.${version}.${group}`;
    };
    for (
      const [text, expected] of [
        ["pods", "pods.v1."],
        ["po", "pods.v1."],
        ["pod", "pods.v1."],
        ["Pod", "pods.v1."],
        ["pods.v1.", "pods.v1."],
        ["deploy", "deployments.v1.apps"],
        ["deploy.apps", "deployments.v1.apps"],
        ["Deployment.apps", "deployments.v1.apps"],
        ["deployments.v1.apps", "deployments.v1.apps"],
        ["deployments.app", "deployments.v1.apps"],
        ["ev", "events.v1."],
        ["events.events.k8s.io", "events.v1.events.k8s.io"],
        ["events.events", "events.v1.events.k8s.io"],
        ["hpa", "horizontalpodautoscalers.v2.autoscaling"],
        ["hpa.v1.autoscaling", "horizontalpodautoscalers.v1.autoscaling"],
        ["crd", "customresourcedefinitions.v1.apiextensions.k8s.io"],
        ["netpol", "networkpolicies.v1.networking.k8s.io"],
      ] as const
    ) assertEquals(await names(text), expected, text);
    const { kind, namespaced, singular, shortNames, categories, verbs, subresources } = await world
      .until(world.client.resourceFor({ apiVersion: "apps/v1", kind: "Deployment" }));
    assertEquals([kind, namespaced, singular], ["Deployment", true, "deployment"]);
    assertEquals([shortNames, categories], [["deploy"], ["all"]]);
    assert(verbs.includes("watch"));
    assertEquals([...subresources].sort(), ["scale", "status"]);
    const node = await world.until(world.client.resourceFor({ apiVersion: "v1", kind: "Node" }));
    assertEquals(node.namespaced, false);
    const all = await world.until(world.client.resourcesFor("all,po,secret"));
    const found = all.map(resourceName);
    assertEquals(found.filter((name) => name === "pods").length, 1);
    assertEquals(found.at(-1), "secrets");
    assertEquals(found.filter((name) => name.endsWith("autoscaling")).length, 1);
    if (change === undefined) assertEquals(world.paths.sort(), ["/api", "/apis"]);
    else assert(world.paths.includes("/apis/apps/v1"));
  });
}

Deno.test("All methods of a client take what resourceFor() returns", async () => {
  await using world = new World();
  const { client } = world;
  const call = { namespace: "default" };
  const maps = await world.until(client.resourceFor("configmaps"));
  const created = await world.until(
    client.create(maps, { metadata: { name: "a" }, data: { color: "red" } }, call),
  );
  assertEquals(created["data"], { color: "red" });
  const patched = await world.until(client.patch(maps, "a", { data: { color: "blue" } }, call));
  assertEquals(patched["data"], { color: "blue" });
  await world.until(
    client.apply(maps, { metadata: { name: "a" }, data: { size: "L" } }, {
      ...call,
      fieldManager: "tailor",
    }),
  );
  const { items } = await world.until(client.list(maps, call));
  assertEquals(items.map((item) => item["data"]), [{ color: "blue", size: "L" }]);
  await world.until(client.delete(maps, "a", call));
});

Deno.test("resourceFor() reads again when a kind is missing, and learns of a new definition", async () => {
  await using world = new World();
  const { client } = world;
  const widget = { apiVersion: "acme.io/v1", kind: "Widget" };
  await assertRejects(() => world.until(client.resourceFor(widget)), NoMatchError);
  await world.until(client.create(CustomResourceDefinitions, crd(Widgets)));
  await world.clock.advance(1000);
  const found = await world.until(client.observed({}).resourceFor(widget));
  assertEquals(resourceName(found), "widgets.acme.io");
  const before = world.paths.length;
  await world.until(client.resourceFor("widgets"));
  assertEquals(world.paths.length, before, "an observed client shares what it has found");
});

Deno.test("resourceFor() does not ask the server again and again for a kind that does not exist", async () => {
  await using world = new World();
  const { client } = world;
  for (let i = 0; i < 100; i++) {
    await assertRejects(() => world.until(client.resourceFor("gadgets")), NoMatchError);
  }
  assertEquals(world.paths.length, 20);
  await world.clock.advance(10_000);
  for (let i = 0; i < 100; i++) {
    await assertRejects(() => world.until(client.resourceFor("gadgets")), NoMatchError);
  }
  assertEquals(world.paths.length, 22);
});

Deno.test("Callers at the same time share one reading, which an abort of one does not end", async () => {
  await using world = new World();
  const { client } = world;
  const stop = new AbortController();
  const first = client.resourceFor("pods", { signal: stop.signal });
  const others = Array.from({ length: 20 }, () => client.resourceFor("deploy"));
  stop.abort(new Error("enough"));
  await assertRejects(() => first, Error, "enough");
  const found = await world.until(Promise.all(others));
  assertEquals(found.map(({ plural }) => plural), Array(20).fill("deployments"));
  assertEquals(world.paths.length, 2);
});

Deno.test("The error names the kind, and similar ones", async () => {
  await using world = new World();
  const fails = async (what: Parameters<Client["resourceFor"]>[0], message: string) => {
    const error = await assertRejects(() => world.until(world.client.resourceFor(what)), Error);
    assert(NoMatchError.is(error));
    assertEquals(error.message, message);
  };
  await fails(
    { apiVersion: "apps/v1beta1", kind: "Deployment" },
    'The server has no kind "Deployment" of "apps/v1beta1": it has Deployment of apps/v1',
  );
  await fails(
    { apiVersion: "apps/v1", kind: "Deploymnt" },
    'The server has no kind "Deploymnt" of "apps/v1": it has Deployment of apps/v1',
  );
  await fails(
    { apiVersion: "acme.io/v1", kind: "Spaceship" },
    'The server has no kind "Spaceship" of "acme.io/v1"',
  );
  await fails("deplyments", 'The server has no resource "deplyments": it has deployments.apps');
  await fails(
    "deployments.acme.io",
    'The server has no resource "deployments.acme.io": it has deployments.apps',
  );
});

Deno.test("A group whose server does not answer is missing, and the error says so", async () => {
  await using world = new World((request) =>
    new URL(request.url).pathname === "/apis/batch/v1"
      ? Response.json({ kind: "Status", code: 500, message: "backend is down" }, { status: 500 })
      : plainly(request)
  );
  assertEquals((await world.until(world.client.resourceFor("deploy"))).kind, "Deployment");
  const error = await assertRejects(() => world.until(world.client.resourceFor("jobs")));
  assertStringIncludes(String(error), "the resources of batch/v1 are unavailable");
});

Deno.test("A malformed discovery is an error, and is not kept", async () => {
  let isBroken = true;
  const bodies = [
    "<html>login</html>",
    "[]",
    "null",
    '{"kind":"APIGroupDiscoveryList","items":7}',
    '{"kind":"APIGroupDiscoveryList","items":[null,{"metadata":3,"versions":[{"version":1}]},' +
    '{"metadata":{"name":"x"},"versions":[{"version":"v1","resources":[{"resource":7},' +
    '{"resource":"a/b","responseKind":{"kind":"A"}},{"resource":"c"}]}]}]}',
  ];
  let body = "";
  await using world = new World((request) => isBroken ? new Response(body) : request);
  for (body of bodies) {
    const error = await assertRejects(() => world.until(world.client.resourceFor("pods")), Error);
    assert(/did not answer with API groups|has no resource "pods"/.test(error.message), body);
  }
  isBroken = false;
  assertEquals((await world.until(world.client.resourceFor("pods"))).kind, "Pod");
});

Deno.test("resourceFor() refuses what is neither a kind nor a name", async () => {
  await using world = new World();
  for (
    const [what, message] of [
      [undefined, "received undefined"],
      [7, "received 7"],
      ["", "Missing name of a resource"],
      [{ kind: "Pod" }, "Missing apiVersion of the kind"],
      [{ apiVersion: "v1", kind: 3 }, "Missing kind: expected a non-empty string, received 3"],
    ] as const
  ) {
    await assertRejects(() => world.client.resourceFor(what as string), TypeError, message);
  }
  await assertRejects(() => world.client.resourcesFor("po,,svc"), TypeError, "Missing name");
  await assertRejects(() => world.client.resourceFor("po", { timeoutMs: -1 }), RangeError);
  assertEquals(world.paths, []);
  await world.client.close();
  await assertRejects(() => world.client.resourceFor("po"), Error, "Client is closed");
});
