/** applyAll() and deleteAll() wait for objects with a UID, not for names, and for a limited time. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Client } from "@kubeloop/controller/client";
import { applyAll, ApplyError, deleteAll } from "@kubeloop/kubectl";
import { ConfigMaps, CustomResourceDefinitions, type Pod, Pods } from "@kubeloop/controller/types";
import { namespace, refusal, World } from "../_world.ts";
import { configMap, definition } from "./_objects.ts";

const held = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace, finalizers: ["example.com/hold"] },
};

async function failedWith(promise: Promise<unknown>, ...messages: string[]): Promise<void> {
  const error = await assertRejects(() => promise);
  assert(ApplyError.is(error));
  for (const message of messages) assertStringIncludes(error.message, message);
}

Deno.test("deleteAll() with wait does not wait for a new object of the same name", async () => {
  await using world = new World();
  const { client, clock } = world;
  for (const finalizers of [[], ["example.com/hold"]]) {
    const object = { ...held, metadata: { ...held.metadata, finalizers } };
    await world.run(client.create(ConfigMaps, object));
    // A controller creates the object again at once.
    let isGone = false;
    world.answer = (line, request) => {
      if (line !== "DELETE /api/v1/namespaces/default/configmaps/a") return undefined;
      if (isGone) return undefined;
      isGone = true;
      return (async () => {
        const answer = await world.server.fetch(request);
        if (finalizers.length === 0) await create();
        return answer;
      })() as never;
    };
    const create = () =>
      world.server.fetch(
        new Request("http://x/api/v1/namespaces/default/configmaps", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ metadata: { name: "a" } }),
        }),
      );
    const deleting = deleteAll(client, object, { wait: true });
    if (finalizers.length > 0) {
      await clock.advance(5_000);
      await world.run(
        client.patch(ConfigMaps, "a", { metadata: { finalizers: [] } }, { namespace }),
      );
      await create();
    }
    assertEquals((await world.run(deleting)).map(({ status }) => status), ["deleted"]);
    await world.run(client.get(ConfigMaps, "a", { namespace }));
    await world.run(client.delete(ConfigMaps, "a", { namespace }));
  }
});

Deno.test("deleteAll() fails for the objects that are not gone within timeoutMs", async () => {
  await using world = new World();
  const { client } = world;
  await world.run(client.create(ConfigMaps, held));
  const space = { apiVersion: "v1", kind: "Namespace", metadata: { name: "never" } };
  const start = world.clock.now();
  await failedWith(
    world.run(deleteAll(client, [space, held], { wait: true, timeoutMs: 30_000 })),
    "Cannot delete 2 of 2 objects",
    "deleteAll() timed out: it took longer than 30000 ms",
  );
  assertEquals(world.clock.now() - start, 30_000);
  assertEquals(world.clock.pendingTimers, 0);
  const stop = new AbortController();
  const options = { wait: true, signal: stop.signal };
  const aborted = assertRejects(() => deleteAll(client, held, options), Error, "enough");
  await world.clock.advance(1_000);
  stop.abort(new Error("enough"));
  await aborted;
});

Deno.test("deleteAll() checks its options", async () => {
  await using world = new World();
  for (
    const [options, message] of [
      [{ timeout: 5 }, 'did you mean "timeoutMs"?'],
      [{ timeoutMs: "5" }, "timeoutMs must be"],
      [{ wait: 1 }, "wait must be true or false"],
      [{ namespace: "" }, "namespace must be"],
      [null, "deleteAll() takes an object with options"],
    ] as const
  ) await assertRejects(() => deleteAll(world.client, held, options as never), Error, message);
  assertEquals(world.requests, []);
});

Deno.test("applyAll() fails after a minute for a definition whose names are taken", async () => {
  await using world = new World();
  const { client } = world;
  await world.run(client.create(CustomResourceDefinitions, definition("gadgets", "Gadget")));
  await world.clock.advance(10_000);
  const start = world.clock.now();
  await failedWith(
    world.run(applyAll(client, definition("others", "Gadget"))),
    "CustomResourceDefinition others.acme.io",
    "its names are taken (",
    '"GadgetList" is already in use',
  );
  assertEquals(world.clock.now() - start <= 1_000, true);
});

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace },
  spec: { containers: [{ name: "main", image: "nginx" }] },
};

Deno.test("applyAll() with wait fails for an object that is deleted or replaced meanwhile", async () => {
  for (const isReplaced of [false, true]) {
    await using world = new World();
    const { client } = world;
    const running = failedWith(
      applyAll(client, pod, { wait: true }),
      "Pod default/web: it was deleted while it was waited for",
    );
    await world.clock.advance(5_000);
    await world.run(client.delete(Pods, "web", { namespace, gracePeriodSeconds: 0 }));
    if (isReplaced) {
      await world.run(client.create(Pods, pod as Pod));
      const conditions = [{ type: "Ready", status: "True" as const }];
      await world.run(client.patchStatus(Pods, "web", { status: { conditions } }, { namespace }));
    }
    await world.run(running);
  }
});

Deno.test("Errors of applyAll() and deleteAll() hide credentials that a server repeats", async () => {
  const token = "secret-token-0123456789";
  const world = new World();
  await using _world = world;
  await using client = new Client({
    token,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/apis") {
        const version = { version: "v1", resources: [] };
        return Response.json({
          kind: "APIGroupDiscoveryList",
          items: [{ metadata: { name: token }, versions: [{ ...version, freshness: "Stale" }] }],
        });
      }
      return await world.server.fetch(new Request(request, { headers: {} }));
    },
  });
  const object = { apiVersion: `${token}/v1`, kind: token, metadata: { name: "a" } };
  for (const call of [applyAll, deleteAll]) {
    const error = await assertRejects(() => world.run(call(client, object) as Promise<unknown>));
    assert(ApplyError.is(error));
    for (const { message } of [error, ...error.errors]) {
      assert(!message.includes(token), message);
      assertStringIncludes(message, "(hidden)");
    }
  }
});

Deno.test("prune treats a member as gone if another object has its name", async () => {
  await using world = new World();
  const { client } = world;
  const options = { applySet: { name: "web" }, prune: true, namespace };
  await world.run(applyAll(client, [configMap("a"), configMap("b")], options));
  world.answer = (line) =>
    line === "DELETE /api/v1/namespaces/default/configmaps/a"
      ? refusal(409, "Conflict", "the UID in the precondition does not match")
      : undefined;
  const results = await world.run(applyAll(client, configMap("b"), options));
  assertEquals(results.map(({ name, status }) => `${name} ${status}`), ["b unchanged", "a pruned"]);
});
