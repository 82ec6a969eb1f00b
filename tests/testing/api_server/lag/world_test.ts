import { assert, assertEquals, assertThrows } from "@std/assert";
import { Client } from "../../../../src/client/mod.ts";
import { SharedInformerFactory } from "../../../../src/cache/mod.ts";
import { ConfigMaps } from "../../../../src/types/mod.ts";
import type { LagOptions } from "../../../../src/testing/mod.ts";
import { lagOptionsOf } from "../../../../src/testing/api_server/lag/mod.ts";
import { Cluster } from "../cluster.ts";

const MAPS = Cluster.path("configmaps");
const SECRETS = Cluster.path("secrets");

/** Counts how many of 100 own writes an informer does not show right after the answer. */
async function missingOwnWrites(lag: boolean | LagOptions): Promise<number> {
  await using cluster = new Cluster({ lag });
  const { clock, server } = cluster;
  await using client = new Client(server.clientOptions);
  const informer = new SharedInformerFactory(client).informer(ConfigMaps, { namespace: "default" });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await clock.advance(5000);
  assert(informer.hasSynced);
  let missing = 0;
  for (let i = 0; i < 100; i++) {
    const object = { metadata: { name: `c${i}` } };
    await clock.run(client.create(ConfigMaps, object, { namespace: "default" }));
    // Everything that can happen without time has happened.
    await clock.settle();
    if (informer.indexer.getByKey(`default/c${i}`) === undefined) missing++;
  }
  await clock.advance(10_000);
  assertEquals(informer.indexer.listKeys().length, 100);
  stop.abort();
  await clock.run(running);
  return missing;
}

Deno.test("a realistic world does not show own writes at once; a server without lag does", async () => {
  assertEquals(await missingOwnWrites(false), 0);
  const missing = await missingOwnWrites(true);
  assert(missing > 0, `${missing} of 100`);
  assertEquals(await missingOwnWrites(true), missing);
});

Deno.test("a realistic world commits concurrent requests in any order, and answers them in any order", async () => {
  await using cluster = new Cluster({ lag: { eventMs: 0, pauseMs: 0, resourceMs: 0 } });
  const answered: string[] = [];
  const names = Array.from({ length: 20 }, (_, i) => `a${i + 10}`);
  const writes = names.map(async (name) => {
    const response = await cluster.fetch(MAPS, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ metadata: { name } }),
    });
    answered.push(name);
    return [name, Number((await response.json()).metadata.resourceVersion)] as const;
  });
  const done = Promise.all(writes);
  await cluster.clock.advance(40);
  const versions = await done;
  const committed = versions.toSorted(([, a], [, b]) => a - b).map(([name]) => name);
  const orders = new Set([names, committed, answered].map((order) => order.join()));
  assertEquals(orders.size, 3);
});

Deno.test("a realistic world shows two resources in either order, and each watch in its own", async () => {
  await using cluster = new Cluster({ lag: { requestMs: 0, resourceMs: 0, pauseRate: 0.1 } });
  const seen: string[] = [];
  await using maps = await cluster.watch(MAPS);
  await using secrets = await cluster.watch(SECRETS);
  const note = () => {
    const [a, b] = [maps.lines.length, secrets.lines.length];
    if (a !== b) seen.push(a > b ? "map first" : "secret first");
  };
  for (let i = 0; i < 50; i++) {
    await cluster.configMap(`a${i}`);
    await cluster.call("POST", SECRETS, { metadata: { name: `a${i}` } });
    for (let ms = 0; ms < 5; ms++) {
      await cluster.clock.advance(20);
      note();
    }
  }
  await cluster.clock.advance(5000);
  assertEquals(new Set(seen).size, 2);
  const expected = Array.from({ length: 50 }, (_, i) => `ADDED a${i}`);
  assertEquals([maps.events, secrets.events], [expected, expected]);
});

Deno.test("a resource that is slow stays slow when its watch reconnects", async () => {
  const lag = { requestMs: 0, eventMs: 0, pauseRate: 0, resourceMs: 10_000, staleReadMs: 0 };
  await using cluster = new Cluster({ lag });
  const from = cluster.server.resourceVersion;
  await cluster.configMap("a");
  // Nothing else is late, so the list that first shows the object tells how slow the resource is.
  let slowMs = 0;
  const shown = async () => {
    const response = await cluster.fetch(`${MAPS}?resourceVersion=0`);
    return (await response.json()).items.length > 0;
  };
  while (!(await shown())) {
    await cluster.clock.advance(1);
    slowMs++;
  }
  assert(slowMs > 200, `${slowMs} ms`);
  await cluster.clock.advance(60_000);
  await cluster.configMap("b");
  await cluster.clock.advance(slowMs - 100);
  for (const restMs of [100, 60]) {
    await using watch = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
    assertEquals(watch.events, ["ADDED a"]);
    if (restMs === 100) await cluster.clock.advance(40);
    else await cluster.clock.advance(restMs);
    assertEquals(watch.events, restMs === 100 ? ["ADDED a"] : ["ADDED a", "ADDED b"]);
  }
});

