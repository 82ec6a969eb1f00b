/** Requests and deliveries have turns of the event loop of their own when the clock gives them. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiServer, VirtualClock } from "../../../src/testing/mod.ts";
import { forEachSeed } from "../../support/seeded_runs.ts";

const MAPS = "http://cluster/api/v1/namespaces/default/configmaps";

function create(server: ApiServer, name: string, agent: string): Promise<Response> {
  return server.fetch(MAPS, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": agent },
    body: JSON.stringify({ metadata: { name } }),
  });
}

/** Returns the names of the ConfigMaps in the order of their creation. */
function written(server: ApiServer): string {
  const maps = {
    group: "",
    version: "v1",
    plural: "configmaps",
    kind: "ConfigMap",
    namespaced: true,
  };
  return server.objects(maps).filter(({ metadata }) => metadata.namespace === "default")
    .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    .map(({ metadata }) => metadata.name).join(" ");
}

/** Spends some microtasks, as the bodies of a runtime do. */
async function microtasks(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await undefined;
}

Deno.test("ApiServer handles concurrent requests in an order that no number of microtasks changes", async () => {
  for (const [slow, fast] of [["a", "b"], ["b", "a"]] as const) {
    await using server = new ApiServer({ clock: new VirtualClock(), random: { next: () => 0.5 } });
    const late = microtasks(50).then(() => create(server, slow, `agent-${slow}`));
    await Promise.all([create(server, fast, `agent-${fast}`), late]);
    assertEquals(written(server), "a b");
  }
});

Deno.test("ApiServer orders requests by their bodies too, and equal ones as they come", async () => {
  for (const asRequest of [false, true]) {
    for (const names of [["a", "b"], ["b", "a"]] as const) {
      await using server = new ApiServer({
        clock: new VirtualClock(),
        random: { next: () => 0.5 },
      });
      const create = (name: string) => {
        const body = JSON.stringify({ metadata: { name } });
        const headers = { "content-type": "application/json" };
        const init = { method: "POST", headers, body };
        return asRequest ? server.fetch(new Request(MAPS, init)) : server.fetch(MAPS, init);
      };
      const calls = [create(names[0]), microtasks(50).then(() => create(names[1]))];
      const statuses = (await Promise.all([...calls, create(names[0])])).map(({ status }) =>
        status
      );
      assertEquals(statuses, [201, 201, 409]);
      assertEquals(written(server), "a b");
    }
  }
});

Deno.test("ApiServer orders concurrent requests in another way for each seed", async () => {
  const orders = new Map<string, number>();
  await forEachSeed(60, async (random) => {
    const run = async () => {
      await using server = new ApiServer({ clock: new VirtualClock(), random });
      await Promise.all(["a", "b", "c"].map((name) => create(server, name, name)));
      return written(server);
    };
    const order = await run();
    assertEquals(await run(), order);
    orders.set(order, (orders.get(order) ?? 0) + 1);
  });
  assertEquals(orders.size, 6);
});

Deno.test("ApiServer delivers an event to one reader per turn, in the order of the watches", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock, random: { next: () => 0.5 } });
  const seen: string[] = [];
  const stop = new AbortController();
  const read = async (i: number, body: ReadableStream<Uint8Array>) => {
    for await (const _ of body) {
      seen.push(`reader ${i}`);
      // The chain of one reader is over before the next reader is woken up.
      await microtasks(20 * (3 - i));
      seen.push(`end of ${i}`);
    }
  };
  const readers: Promise<void>[] = [];
  for (const i of [0, 1, 2]) {
    const { body } = await server.fetch(`${MAPS}?watch=1`, { signal: stop.signal });
    readers.push(read(i, body!));
  }
  await create(server, "a", "agent");
  await clock.settle();
  assertEquals(seen.join(), [0, 1, 2].map((i) => `reader ${i},end of ${i}`).join());
  stop.abort(new Error("over"));
  for (const reader of readers) await assertRejects(() => reader, Error, "over");
});

Deno.test("ApiServer does not carry out a request that is aborted before its turn", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await create(server, "a", "agent");
  const stop = new AbortController();
  const { resourceVersion } = server;
  const call = server.fetch(`${MAPS}/a`, { method: "DELETE", signal: stop.signal });
  stop.abort(new Error("never mind"));
  await assertRejects(() => call, Error, "never mind");
  await clock.settle();
  assertEquals(server.resourceVersion, resourceVersion);
});

Deno.test("ApiServer ends its watches with what was written before, also when nothing else runs", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = [];
  for (let i = 0; i < 2; i++) {
    readers.push((await server.fetch(`${MAPS}?watch=1`)).body!.getReader());
  }
  await create(server, "a", "agent");
  server.closeWatches();
  assertEquals(server.openWatches, 0);
  for (const reader of readers) {
    const { value } = await reader.read();
    assert(new TextDecoder().decode(value).includes('"name":"a"'));
    assertEquals((await reader.read()).done, true);
  }
  const now = `${MAPS}?watch=1&resourceVersion=${server.resourceVersion}`;
  const later = (await server.fetch(now)).body!.getReader();
  server.restart();
  await assertRejects(() => later.read(), TypeError, "Connection reset");
});

Deno.test("ApiServer ends the requests of one signal one after the other, watches and held requests alike", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock, random: { next: () => 0.5 } });
  server.faults.silence({ times: 1 });
  const stop = new AbortController();
  const { signal } = stop;
  const seen: string[] = [];
  const read = async (name: string, body: ReadableStream<Uint8Array>) => {
    const error = await assertRejects(() => body.getReader().read(), Error);
    seen.push(`${name} ${error.message}`);
    await microtasks(50);
    seen.push(`end of ${name}`);
  };
  const now = `${MAPS}?watch=1&resourceVersion=${server.resourceVersion}`;
  const readers: Promise<void>[] = [];
  for (const name of ["silent", "watch"]) {
    readers.push(read(name, (await server.fetch(now, { signal })).body!));
  }
  server.faults.delay(1000, { times: 1 });
  const delayed = assertRejects(() => server.fetch(MAPS, { signal }), Error, "over");
  await clock.settle();
  stop.abort(new Error("over"));
  assertEquals(seen, []);
  await Promise.all([...readers, delayed]);
  assertEquals(seen.length, 4);
  assertEquals(seen[1], seen[0]!.replace(/(\w+) over/, "end of $1"));
  assertEquals([server.openWatches, clock.pendingTimers], [0, 0]);
});
