import { assert, assertEquals } from "@std/assert";
import { SharedInformerFactory } from "../../../src/cache/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import {
  ConfigMaps,
  type KubeObject,
  type Resource,
  Secrets,
  Services,
} from "../../../src/types/mod.ts";
import { Cluster } from "./cluster.ts";

const MAPS = Cluster.path("configmaps");

Deno.test("watch without a revision sends present objects in key order, then changes", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("z");
  await cluster.configMap("a");
  await using watch = await cluster.watch(MAPS);
  await cluster.configMap("m");
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED a", "ADDED z", "ADDED m"]);
});

Deno.test("watch from a resource version replays the later writes, and nothing twice", async () => {
  await using cluster = new Cluster();
  const first = await cluster.configMap("a");
  await cluster.merge(`${MAPS}/a`, { data: { k: "1" } });
  await cluster.call("DELETE", `${MAPS}/a`);
  const from = first.json.metadata.resourceVersion;
  await using watch = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
  await cluster.configMap("b");
  await cluster.clock.settle();
  assertEquals(watch.events, ["MODIFIED a", "DELETED a", "ADDED b"]);
  const revisions = watch.lines.map(({ object }) => Number(object.metadata.resourceVersion));
  assertEquals(revisions, [...revisions].sort((a, b) => a - b));
  assertEquals(watch.lines[1]!.object.data, { k: "1" });
});

Deno.test("watch of another namespace sees nothing", async () => {
  await using cluster = new Cluster();
  await using watch = await cluster.watch("/api/v1/namespaces/kube-public/configmaps");
  await cluster.configMap("a");
  await cluster.clock.settle();
  assertEquals(watch.events, []);
});

Deno.test("watch with a selector sends ADDED for objects that start to match, DELETED for objects that stop", async () => {
  await using cluster = new Cluster();
  await using watch = await cluster.watch(`${MAPS}?labelSelector=on%3Dyes`);
  await cluster.configMap("a");
  await cluster.merge(`${MAPS}/a`, { metadata: { labels: { on: "yes" } }, data: { k: "1" } });
  await cluster.merge(`${MAPS}/a`, { data: { k: "2" } });
  const left = await cluster.merge(`${MAPS}/a`, {
    metadata: { labels: { on: "no" } },
    data: { k: "3" },
  });
  await cluster.call("DELETE", `${MAPS}/a`);
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED a", "MODIFIED a", "DELETED a"]);
  const { object } = watch.lines[2]!;
  assertEquals(object.data, { k: "2" });
  assertEquals(object.metadata.labels, { on: "yes" });
  assertEquals(object.metadata.resourceVersion, left.json.metadata.resourceVersion);
});

Deno.test("watch with a field selector follows the field", async () => {
  await using cluster = new Cluster();
  await cluster.pod("p");
  await using watch = await cluster.watch(
    `${
      Cluster.path("pods")
    }?resourceVersion=${cluster.server.resourceVersion}&fieldSelector=status.phase%3DRunning`,
  );
  await cluster.merge(`${Cluster.path("pods", "p")}/status`, { status: { phase: "Running" } });
  await cluster.merge(`${Cluster.path("pods", "p")}/status`, { status: { phase: "Failed" } });
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED p", "DELETED p"]);
  assertEquals(watch.lines[1]!.object.status.phase, "Running");
});

Deno.test("watch ends at timeoutSeconds, with a bookmark two seconds before if there was progress", async () => {
  await using cluster = new Cluster();
  const from = cluster.server.resourceVersion;
  await using watch = await cluster.watch(
    `${MAPS}?resourceVersion=${from}&allowWatchBookmarks=true&timeoutSeconds=10&labelSelector=none`,
  );
  const written = await cluster.configMap("a");
  await cluster.clock.advance(7_999);
  assertEquals(watch.lines, []);
  await cluster.clock.advance(1);
  assertEquals(watch.lines, [{
    type: "BOOKMARK",
    object: {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { resourceVersion: written.json.metadata.resourceVersion },
    },
  }]);
  await cluster.clock.advance(1_999);
  assertEquals(watch.ended, undefined);
  await cluster.clock.advance(1);
  assertEquals(watch.ended, "closed");
});