Deno.test("reads at version 0 go back in time, within a bound, and never behind what they ask for", async () => {
  await using cluster = new Cluster({ lag: { requestMs: 0, resourceMs: 0, staleReadMs: 1000 } });
  const startMs = cluster.clock.now();
  const read = async (at: string) => {
    const { json } = await cluster.get(`${MAPS}?resourceVersion=${at}`);
    return json.items.length as number;
  };
  let before = 0;
  let back = 0;
  for (let i = 0; i < 50; i++) {
    await cluster.configMap(`a${i}`);
    const found = await read("0");
    if (found < before) back++;
    before = found;
    // One write each 100 ms: a second ago there were ten fewer.
    assert(found >= Math.min(i + 1, i - 10), `${found} of ${i + 1}`);
    assertEquals(await read(cluster.server.resourceVersion), i + 1);
    assertEquals((await cluster.get(MAPS)).json.items.length, i + 1);
    await cluster.clock.advance(100);
  }
  assert(back > 0);
  assertEquals(cluster.clock.now() - startMs, 5000);
});

Deno.test("an aborted request of a realistic world is not carried out, and close() ends those under way", async () => {
  const cluster = new Cluster({ lag: true });
  const abort = new AbortController();
  const create = (name: string, signal?: AbortSignal) =>
    cluster.fetch(MAPS, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ metadata: { name } }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((error) => error);
  const version = cluster.server.resourceVersion;
  const aborted = create("a", abort.signal);
  abort.abort(new Error("enough"));
  assertEquals((await aborted).message, "enough");
  await cluster.clock.advance(100);
  assertEquals(cluster.server.resourceVersion, version);
  const pending = create("b");
  await cluster.clock.settle();
  await cluster.server.close();
  assert((await pending) instanceof TypeError);
  assertEquals(cluster.clock.pendingTimers, 0);
});

Deno.test("the lag option refuses what it does not know", () => {
  // deno-lint-ignore no-explicit-any
  const wrong = (lag: any, message: string) =>
    assertThrows(() => new Cluster({ lag }), Error, message);
  wrong("yes", "lag must be true, false or an object of LagOptions");
  wrong({ eventMS: 1 }, 'lag has no option "eventMS": expected one of requestMs, eventMs');
  wrong({ eventMs: NaN }, "eventMs must be a finite number of milliseconds: received NaN");
  wrong({ requestMs: -1 }, "requestMs must not be negative: received -1");
  for (const pauseRate of [2, -0.1, NaN]) {
    wrong({ pauseRate }, `pauseRate must be a number from 0 to 1: received ${pauseRate}`);
  }
  wrong([], "lag must be true, false or an object of LagOptions");
  wrong(null, "lag must be true, false or an object of LagOptions");
  for (const pauseRate of [0, 1, undefined]) lagOptionsOf({ pauseRate });
  assertEquals([lagOptionsOf(undefined), lagOptionsOf(false)], [undefined, undefined]);
});

Deno.test("a bookmark of a late server is never older than the events before it", async () => {
  // Each watch starts from a state of up to a minute ago, and gets what has happened since at once.
  const lag = { requestMs: 0, eventMs: 0, pauseMs: 0, resourceMs: 0, staleReadMs: 60_000 };
  await using cluster = new Cluster({ lag });
  const { clock } = cluster;
  for (const name of ["a", "b", "c", "d"]) {
    await cluster.configMap(name);
    await clock.advance(10_000);
  }
  const list = "sendInitialEvents=1&resourceVersionMatch=NotOlderThan" +
    "&allowWatchBookmarks=1&resourceVersion=1";
  let late = 0;
  for (let i = 0; i < 20; i++) {
    const watch = await cluster.watch(`${MAPS}?${list}`);
    const events = watch.lines;
    await watch.stop();
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    const mark = events.findIndex(({ type }) => type === "BOOKMARK");
    assert(versions.slice(0, mark).every((version) => version <= versions[mark]!), `${versions}`);
    if (mark < events.length - 1) late++;
  }
  assert(late > 0);
});
