import { assertEquals, assertThrows } from "@std/assert";
import { RecordingLogger } from "../../../support/recording_logger.ts";
import { Cluster } from "../cluster.ts";

const MAPS = Cluster.path("configmaps");
const PODS = Cluster.path("pods");

/** Returns the names in a list. */
async function names(cluster: Cluster, query = ""): Promise<string[]> {
  const { json } = await cluster.get(`${MAPS}${query}`);
  return json.items.map((item: { metadata: { name: string } }) => item.metadata.name);
}

Deno.test("hold() keeps back an event and all later ones of that watch, in order, for a time", async () => {
  await using cluster = new Cluster();
  await using late = await cluster.watch(`${MAPS}?labelSelector=late!%3Dno`);
  await using punctual = await cluster.watch(MAPS);
  const lag = cluster.server.lag.hold({
    forMs: 5000,
    when: ({ url }, { type, name }) =>
      url.searchParams.has("labelSelector") && type === "ADDED" && name === "b",
  });
  for (const name of ["a", "b", "c"]) await cluster.configMap(name);
  await cluster.merge(`${MAPS}/a`, { data: { x: "1" } });
  await cluster.clock.settle();
  assertEquals(late.events, ["ADDED a"]);
  const all = ["ADDED a", "ADDED b", "ADDED c", "MODIFIED a"];
  assertEquals([punctual.events, lag.hits], [all, 3]);
  await cluster.clock.advance(4999);
  assertEquals(late.events, ["ADDED a"]);
  await cluster.clock.advance(1);
  assertEquals(late.events, all);
  // The next event that matches is late again.
  await cluster.call("DELETE", `${MAPS}/b`);
  await cluster.configMap("b");
  await cluster.clock.settle();
  assertEquals(late.events, [...all, "DELETED b"]);
  lag.release();
  await cluster.clock.settle();
  assertEquals(late.events, [...all, "DELETED b", "ADDED b"]);
  lag.release();
  assertEquals([lag.hits, cluster.clock.pendingTimers], [4, 2]);
});

Deno.test("hold() begins as many times as it may, and is gone after that", async () => {
  await using cluster = new Cluster();
  await using watch = await cluster.watch(MAPS);
  const lag = cluster.server.lag.hold({ forMs: 1000, times: 2 });
  for (const [name, ms] of [["a", 1000], ["b", 1000], ["c", 0]] as const) {
    await cluster.configMap(name);
    await cluster.clock.settle();
    assertEquals(watch.events.includes(`ADDED ${name}`), name === "c");
    await cluster.clock.advance(ms);
  }
  assertEquals([watch.events, lag.hits], [["ADDED a", "ADDED b", "ADDED c"], 2]);
});

Deno.test("hold() keeps bookmarks behind the events that it keeps back", async () => {
  await using cluster = new Cluster();
  await using watch = await cluster.watch(
    `${MAPS}?allowWatchBookmarks=1&resourceVersion=${cluster.server.resourceVersion}`,
  );
  await cluster.configMap("a");
  cluster.server.lag.hold({ forMs: 130_000 });
  const before = cluster.server.resourceVersion;
  await cluster.configMap("b");
  await cluster.configMap("c");
  await cluster.clock.advance(125_000);
  assertEquals(watch.events, ["ADDED a", "BOOKMARK", "BOOKMARK"]);
  for (const { object } of watch.lines.slice(1)) {
    assertEquals(object.metadata.resourceVersion, before);
  }
  await cluster.clock.advance(60_000);
  assertEquals(watch.events.slice(3), ["ADDED b", "ADDED c", "BOOKMARK"]);
  assertEquals(watch.lines.at(-1)?.object.metadata.resourceVersion, cluster.server.resourceVersion);
});

Deno.test("hold() drops what it keeps back when the watch ends; the next watch gets it", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  const from = cluster.server.resourceVersion;
  const { pendingTimers } = cluster.clock;
  const lag = cluster.server.lag.hold({ times: 1, forMs: 60_000 });
  cluster.server.lag.coalesce({ withinMs: 60_000 });
  {
    await using watch = await cluster.watch(`${MAPS}?resourceVersion=${from}&timeoutSeconds=10`);
    await cluster.configMap("b");
    await cluster.clock.advance(10_000);
    assertEquals([watch.events, watch.ended], [[], "closed"]);
    assertEquals(cluster.clock.pendingTimers, pendingTimers);
  }
  cluster.server.lag.clear();
  await using next = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
  assertEquals([next.events, lag.hits], [["ADDED b"], 1]);
});