Deno.test("watch of objects that do not change gets a bookmark every minute, with the newest resource version", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  const from = cluster.server.resourceVersion;
  const query = `resourceVersion=${from}&allowWatchBookmarks=true`;
  await using watch = await cluster.watch(`${MAPS}?${query}&timeoutSeconds=125`);
  await using silent = await cluster.watch(`${MAPS}?resourceVersion=${from}&timeoutSeconds=125`);
  await cluster.clock.advance(59_999);
  assertEquals(watch.lines, []);
  const versions = [(await cluster.pod("p")).json.metadata.resourceVersion];
  await cluster.clock.advance(1);
  versions.push((await cluster.pod("q")).json.metadata.resourceVersion);
  await cluster.clock.advance(65_000);
  assertEquals(
    watch.lines.map(({ type, object }) => [type, object.metadata.resourceVersion]),
    [["BOOKMARK", versions[0]], ["BOOKMARK", versions[1]], ["BOOKMARK", versions[1]]],
  );
  assertEquals([silent.lines, silent.ended], [[], "closed"]);
  // The cache of the resource is as new as its bookmarks.
  const { json } = await cluster.get(`${MAPS}?resourceVersion=0`);
  assertEquals(json.metadata.resourceVersion, versions[1]);
});

Deno.test("a server without writes sends bookmarks too, so that informers keep their watches", async () => {
  await using cluster = new Cluster();
  const { clock, server } = cluster;
  const requests: string[] = [];
  const fetch: typeof server.fetch = (input, init) => {
    requests.push(new URL(input instanceof Request ? input.url : input).pathname);
    return server.fetch(input, init);
  };
  await using client = new Client({ ...server.clientOptions, fetch });
  const factory = new SharedInformerFactory(client);
  const stop = new AbortController();
  const resources = [ConfigMaps, Secrets, Services];
  const running = resources.map((resource) =>
    factory.informer(resource as Resource<KubeObject>).run({ signal: stop.signal })
  );
  await clock.advance(1000);
  const from = server.resourceVersion;
  const opened = requests.length;
  // The shortest time that an informer asks for is five minutes.
  await clock.advance(295_000);
  assertEquals(requests.slice(opened), []);
  assertEquals([server.openWatches, server.resourceVersion], [3, from]);
  stop.abort();
  await clock.run(Promise.all(running));
});

Deno.test("a short watch without progress gets no bookmark", async () => {
  await using cluster = new Cluster();
  const from = cluster.server.resourceVersion;
  await using watch = await cluster.watch(
    `${MAPS}?resourceVersion=${from}&allowWatchBookmarks=true&timeoutSeconds=10`,
  );
  await cluster.clock.advance(10_000);
  assertEquals([watch.lines, watch.ended], [[], "closed"]);
});

Deno.test("watch gets a bookmark every minute once there was progress", async () => {
  await using cluster = new Cluster();
  const from = cluster.server.resourceVersion;
  await using watch = await cluster.watch(
    `${MAPS}?resourceVersion=${from}&allowWatchBookmarks=true&timeoutSeconds=135&labelSelector=none`,
  );
  await cluster.configMap("a");
  const at: number[] = [];
  for (let second = 0; second < 135; second++) {
    await cluster.clock.advance(1000);
    while (at.length < watch.lines.length) at.push(second + 1);
  }
  assertEquals(at, [60, 120, 133]);
});

Deno.test("watch without timeoutSeconds ends after the minimum timeout to twice that", async () => {
  await using cluster = new Cluster({ minRequestTimeoutMs: 10_000 });
  await using watch = await cluster.watch(MAPS);
  await cluster.clock.advance(9_999);
  assertEquals(watch.ended, undefined);
  await cluster.clock.advance(10_001);
  assertEquals(watch.ended, "closed");
});

