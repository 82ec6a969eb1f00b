/** The names and the deletion of definitions, ratcheting and rules, as compared with a real server. */

import { assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";
import { HookedCluster } from "./webhooks/hooks.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS = "/apis/names.example.com/v1/namespaces/default";
const MERGE = "application/merge-patch+json";

function definition(plural: string, kind: string, shortNames: string[] = [], spec: object = {}) {
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", ...spec } } };
  return {
    metadata: { name: `${plural}.names.example.com` },
    spec: {
      group: "names.example.com",
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, shortNames },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function thing(kind: string, name: string, spec: object = {}, metadata: object = {}): object {
  return { apiVersion: "names.example.com/v1", kind, metadata: { name, ...metadata }, spec };
}

async function conditions(cluster: Cluster, plural: string): Promise<string[]> {
  const { json } = await cluster.get(`${DEFINITIONS}/${plural}.names.example.com`);
  return json.status.conditions.map((one: Record<string, string>) =>
    `${one["type"]} ${one["status"]} ${one["reason"]}: ${one["message"]}`
  );
}

Deno.test("a definition with a name that another one of its group has is not served", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple", ["a"]));
  await cluster.call("POST", DEFINITIONS, definition("pears", "Apple"));
  assertEquals(await conditions(cluster, "pears"), [
    'NamesAccepted False ListKindConflict: "AppleList" is already in use',
    "Established False NotAccepted: not all names are accepted",
  ]);
  const { json } = await cluster.get(`${DEFINITIONS}/pears.names.example.com`);
  assertEquals(json.status.acceptedNames, { plural: "pears", kind: "" });
  assertEquals((await cluster.get(`${THINGS}/pears`)).status, 404);
  await cluster.call("POST", DEFINITIONS, definition("plums", "Plum", ["a", "apple"]));
  assertEquals(await conditions(cluster, "plums"), [
    'NamesAccepted False ShortNamesConflict: ["a" is already in use, "apple" is already in use]',
    "Established False NotAccepted: not all names are accepted",
  ]);
});

Deno.test("a definition gets the names that it waits for when their owner is gone", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  await cluster.call("POST", DEFINITIONS, definition("pears", "Apple"));
  await cluster.call("DELETE", `${DEFINITIONS}/apples.names.example.com`);
  assertEquals(await conditions(cluster, "pears"), [
    "NamesAccepted True NoConflicts: no conflicts found",
    "Established True InitialNamesAccepted: the initial names have been accepted",
  ]);
  assertEquals((await cluster.get(`${THINGS}/pears`)).json.kind, "AppleList");
});

Deno.test("a definition that never was established is deleted at once", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  await cluster.call("POST", DEFINITIONS, definition("pears", "Apple"));
  await cluster.call("DELETE", `${DEFINITIONS}/pears.names.example.com`);
  assertEquals((await cluster.get(`${DEFINITIONS}/pears.names.example.com`)).status, 404);
  assertEquals((await cluster.get(`${THINGS}/apples`)).status, 200);
});

Deno.test("a deleted definition waits for the finalizers of its objects", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  const held = thing("Apple", "held", {}, { finalizers: ["example.com/hold"] });
  await cluster.call("POST", `${THINGS}/apples`, held);
  await cluster.call("POST", `${THINGS}/apples`, thing("Apple", "free"));
  await cluster.call("DELETE", `${DEFINITIONS}/apples.names.example.com`);
  assertEquals(
    (await conditions(cluster, "apples")).at(-1),
    "Terminating True InstanceDeletionInProgress: CustomResource deletion is in progress",
  );
  assertEquals((await cluster.get(`${THINGS}/apples/free`)).status, 404);
  const { json } = await cluster.get(`${THINGS}/apples/held`);
  assertEquals([typeof json.metadata.deletionTimestamp, json.metadata.generation], ["string", 2]);
  const late = await cluster.call("POST", `${THINGS}/apples`, thing("Apple", "late"));
  assertEquals(
    [late.status, late.json.message],
    [
      403,
      'apples.names.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
    ],
  );
  const free = { metadata: { finalizers: null } };
  await cluster.call("PATCH", `${THINGS}/apples/held`, free, { "content-type": MERGE });
  await cluster.clock.advance(5000);
  assertEquals((await cluster.get(`${DEFINITIONS}/apples.names.example.com`)).status, 404);
  assertEquals((await cluster.get(`${THINGS}/apples`)).status, 404);
});

