import { assert, assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const SITES = "/apis/example.com/v1/namespaces/default/sites";

function definition(versions: object[] = [version("v1", { storage: true })]): object {
  return {
    metadata: { name: "sites.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "sites", singular: "site", kind: "Site", listKind: "SiteList" },
      versions,
    },
  };
}

function version(name: string, rest: object = {}): object {
  const spec = {
    type: "object",
    required: ["image"],
    properties: {
      image: { type: "string" },
      replicas: { type: "integer", minimum: 0, default: 1 },
      color: { type: "string" },
    },
  };
  const status = { type: "object", properties: { replicas: { type: "integer" } } };
  return {
    name,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { type: "object", properties: { spec, status } } },
    subresources: {
      status: {},
      scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
    },
    selectableFields: [{ jsonPath: ".spec.color" }],
    ...rest,
  };
}

function site(name: string, spec: object = { image: "i" }, metadata: object = {}): object {
  return { apiVersion: "example.com/v1", kind: "Site", metadata: { name, ...metadata }, spec };
}

Deno.test("a definition is served at once after its write, and its conditions report that", async () => {
  await using cluster = new Cluster();
  assertEquals((await cluster.get(SITES)).text, "404 page not found\n");
  const created = await cluster.call("POST", DEFINITIONS, definition());
  assertEquals([created.status, created.json.status.conditions], [201, null]);
  const { json } = await cluster.get(`${DEFINITIONS}/sites.example.com`);
  assertEquals(
    json.status.conditions.map((one: { type: string; status: string }) =>
      `${one.type} ${one.status}`
    ),
    ["NamesAccepted True", "Established True"],
  );
  assertEquals((await cluster.get(SITES)).json.kind, "SiteList");
  const groups = await cluster.get("/apis");
  assert(groups.json.groups.some((group: { name: string }) => group.name === "example.com"));
});

Deno.test("custom resources are defaulted, pruned and validated, and their generation is counted", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition());
  const created = await cluster.call("POST", SITES, site("a", { image: "i", bogus: 1 }));
  assertEquals(created.json.spec, { image: "i", replicas: 1 });
  assertEquals(created.headers.get("warning"), '299 - "unknown field \\"spec.bogus\\""');
  assertEquals((await cluster.call("POST", SITES, site("b", {}))).status, 422);
  const changed = await cluster.merge(`${SITES}/a`, {
    spec: { replicas: 2 },
    status: { replicas: 9 },
  });
  assertEquals([changed.json.metadata.generation, changed.json.status], [2, undefined]);
  const status = await cluster.merge(`${SITES}/a/status`, { status: { replicas: 2 }, spec: {} });
  assertEquals([status.json.metadata.generation, status.json.status], [2, { replicas: 2 }]);
});

Deno.test("a PUT of a custom resource needs a resource version, and never creates it", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition());
  const { json } = await cluster.call("POST", SITES, site("a"));
  assertEquals((await cluster.call("PUT", `${SITES}/a`, site("a", { image: "j" }))).status, 422);
  assertEquals((await cluster.call("PUT", `${SITES}/b`, site("b"))).status, 404);
  const replaced = await cluster.call("PUT", `${SITES}/a`, { ...json, spec: { image: "j" } });
  assertEquals([replaced.status, replaced.json.spec], [200, { image: "j", replicas: 1 }]);
});

Deno.test("scale reads and writes the paths of the definition", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition());
  const { json } = await cluster.call("POST", SITES, site("a"));
  const scaled = await cluster.merge(`${SITES}/a/scale`, { spec: { replicas: 5 } });
  assertEquals([scaled.json.kind, scaled.json.spec.replicas], ["Scale", 5]);
  assertEquals((await cluster.get(`${SITES}/a`)).json.spec.replicas, 5);
  const stale = await cluster.merge(`${SITES}/a/scale`, {
    metadata: { resourceVersion: json.metadata.resourceVersion },
    spec: { replicas: 6 },
  });
  assertEquals(stale.status, 409);
  const negative = await cluster.merge(`${SITES}/a/scale`, { spec: { replicas: -1 } });
  assertEquals([negative.status, negative.json.details.kind], [422, "Site"]);
});

