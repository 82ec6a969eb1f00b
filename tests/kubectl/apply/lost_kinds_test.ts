/** Kinds of an API group that is not available are neither absent nor forgotten. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Client } from "@kubeloop/controller/client";
import { applyAll, ApplyError, deleteAll, type DeleteResult } from "@kubeloop/kubectl";
import { ConfigMaps, CustomResourceDefinitions } from "@kubeloop/controller/types";
import { namespace, World } from "../_world.ts";
import { configMap, definition } from "./_objects.ts";

const gadget = (name: string) => ({
  apiVersion: "acme.io/v1",
  kind: "Gadget",
  metadata: { name, namespace },
});
/** A server without aggregated discovery, whose group `acme.io` may be unavailable, and new clients. */
class LostWorld extends World {
  isLost = false;

  async setUp(): Promise<void> {
    await this.run(this.client.create(CustomResourceDefinitions, definition("gadgets", "Gadget")));
    await this.clock.advance(10_000);
    this.answer = (line) => {
      if (line === "GET /apis") {
        const versions = [{ groupVersion: "acme.io/v1", version: "v1" }];
        return Response.json({ kind: "APIGroupList", groups: [{ name: "acme.io", versions }] });
      }
      return this.isLost && line.startsWith("GET /apis/acme.io/v1")
        ? new Response("service unavailable", { status: 503 })
        : undefined;
    };
  }

  /** Calls `use` with a new client, which reads the discovery again. */
  async with<R>(use: (client: Client) => Promise<R>): Promise<R> {
    await using client = new Client({
      ...this.server.clientOptions,
      fetch: async (request) => {
        const line = `${request.method} ${new URL(request.url).pathname}`;
        return this.answer(line, request) ?? await this.server.fetch(request);
      },
    });
    return await this.run(use(client));
  }
}

Deno.test("prune remembers the kinds of an unavailable API group, and prunes their objects the next time", async () => {
  await using world = new LostWorld();
  await world.setUp();
  const options = { applySet: { name: "web" }, prune: true, namespace };
  await world.with((client) =>
    applyAll(client, [gadget("g"), configMap("a"), configMap("b")], options)
  );
  world.isLost = true;
  for (const dryRun of [true, false]) {
    const error = await assertRejects(() =>
      world.with((client) => applyAll(client, configMap("a"), { ...options, dryRun }))
    );
    assert(ApplyError.is(error));
    // The members of available kinds are pruned.
    assertEquals(error.results.map(({ name, status }) => `${name} ${status}`), [
      "a unchanged",
      "b pruned",
      "web failed",
    ]);
    assertStringIncludes(error.message, "cannot tell whether there is something to prune");
    assertStringIncludes(error.message, "the resources of acme.io/v1 are unavailable");
  }
  world.isLost = false;
  const results = await world.with((client) => applyAll(client, configMap("a"), options));
  assertEquals(results.map(({ name, status }) => `${name} ${status}`), ["a unchanged", "g pruned"]);
  const { metadata } = await world.run(world.client.get(ConfigMaps, "web", { namespace }));
  assertEquals(metadata.annotations?.["applyset.kubernetes.io/contains-group-kinds"], "ConfigMap");
});

Deno.test("prune removes kinds from the set that the server no longer serves", async () => {
  await using world = new LostWorld();
  await world.setUp();
  const options = { applySet: { name: "web" }, prune: true, namespace };
  await world.with((client) => applyAll(client, [gadget("g"), configMap("a")], options));
  world.answer = (line) =>
    line === "GET /apis" ? Response.json({ kind: "APIGroupList", groups: [] }) : undefined;
  const results = await world.with((client) => applyAll(client, configMap("a"), options));
  assertEquals(results.map(({ name, status }) => `${name} ${status}`), ["a unchanged"]);
});

Deno.test("deleteAll() fails for an object of an unavailable API group, and does not report it as absent", async () => {
  await using world = new LostWorld();
  await world.setUp();
  await world.with((client) => applyAll(client, gadget("g"), { namespace }));
  world.isLost = true;
  const other = { apiVersion: "other.io/v1", kind: "Thing", metadata: { name: "t" } };
  const error = await assertRejects(() =>
    world.with((client) => deleteAll(client, [gadget("g"), other], { namespace }))
  );
  assert(ApplyError.is(error));
  const results = error.results as unknown as DeleteResult[];
  assertEquals(results.map(({ name, status }) => `${name} ${status}`).sort(), [
    "g failed",
    "t absent",
  ]);
  assertStringIncludes(error.message, "the resources of acme.io/v1 are unavailable");
  world.isLost = false;
  const [deleted] = await world.with((client) => deleteAll(client, gadget("g"), { namespace }));
  assertEquals(deleted?.status, "deleted");
});

Deno.test("A dry run fails for an object of an unavailable API group, and does not report it as created", async () => {
  await using world = new LostWorld();
  await world.setUp();
  world.isLost = true;
  const space = { apiVersion: "v1", kind: "Namespace", metadata: { name: "new" } };
  const inside = { ...gadget("g"), metadata: { name: "g", namespace: "new" } };
  const error = await assertRejects(() =>
    world.with((client) => applyAll(client, [space, inside], { dryRun: true }))
  );
  assert(ApplyError.is(error));
  assertEquals(error.results.map(({ status }) => status), ["created", "failed"]);
});