Deno.test("the second deletion of a definition writes its grace period, and no later one writes", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  const held = thing("Apple", "held", {}, { finalizers: ["example.com/hold"] });
  await cluster.call("POST", `${THINGS}/apples`, held);
  const path = `${DEFINITIONS}/apples.names.example.com`;
  const remove = async (query = "") => {
    const before = cluster.server.resourceVersion;
    const { json, status } = await cluster.call("DELETE", `${path}${query}`);
    const { deletionGracePeriodSeconds, deletionTimestamp, finalizers } = json.metadata;
    return [
      status,
      typeof deletionTimestamp,
      deletionGracePeriodSeconds,
      finalizers?.length,
      before !== cluster.server.resourceVersion,
    ];
  };
  assertEquals(await remove("?dryRun=All"), [200, "string", undefined, 1, false]);
  assertEquals((await cluster.get(path)).json.metadata.deletionTimestamp, undefined);
  assertEquals(await remove(), [200, "string", undefined, 1, true]);
  assertEquals(await remove("?dryRun=All"), [200, "string", 0, 1, false]);
  assertEquals(await remove(), [200, "string", 0, 1, true]);
  const { resourceVersion } = (await cluster.get(path)).json.metadata;
  assertEquals(await remove(), [200, "string", 0, 1, false]);
  assertEquals((await cluster.get(path)).json.metadata.resourceVersion, resourceVersion);
});

Deno.test("an update that changes no names of a definition writes its status no second time", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  const path = `${DEFINITIONS}/apples.names.example.com`;
  await cluster.clock.advance(5000);
  const before = await cluster.get(path);
  const spec = { names: { categories: ["all"] } };
  await cluster.call("PATCH", path, { metadata: { labels: { a: "b" } } }, {
    "content-type": MERGE,
  });
  const labelled = await cluster.get(path);
  const versions = [before, labelled].map(({ json }) => Number(json.metadata.resourceVersion));
  assertEquals(versions[1]! - versions[0]!, 1);
  assertEquals(labelled.json.status, before.json.status);
  const from = cluster.server.resourceVersion;
  await using watch = await cluster.watch(`${DEFINITIONS}?resourceVersion=${from}`);
  await cluster.call("PATCH", path, { spec }, { "content-type": MERGE });
  await cluster.clock.settle();
  // The update, and the accepted names: established it was before.
  assertEquals(watch.lines.length, 2);
  assertEquals(watch.lines.at(-1)?.object.status.acceptedNames.categories, ["all"]);
  assertEquals(
    watch.lines.at(-1)?.object.status.conditions.map((one: Record<string, string>) =>
      one["lastTransitionTime"]
    ),
    before.json.status.conditions.map((one: Record<string, string>) => one["lastTransitionTime"]),
  );
  const schema = definition("apples", "Apple", [], { description: "new" }).spec.versions;
  await cluster.call("PATCH", path, { spec: { versions: schema } }, { "content-type": MERGE });
  await cluster.clock.settle();
  assertEquals(watch.lines.length, 3);
});

Deno.test("errors in unchanged values are not errors of an update, and broken rules there only warn", async () => {
  await using cluster = new Cluster();
  const spec = (max: number, rules: object[]) => ({
    properties: {
      x: { type: "integer" },
      list: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["n"],
        items: {
          type: "object",
          required: ["n"],
          properties: { n: { type: "string" }, v: { type: "string", maxLength: max } },
        },
      },
      plain: { type: "array", items: { type: "string", maxLength: max } },
    },
    "x-kubernetes-validations": rules,
  });
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple", [], spec(3, [])));
  const start = { x: 8, list: [{ n: "a", v: "abc" }, { n: "b" }], plain: ["abc", "d"] };
  await cluster.call("POST", `${THINGS}/apples`, thing("Apple", "a", start));
  const tight = definition(
    "apples",
    "Apple",
    [],
    spec(2, [{ rule: "self.x < 5", message: "small" }]),
  );
  const headers = { "content-type": MERGE };
  const path = `${DEFINITIONS}/apples.names.example.com`;
  await cluster.call("PATCH", path, { spec: tight.spec }, headers);
  const patch = async (body: object) => {
    const answer = await cluster.call("PATCH", `${THINGS}/apples/a`, body, headers);
    const causes = answer.json.details?.causes as { field: string; message: string }[] | undefined;
    const errors = (causes ?? []).map(({ field, message }) => `${field}: ${message}`);
    return [answer.status, answer.headers.get("warning"), ...errors];
  };
  assertEquals(await patch({ metadata: { labels: { a: "b" } } }), [
    200,
    '299 - "spec: Invalid value: small"',
  ]);
  // An item of a map list is compared with the one of its key; the rule of the changed spec is broken now.
  assertEquals(await patch({ spec: { list: [{ n: "b", v: "c" }, { n: "a", v: "abc" }] } }), [
    422,
    null,
    "spec: Invalid value: small",
  ]);
  // An item of another list is as new as the list.
  assertEquals((await patch({ spec: { x: 1, plain: ["abc", "e"] } })).slice(0, 3), [
    422,
    null,
    "spec.plain[0]: Too long: may not be more than 2 bytes",
  ]);
});