Deno.test("watch with sendInitialEvents marks the end of the initial events, even if there are none", async () => {
  await using cluster = new Cluster();
  const query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  await cluster.configMap("a");
  await using watch = await cluster.watch(`${MAPS}?${query}`);
  await using empty = await cluster.watch(`${Cluster.path("secrets")}?${query}`);
  assertEquals(watch.events, ["ADDED a", "BOOKMARK"]);
  for (const { lines } of [watch, empty]) {
    assertEquals(lines[lines.length - 1]!.object.metadata, {
      resourceVersion: cluster.server.resourceVersion,
      annotations: { "k8s.io/initial-events-end": "true" },
    });
  }
});

Deno.test("watch from a future resource version skips older events; with initial events it fails after 3 s", async () => {
  await using cluster = new Cluster();
  const ahead = Number(cluster.server.resourceVersion) + 2;
  await using watch = await cluster.watch(`${MAPS}?resourceVersion=${ahead}`);
  for (const name of ["a", "b", "c"]) await cluster.configMap(name);
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED c"]);

  const startMs = cluster.clock.now();
  await using failed = await cluster.watch(
    `${MAPS}?resourceVersion=100000&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  );
  assertEquals(cluster.clock.now() - startMs, 3000);
  assertEquals(failed.response.status, 200);
  assertEquals([failed.lines.length, failed.lines[0]!.type, failed.lines[0]!.object.code], [
    1,
    "ERROR",
    504,
  ]);
  assertEquals(failed.ended, "closed");
});

Deno.test("a compaction also drops the history of resources without a store", async () => {
  await using cluster = new Cluster();
  const from = cluster.server.resourceVersion;
  await cluster.configMap("a");
  cluster.server.compact();
  const path = "/api/v1/podtemplates";
  const exact = `${path}?resourceVersion=${from}&resourceVersionMatch=Exact`;
  assertEquals((await cluster.get(exact)).status, 410);
  await using watch = await cluster.watch(`${path}?resourceVersion=${from}`);
  assertEquals(watch.lines.map(({ type, object }) => [type, object.code]), [["ERROR", 410]]);
});

Deno.test("watch from a compacted resource version gets one ERROR event with code 410, and ends", async () => {
  await using cluster = new Cluster();
  const first = await cluster.configMap("a");
  await cluster.configMap("b");
  cluster.server.compact();
  const from = first.json.metadata.resourceVersion;
  await using watch = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
  assertEquals(watch.response.status, 200);
  const [line] = watch.lines;
  assertEquals([line!.type, line!.object.code, line!.object.reason], ["ERROR", 410, "Expired"]);
  assertEquals(line!.object.message, `too old resource version: ${from} (${Number(from) + 1})`);
  assertEquals([watch.lines.length, watch.ended], [1, "closed"]);
});

Deno.test("an open watch survives a compaction, and breaks on a restart", async () => {
  await using cluster = new Cluster();
  const from = cluster.server.resourceVersion;
  await using watch = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
  cluster.server.compact();
  await cluster.configMap("a");
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED a"]);
  cluster.server.restart();
  await cluster.clock.settle();
  assertEquals(watch.ended, "broken");
  await using again = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
  assertEquals(again.lines[0]!.object.code, 410);
});

Deno.test("watch window keeps the configured number of changes of a resource", async () => {
  await using cluster = new Cluster({ historyLimit: 3 });
  const revisions: string[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) {
    revisions.push((await cluster.configMap(name)).json.metadata.resourceVersion);
  }
  await using inside = await cluster.watch(`${MAPS}?resourceVersion=${revisions[1]}`);
  assertEquals(inside.events, ["ADDED c", "ADDED d", "ADDED e"]);
  await using outside = await cluster.watch(`${MAPS}?resourceVersion=${revisions[0]}`);
  assertEquals(outside.lines[0]!.object.code, 410);
});

Deno.test("watch ends with the caller's reason when its signal aborts", async () => {
  await using cluster = new Cluster();
  const abort = new AbortController();
  const response = await cluster.fetch(`${MAPS}?watch=1`, { signal: abort.signal });
  const reader = response.body!.getReader();
  const reason = new Error("enough");
  const failed = reader.read().then(() => undefined, (error) => error);
  await cluster.clock.settle();
  abort.abort(reason);
  assertEquals(await failed, reason);
  assertEquals([cluster.server.openWatches, cluster.clock.pendingTimers], [0, 0]);
});

Deno.test("a cancelled or closed watch leaves no timer behind", async () => {
  await using cluster = new Cluster();
  const watch = await cluster.watch(`${MAPS}?allowWatchBookmarks=true`);
  await using other = await cluster.watch(MAPS);
  assertEquals(cluster.server.openWatches, 2);
  await watch.stop();
  assertEquals(cluster.server.openWatches, 1);
  await cluster.server.close();
  await cluster.clock.settle();
  assertEquals(other.ended, "closed");
  assertEquals([cluster.server.openWatches, cluster.clock.pendingTimers], [0, 0]);
});

Deno.test("watch with a slow reader is ended after a prefix of the events", async () => {
  await using cluster = new Cluster({ watchBacklogLimit: 20 });
  const response = await cluster.fetch(`${MAPS}?watch=1`);
  const data = { k: "x".repeat(10_000) };
  for (let i = 0; i < 60; i++) {
    await cluster.call("POST", MAPS, { metadata: { name: `m${i}` }, data });
  }
  assertEquals(cluster.server.openWatches, 0);
  const lines = (await response.text()).trim().split("\n").map((line) => JSON.parse(line));
  assert(lines.length > 0 && lines.length < 60, `${lines.length} lines`);
  assertEquals(
    lines.map(({ object }) => object.metadata.name),
    lines.map((_, i) => `m${i}`),
  );
});

Deno.test("watch that overflows before its initial events are read ends without the rest of them", async () => {
  await using cluster = new Cluster({ watchBacklogLimit: 5 });
  const data = { k: "x".repeat(10_000) };
  const create = (name: string) => cluster.call("POST", MAPS, { metadata: { name }, data });
  for (let i = 10; i < 50; i++) await create(`m${i}`);
  const response = await cluster.fetch(`${MAPS}?watch=1`);
  for (let i = 0; i < 10; i++) await create(`new${i}`);
  assertEquals(cluster.server.openWatches, 0);
  const lines = (await response.text()).trim().split("\n").map((line) => JSON.parse(line));
  assert(lines.length > 0 && lines.length < 40, `${lines.length} lines`);
  assertEquals(lines.map(({ object }) => object.metadata.name), lines.map((_, i) => `m${10 + i}`));
});

Deno.test("watches with the same parameters get the same bytes", async () => {
  await using cluster = new Cluster();
  const readers = [];
  for (let i = 0; i < 2; i++) {
    const response = await cluster.fetch(`${MAPS}?watch=1`);
    readers.push(response.body!.getReader());
  }
  await cluster.configMap("a");
  const [first, second] = await Promise.all(readers.map((reader) => reader.read()));
  assert(first!.value === second!.value);
  for (const reader of readers) await reader.cancel();
});

Deno.test("closeWatches() ends the watches of one resource", async () => {
  await using cluster = new Cluster();
  await using maps = await cluster.watch(MAPS);
  await using pods = await cluster.watch(Cluster.path("pods"));
  cluster.server.closeWatches({ resource: "configmaps" });
  await cluster.clock.settle();
  assertEquals([maps.ended, pods.ended], ["closed", undefined]);
});

Deno.test("watch that ends on time still gives a slow reader all events until then", async () => {
  await using cluster = new Cluster();
  const response = await cluster.fetch(`${MAPS}?watch=1&timeoutSeconds=10`);
  const data = { k: "x".repeat(10_000) };
  for (let i = 0; i < 20; i++) {
    await cluster.call("POST", MAPS, { metadata: { name: `m${i}` }, data });
  }
  await cluster.clock.advance(11_000);
  assertEquals(cluster.server.openWatches, 0);
  await cluster.configMap("too-late");
  const lines = (await response.text()).trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.map(({ object }) => object.metadata.name), lines.map((_, i) => `m${i}`));
  assertEquals(lines.length, 20);
});
