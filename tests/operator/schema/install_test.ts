import { assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";
import { silentLogger } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { crd, installDefinitions } from "../../../src/operator/mod.ts";
import { ApiServer, VirtualClock } from "../../../src/testing/mod.ts";
import { CustomResourceDefinitions, defineResource } from "../../../src/types/mod.ts";
import { Widgets as TwoVersions } from "./_definitions.ts";

/** Widgets whose versions need no webhook, as their author says. */
const Widgets = defineResource({ ...TwoVersions.definition, conversion: "None" });

const Gadgets = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Gadget",
  namespaced: false,
  spec: z.object({ on: z.boolean().default(true) }),
});

/** A server, and a client whose writes are counted. */
function setUp() {
  const server = new ApiServer({ logger: silentLogger });
  const writes: string[] = [];
  const client = new Client({
    fetch: (request) => {
      if (request.method !== "GET") {
        writes.push(`${request.method} ${new URL(request.url).pathname.split("/").at(-1)}`);
      }
      return server.fetch(request);
    },
  });
  return {
    server,
    client,
    writes,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}

Deno.test("installDefinitions() installs the definitions, and the server then serves the resources", async () => {
  await using world = setUp();
  const { client, writes } = world;
  const installed = await installDefinitions(client, [Widgets, Gadgets]);
  assertEquals(installed.map(({ metadata }) => metadata.name), [
    "widgets.acme.io",
    "gadgets.acme.io",
  ]);
  const { spec } = await client.create(Gadgets, { metadata: { name: "a" }, spec: {} });
  assertEquals(spec.on, true);
  assertEquals(writes, ["PATCH widgets.acme.io", "PATCH gadgets.acme.io", "POST gadgets"]);
});

Deno.test("installDefinitions() writes nothing if the definitions are as they should be", async () => {
  await using world = setUp();
  const { client, writes } = world;
  await installDefinitions(client, [Widgets, Gadgets]);
  writes.length = 0;
  await installDefinitions(client, [Widgets, crd(Gadgets)]);
  assertEquals(writes, []);
});

Deno.test("installDefinitions() updates a changed schema, also if a field goes away, and keeps what others set", async () => {
  await using world = setUp();
  const { client, writes } = world;
  await installDefinitions(client, [Gadgets]);
  await client.patch(CustomResourceDefinitions, "gadgets.acme.io", {
    metadata: { annotations: { note: "mine" } },
  });
  const other = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Gadget",
    namespaced: false,
    spec: z.object({}),
  });
  writes.length = 0;
  const [installed] = await installDefinitions(client, [other]);
  assertEquals(writes, ["PATCH gadgets.acme.io"]);
  assertEquals(installed?.spec.versions[0]?.schema, crd(other).spec.versions[0]?.schema);
  assertEquals(installed?.metadata.annotations, { note: "mine" });
});

Deno.test("installDefinitions() reports a name that is taken at once, with the definition", async () => {
  // As a real server answers. The in-process one lets the second definition have the name too.
  const conditions = [{
    type: "NamesAccepted",
    status: "False",
    reason: "KindConflict",
    message: '"Widget" is already in use',
  }];
  await using client = new Client({
    fetch: () => Promise.resolve(Response.json({ ...crd(Widgets), status: { conditions } })),
  });
  const error = await assertRejects(() => installDefinitions(client, [Widgets]), Error);
  assertEquals(
    error.message,
    'Cannot install the CustomResourceDefinition widgets.acme.io: its names are taken (KindConflict): "Widget" is already in use: delete the other CustomResourceDefinition, or choose other names',
  );
});

Deno.test("installDefinitions() says which right is missing, and for which definition", async () => {
  const forbidden = (verb: string) =>
    `User "x" cannot ${verb} resource "customresourcedefinitions"`;
  const answers =
    (method: string, code: number, reason: string, message: string) => (request: Request) =>
      Promise.resolve(
        request.method === method
          ? Response.json({ kind: "Status", status: "Failure", code, reason, message }, {
            status: code,
          })
          : Response.json({ kind: "Status", code: 404, reason: "NotFound" }, { status: 404 }),
      );
  for (
    const [method, verb, right] of [["GET", "get", "get"], ["PATCH", "patch", "create and patch"]]
  ) {
    await using client = new Client({
      fetch: answers(method!, 403, "Forbidden", forbidden(verb!)),
      logger: silentLogger,
    });
    const error = await assertRejects(() => installDefinitions(client, [Widgets]), Error);
    assertEquals(
      error.message,
      `Cannot install the CustomResourceDefinition widgets.acme.io: the right to ${right} customresourcedefinitions.apiextensions.k8s.io is missing: ${
        forbidden(verb!)
      }`,
    );
  }
});

Deno.test("installDefinitions() writes nothing if one of the definitions cannot be expressed", async () => {
  await using world = setUp();
  const { client, writes } = world;
  const bad = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Bad",
    spec: z.object({ at: z.date() }),
  });
  await assertRejects(() => installDefinitions(client, [Widgets, bad]), TypeError, "Bad.spec.at");
  assertEquals(writes, []);
});

/** A client of a server that never establishes a definition, on a virtual clock. */
function never(clock: VirtualClock): Client {
  return new Client({ fetch: () => Promise.resolve(Response.json(crd(Widgets))), clock });
}

Deno.test("installDefinitions() gives up after its time limit, with the state of the definition", async () => {
  const clock = new VirtualClock();
  await using client = never(clock);
  const installed = assertRejects(
    () => installDefinitions(client, [Widgets], { timeoutMs: 5000 }),
    DOMException,
    "The CustomResourceDefinition widgets.acme.io is not established within 5000 ms: it has no conditions yet",
  );
  await clock.run(installed);
  assertEquals(clock.now() < 5100, true);
});

Deno.test("installDefinitions() stops with the reason of its signal", async () => {
  const clock = new VirtualClock();
  await using client = never(clock);
  const abort = new AbortController();
  const stopped = installDefinitions(client, [Widgets], { signal: abort.signal }).catch((e) => e);
  const reason = new Error("enough");
  clock.setTimer(() => abort.abort(reason), 2000);
  assertEquals(await clock.run(stopped), reason);
  assertEquals(
    await installDefinitions(client, [Widgets], { signal: abort.signal }).catch((e) => e),
    reason,
  );
});