Deno.test("scale of a custom resource needs no resource version, but a value at its path", async () => {
  await using cluster = new Cluster();
  const scale = { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" };
  const spec = { type: "object", properties: { size: { type: "integer" } } };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const versions = [
    version("v1", { storage: true, schema, subresources: { scale }, selectableFields: [] }),
  ];
  await cluster.call("POST", DEFINITIONS, definition(versions));
  await cluster.call("POST", SITES, site("a", {}));
  const unset = await cluster.get(`${SITES}/a/scale`);
  const missing = 'the spec replicas field ".spec.size" does not exist';
  assertEquals([unset.status, unset.json.details.causes], [500, [{ message: missing }]]);
  const put = await cluster.call("PUT", `${SITES}/a/scale`, {
    metadata: { name: "a" },
    spec: { replicas: 2 },
  });
  assertEquals([put.status, put.json.spec], [200, { replicas: 2 }]);
  assertEquals((await cluster.get(`${SITES}/a`)).json.spec, { size: 2 });
  const wrong = await cluster.call("PUT", `${SITES}/none/scale`, site("none"));
  assertEquals(wrong.status, 400);
  const strategic = { "content-type": "application/strategic-merge-patch+json" };
  const patch = { spec: { replicas: 3 } };
  assertEquals((await cluster.call("PATCH", `${SITES}/a/scale`, patch, strategic)).status, 415);
  const html = { accept: "text/html" };
  assertEquals((await cluster.call("GET", `${SITES}/a/nope`, undefined, html)).status, 404);
});

Deno.test("custom resources are selected by the selectable fields of the definition", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition());
  await cluster.call("POST", SITES, site("a", { image: "i", color: "red" }));
  await cluster.call("POST", SITES, site("b", { image: "i", color: "blue" }));
  const red = await cluster.get(`${SITES}?fieldSelector=spec.color%3Dred`);
  assertEquals(red.json.items.length, 1);
  assertEquals((await cluster.get(`${SITES}?fieldSelector=spec.image%3Di`)).status, 400);
});

Deno.test("all versions show the same objects, in lists and watches", async () => {
  await using cluster = new Cluster();
  const versions = [version("v1", { storage: true }), version("v2")];
  await cluster.call("POST", DEFINITIONS, definition(versions));
  const newer = SITES.replace("/v1/", "/v2/");
  await using watch = await cluster.watch(newer);
  await cluster.call("POST", SITES, site("a"));
  const written = await cluster.call("POST", newer, {
    ...site("b"),
    apiVersion: "example.com/v2",
  });
  await cluster.clock.settle();
  assertEquals(written.json.apiVersion, "example.com/v2");
  assertEquals((await cluster.get(`${SITES}/b`)).json.apiVersion, "example.com/v1");
  assertEquals(watch.events, ["ADDED a", "ADDED b"]);
  assertEquals(watch.lines.map(({ object }) => object.apiVersion), [
    "example.com/v2",
    "example.com/v2",
  ]);
});

Deno.test("a changed definition ends the watches of its resource after a second", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition());
  await using watch = await cluster.watch(SITES);
  await cluster.merge(`${DEFINITIONS}/sites.example.com`, { metadata: { labels: { a: "b" } } });
  await cluster.clock.advance(5000);
  assertEquals(watch.ended, undefined);
  await cluster.merge(`${DEFINITIONS}/sites.example.com`, {
    spec: { versions: [version("v1", { storage: true }), version("v2")] },
  });
  await cluster.clock.advance(999);
  assertEquals(watch.ended, undefined);
  await cluster.clock.advance(1);
  assertEquals([watch.ended, watch.lines], ["closed", []]);
});

Deno.test("deleting a definition deletes its objects, and then stops serving its paths", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition());
  await cluster.call("POST", SITES, site("b"));
  await cluster.call("POST", SITES, site("a"));
  await using watch = await cluster.watch(
    `${SITES}?resourceVersion=${cluster.server.resourceVersion}`,
  );
  const deleted = await cluster.call("DELETE", `${DEFINITIONS}/sites.example.com`);
  assertEquals(deleted.json.metadata.finalizers, ["customresourcecleanup.apiextensions.k8s.io"]);
  await cluster.clock.advance(1000);
  assertEquals([watch.events, watch.ended], [["DELETED a", "DELETED b"], "closed"]);
  assertEquals((await cluster.get(SITES)).status, 404);
  assertEquals((await cluster.get(`${DEFINITIONS}/sites.example.com`)).status, 404);
  await cluster.call("POST", DEFINITIONS, definition());
  assertEquals((await cluster.get(SITES)).json.items, []);
});

Deno.test("a schema says nothing of metadata but of names", async () => {
  await using cluster = new Cluster();
  const reason = /must not specify anything other than name and generateName/;
  for (
    const [metadata, isFine] of [
      [{ properties: { name: { type: "string" } } }, true],
      [{ description: "the usual", properties: { generateName: { type: "string" } } }, true],
      [{ properties: { labels: { type: "object" } } }, false],
      [{ properties: { name: { type: "string" } }, minProperties: 1 }, false],
      [{ properties: { labels: { type: "object" } }, minProperties: 1 }, false],
    ] as const
  ) {
    const openAPIV3Schema = {
      type: "object",
      properties: { metadata: { type: "object", ...metadata } },
    };
    const { status, text } = await cluster.call(
      "POST",
      `${DEFINITIONS}?dryRun=All`,
      definition([{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }]),
    );
    const what = JSON.stringify(metadata);
    assertEquals([status, reason.test(text)], isFine ? [201, false] : [422, true], what);
  }
});