Deno.test("a changed definition ends no watch that was opened after the change", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  await using early = await cluster.watch(`${THINGS}/apples`);
  const spec = { names: { shortNames: ["a"] } };
  const path = `${DEFINITIONS}/apples.names.example.com`;
  await cluster.call("PATCH", path, { spec }, { "content-type": MERGE });
  await using late = await cluster.watch(`${THINGS}/apples`);
  await cluster.clock.advance(2000);
  assertEquals([early.ended, late.ended], ["closed", undefined]);
  await cluster.call("POST", `${THINGS}/apples`, thing("Apple", "a"));
  await cluster.clock.settle();
  assertEquals(late.events, ["ADDED a"]);
});

Deno.test("a deleted definition leaves no store, and a later one of its name no false history", async () => {
  await using cluster = new Cluster();
  const stores = async () => {
    const { text } = await cluster.get("/metrics");
    return text.split("\n").filter((line) => line.includes(`storage_objects{resource="apples`))
      .length;
  };
  const path = `${DEFINITIONS}/apples.names.example.com`;
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  await cluster.call("POST", `${THINGS}/apples`, thing("Apple", "a"));
  const before = cluster.server.resourceVersion;
  assertEquals(await stores(), 1);
  await cluster.call("DELETE", path);
  assertEquals(await stores(), 0);
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  assertEquals((await cluster.get(`${THINGS}/apples`)).json.items, []);
  const exact = `${THINGS}/apples?resourceVersion=${before}&resourceVersionMatch=Exact`;
  assertEquals((await cluster.get(exact)).status, 410);
  await using watch = await cluster.watch(`${THINGS}/apples?resourceVersion=${before}`);
  assertEquals(watch.lines.map(({ type, object }) => [type, object.code]), [["ERROR", 410]]);
});

Deno.test("objects that outlive their definition are there again with it, in its new form", async () => {
  await using cluster = new Cluster();
  const path = `${DEFINITIONS}/apples.names.example.com`;
  await cluster.call(
    "POST",
    DEFINITIONS,
    definition("apples", "Apple", [], {
      properties: { x: { type: "integer" } },
    }),
  );
  await cluster.call("POST", `${THINGS}/apples`, thing("Apple", "a", { x: 1 }));
  // A client that removes the cleanup finalizer keeps the server from deleting the objects.
  await cluster.call("PATCH", path, { metadata: { finalizers: ["example.com/hold"] } }, {
    "content-type": MERGE,
  });
  const held = { finalizers: ["example.com/hold"] };
  await cluster.call("PATCH", `${THINGS}/apples/a`, { metadata: held }, { "content-type": MERGE });
  await cluster.call("DELETE", path);
  const none = { metadata: { finalizers: null } };
  await cluster.call("PATCH", path, none, { "content-type": MERGE });
  assertEquals((await cluster.get(path)).status, 404);
  assertEquals((await cluster.get(`${THINGS}/apples`)).status, 404);
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  const { json } = await cluster.get(`${THINGS}/apples`);
  assertEquals(json.items.map(({ spec }: { spec: object }) => spec), [{}]);
});

Deno.test("a create that waits for a webhook while its definition is deleted is a 404, and stores nothing", async () => {
  await using cluster = new HookedCluster();
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  const { promise, resolve } = Promise.withResolvers<object>();
  const rules = [{
    operations: ["CREATE"],
    apiGroups: ["names.example.com"],
    apiVersions: ["v1"],
    resources: ["apples"],
  }];
  await cluster.hook("validating", "slow", () => promise, { rules });
  const create = cluster.fetch(`${THINGS}/apples`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(thing("Apple", "a")),
  });
  await cluster.clock.advance(1000);
  assertEquals(cluster.calls.length, 1);
  await cluster.call("DELETE", `${DEFINITIONS}/apples.names.example.com`);
  await cluster.call("POST", DEFINITIONS, definition("apples", "Apple"));
  resolve({});
  assertEquals((await cluster.clock.run(create)).status, 404);
  assertEquals((await cluster.get(`${THINGS}/apples`)).json.items, []);
});