Deno.test("hold() ends a watch for which it keeps back more events than may wait", async () => {
  await using cluster = new Cluster({ watchBacklogLimit: 5 });
  await using watch = await cluster.watch(MAPS);
  cluster.server.lag.hold();
  for (let i = 0; i < 5; i++) await cluster.configMap(`a${i}`);
  assertEquals(cluster.server.openWatches, 1);
  await cluster.configMap("a5");
  await cluster.clock.settle();
  assertEquals([watch.events, watch.ended, cluster.server.openWatches], [[], "closed", 0]);
});

Deno.test("hold() ends the watch that is furthest behind when too many bytes are kept back", async () => {
  await using cluster = new Cluster({ watchBacklogBytesLimit: 20_000 });
  await using maps = await cluster.watch(MAPS);
  await using pods = await cluster.watch(PODS);
  cluster.server.lag.hold();
  await cluster.pod("a");
  for (let i = 0; i < 4; i++) {
    await cluster.call("POST", MAPS, {
      metadata: { name: `a${i}` },
      data: { x: "x".repeat(5000) },
    });
  }
  await cluster.clock.settle();
  assertEquals([maps.ended, pods.ended], ["closed", undefined]);
});

Deno.test("hold() counts no event up to the version to come from which a watch starts", async () => {
  await using cluster = new Cluster();
  const from = String(Number(cluster.server.resourceVersion) + 2);
  const lag = cluster.server.lag.hold({ forMs: 1000, when: (_watch, { name }) => name !== "c" });
  await using watch = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
  for (const name of ["a", "b", "c"]) await cluster.configMap(name);
  await cluster.clock.settle();
  assertEquals([watch.events, lag.hits], [["ADDED c"], 0]);
});

Deno.test("hold() of a resource holds new watches and reads from the cache, but no others", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  await using watch = await cluster.watch(MAPS);
  const lag = cluster.server.lag.hold({
    scope: "resource",
    forMs: 60_000,
    when: (_watch, { name }) => name === "b",
  });
  await cluster.merge(`${MAPS}/a`, { data: { x: "1" } });
  const from = cluster.server.resourceVersion;
  await cluster.configMap("b");
  await cluster.call("DELETE", `${MAPS}/a`);
  await using pods = await cluster.watch(PODS);
  await cluster.pod("p");
  await using late = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
  await using fresh = await cluster.watch(`${MAPS}?resourceVersion=0`);
  assertEquals([watch.events, late.events], [["ADDED a", "MODIFIED a"], []]);
  assertEquals([fresh.events, pods.events], [["ADDED a"], ["ADDED p"]]);
  assertEquals(await names(cluster, "?resourceVersion=0"), ["a"]);
  assertEquals(await names(cluster, `?resourceVersion=${from}`), ["a"]);
  assertEquals(await names(cluster), ["b"]);
  assertEquals((await cluster.get(`${MAPS}/a?resourceVersion=0`)).json.data, { x: "1" });
  assertEquals((await cluster.get(`${MAPS}/a`)).status, 404);
  assertEquals((await cluster.get(`${MAPS}/b?resourceVersion=0`)).status, 404);
  const { hits } = lag;
  await cluster.clock.advance(60_000);
  assertEquals(watch.events.slice(2), ["ADDED b", "DELETED a"]);
  assertEquals([late.events, fresh.events.slice(1)], [
    ["ADDED b", "DELETED a"],
    ["ADDED b", "DELETED a"],
  ]);
  assertEquals(await names(cluster, "?resourceVersion=0"), ["b"]);
  // Two events of each of three watches; the reads and the watch that saw an old state.
  assertEquals([hits, lag.hits], [11, 11]);
});

Deno.test("hold() of a resource is late for the selected clients only", async () => {
  await using cluster = new Cluster();
  const of = (agent: string) => ({ headers: { "user-agent": agent } });
  await using watch = await cluster.watch(MAPS);
  cluster.server.lag.hold({
    scope: "resource",
    clients: ({ headers }) => headers.get("user-agent") === "behind",
  });
  const behind = await cluster.fetch(`${MAPS}?watch=1`, of("behind"));
  await cluster.configMap("a");
  await cluster.clock.settle();
  const count = async (agent: string) => {
    const list = await cluster.call(
      "GET",
      `${MAPS}?resourceVersion=0`,
      undefined,
      of(agent).headers,
    );
    return list.json.items.length;
  };
  assertEquals([await count("behind"), await count("ahead"), watch.events], [0, 1, ["ADDED a"]]);
  await behind.body?.cancel();
});

Deno.test("a read that a late cache cannot serve waits three seconds, for a 504 or for the cache", async () => {
  await using cluster = new Cluster();
  await using watch = await cluster.watch(MAPS);
  const lag = cluster.server.lag.hold({ scope: "resource" });
  const stands = cluster.server.resourceVersion;
  await cluster.configMap("a");
  const now = cluster.server.resourceVersion;
  for (const path of [MAPS, `${MAPS}/a`]) {
    const startMs = cluster.clock.now();
    const { status, json } = await cluster.get(`${path}?resourceVersion=${now}`);
    assertEquals([status, cluster.clock.now() - startMs], [504, 3000]);
    assertEquals(
      json.message,
      `Timeout: Too large resource version: ${now}, current: ${stands}`,
    );
  }
  const streaming =
    `${MAPS}?sendInitialEvents=1&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1`;
  await using refused = await cluster.watch(streaming);
  assertEquals(refused.lines.map(({ type, object }) => [type, object.code]), [["ERROR", 504]]);
  const patient = cluster.fetch(`${MAPS}?resourceVersion=${now}`);
  await cluster.clock.settle();
  lag.release();
  assertEquals((await (await patient).json()).items.length, 1);
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED a"]);
});

Deno.test("a lag whose predicate throws breaks its watch, and neither the write nor other watches", async () => {
  const logger = new RecordingLogger();
  await using cluster = new Cluster({ logger });
  await using broken = await cluster.watch(`${MAPS}?labelSelector=!x`);
  await using sound = await cluster.watch(MAPS);
  cluster.server.lag.hold({
    when: ({ url }) => {
      if (url.searchParams.has("labelSelector")) throw new Error("oops");
      return false;
    },
  });
  assertEquals((await cluster.configMap("a")).status, 201);
  await cluster.clock.settle();
  assertEquals([broken.ended, sound.events], ["broken", ["ADDED a"]]);
  assertEquals(logger.of("error").length, 1);
});

Deno.test("a predicate may end its own lag, and counts as a no if it returns nothing", async () => {
  await using cluster = new Cluster();
  await using watch = await cluster.watch(MAPS);
  const { lag } = cluster.server;
  const ending = [
    (when: () => boolean) => lag.hold({ when }),
    (when: () => boolean) => lag.hold({ when, scope: "resource" }),
    (when: () => boolean) => lag.coalesce({ when }),
  ].map((add) => {
    const own = add(() => {
      own.release();
      return true;
    });
    return own;
  });
  // deno-lint-ignore no-explicit-any
  const nothing: any = () => {};
  const silent = [
    lag.hold({ when: nothing }),
    lag.hold({ scope: "resource", clients: nothing }),
    lag.coalesce({ when: nothing }),
    lag.freeze({ when: nothing, at: cluster.server.resourceVersion }),
  ];
  await cluster.configMap("a");
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED a"]);
  assertEquals([...ending, ...silent].map(({ hits }) => hits), [0, 0, 0, 0, 0, 0, 0]);
});

Deno.test("clear() and close() release every lag, and leave no timer", async () => {
  const cluster = new Cluster();
  const { lag } = cluster.server;
  await using watch = await cluster.watch(`${MAPS}?timeoutSeconds=1000`);
  const { pendingTimers } = cluster.clock;
  lag.hold({ forMs: 1000 });
  lag.hold({ forMs: 1000, scope: "resource" });
  lag.coalesce();
  await cluster.configMap("a");
  lag.clear();
  await cluster.clock.settle();
  assertEquals([watch.events, cluster.clock.pendingTimers], [["ADDED a"], pendingTimers]);
  lag.hold({ forMs: 1000, scope: "resource" });
  lag.freeze({ at: "1000" });
  await cluster.configMap("b");
  const waiting = cluster.fetch(`${MAPS}?resourceVersion=${cluster.server.resourceVersion}`);
  await cluster.clock.settle();
  await cluster.server.close();
  await (await waiting).body?.cancel();
  await cluster.clock.settle();
  assertEquals([watch.ended, cluster.clock.pendingTimers], ["closed", 0]);
  lag.hold({ forMs: 1000 });
});

Deno.test("hold() refuses wrong options", async () => {
  await using cluster = new Cluster();
  const { lag } = cluster.server;
  // deno-lint-ignore no-explicit-any
  const wrong = (options: any, message: string) =>
    assertThrows(() => lag.hold(options), Error, message);
  wrong({ forMs: NaN }, "forMs must be a finite number of milliseconds: received NaN");
  wrong({ forMs: -1 }, "forMs must not be negative: received -1");
  wrong({ forMs: 0 }, "forMs must be above 0");
  wrong({ forMs: "5" }, "forMs must be a finite number");
  wrong({ times: 0 }, "times must be a whole number of at least 1: received 0");
  wrong({ scope: "kind" }, 'scope must be "watch" or "resource": received kind');
  wrong({ when: true }, "when must be a function: received a value of type boolean");
  wrong({ clients: () => true }, 'clients is for the scope "resource"');
});
