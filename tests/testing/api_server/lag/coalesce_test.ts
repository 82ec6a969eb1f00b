import { assertEquals, assertThrows } from "@std/assert";
import { Cluster, type OpenWatch } from "../cluster.ts";

const MAPS = Cluster.path("configmaps");

/** Returns the events with the version of their data. */
function states(watch: OpenWatch): string[] {
  return watch.lines.map(({ type, object }) =>
    `${type} ${object.metadata.name}${object.data?.v ?? ""}`
  );
}

function write(cluster: Cluster, name: string, v: string): Promise<unknown> {
  return cluster.merge(`${MAPS}/${name}`, { data: { v } });
}

function drop(cluster: Cluster, name: string): Promise<unknown> {
  return cluster.call("DELETE", `${MAPS}/${name}`);
}

Deno.test("coalesce() makes two events of one object into one", async () => {
  await using cluster = new Cluster();
  const create = (name: string) => cluster.configMap(name);
  const cases: [string, ((name: string) => Promise<unknown>)[], string[]][] = [
    ["a", [create, (name) => write(cluster, name, "1")], ["ADDED a1"]],
    ["b", [create, (name) => drop(cluster, name)], []],
    ["c", ["1", "2"].map((v) => (name) => write(cluster, name, v)), ["MODIFIED c2"]],
    ["d", [(name) => write(cluster, name, "1"), (name) => drop(cluster, name)], ["DELETED d1"]],
    ["e", [(name) => drop(cluster, name), create], ["MODIFIED e"]],
  ];
  for (const name of ["c", "d", "e"]) await cluster.configMap(name);
  const uid = (await cluster.get(`${MAPS}/e`)).json.metadata.uid;
  for (const [name, writes, expected] of cases) {
    const from = cluster.server.resourceVersion;
    await using watch = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
    const lag = cluster.server.lag.coalesce({ times: 1 });
    for (const step of writes) await step(name);
    await cluster.clock.settle();
    assertEquals([states(watch), lag.hits], [expected, 1], name);
    if (name === "e") assertEquals(watch.lines[0]?.object.metadata.uid === uid, false);
    // The two events are only one on the watches that the lag was there for.
    await using later = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
    assertEquals(later.lines.length, 2, name);
  }
});

Deno.test("coalesce() keeps versions ascending, and lets an event go that has no successor", async () => {
  await using cluster = new Cluster();
  await using watch = await cluster.watch(
    `${MAPS}?allowWatchBookmarks=1&resourceVersion=${cluster.server.resourceVersion}`,
  );
  const lag = cluster.server.lag.coalesce({
    when: (_watch, { name, type }) => name === "a" && type !== "DELETED",
    withinMs: 70_000,
  });
  await cluster.configMap("a");
  await cluster.configMap("b");
  await cluster.clock.advance(10_000);
  assertEquals(states(watch), []);
  await write(cluster, "a", "1");
  await cluster.clock.settle();
  assertEquals([states(watch), lag.hits], [["ADDED b", "ADDED a1"], 1]);
  await write(cluster, "a", "2");
  await write(cluster, "b", "2");
  await cluster.clock.advance(69_999);
  assertEquals(states(watch).slice(2), ["BOOKMARK undefined"]);
  await cluster.clock.advance(1);
  assertEquals([states(watch).slice(3), lag.hits], [["MODIFIED a2", "MODIFIED b2"], 1]);
  const versions = watch.lines.map(({ object }) => Number(object.metadata.resourceVersion));
  assertEquals(versions, versions.toSorted((a, b) => a - b));
});

Deno.test("coalesce() sees the events of a watch with a selector as the watch does", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a", { labels: { x: "1" } });
  await cluster.configMap("b");
  const from = cluster.server.resourceVersion;
  await using watch = await cluster.watch(`${MAPS}?labelSelector=x&resourceVersion=${from}`);
  const seen: string[] = [];
  const lag = cluster.server.lag.coalesce({
    when: (_watch, { type, name }) => {
      seen.push(`${type} ${name}`);
      return true;
    },
  });
  const label = (name: string, x: string | null) =>
    cluster.merge(`${MAPS}/${name}`, { metadata: { labels: { x } } });
  await label("a", null);
  await label("a", "2");
  await label("b", "1");
  await write(cluster, "b", "1");
  await write(cluster, "b", "2");
  await label("b", null);
  await cluster.clock.settle();
  assertEquals(seen, ["DELETED a", "ADDED b", "MODIFIED b"]);
  assertEquals([states(watch), lag.hits], [["MODIFIED a", "ADDED b1", "DELETED b1"], 3]);
});

Deno.test("coalesce() within a hold keeps what follows held", async () => {
  await using cluster = new Cluster();
  await using watch = await cluster.watch(MAPS);
  const hold = cluster.server.lag.hold({ when: (_watch, { name }) => name === "a" });
  const coalesce = cluster.server.lag.coalesce({ when: (_watch, { name }) => name === "a" });
  await cluster.configMap("a");
  await drop(cluster, "a");
  await cluster.configMap("b");
  await cluster.clock.settle();
  assertEquals([states(watch), coalesce.hits], [[], 1]);
  hold.release();
  await cluster.clock.settle();
  assertEquals([states(watch), coalesce.hits, hold.hits], [["ADDED b"], 1, 3]);
});

Deno.test("coalesce() twice tells the deletion of the object that the client knows", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  const { uid } = (await cluster.get(`${MAPS}/a`)).json.metadata;
  const from = cluster.server.resourceVersion;
  await using watch = await cluster.watch(`${MAPS}?resourceVersion=${from}`);
  for (const first of ["DELETED", "ADDED"]) {
    cluster.server.lag.coalesce({ times: 1, when: (_watch, { type }) => type === first });
  }
  await drop(cluster, "a");
  await cluster.configMap("a");
  await drop(cluster, "a");
  await cluster.clock.settle();
  assertEquals(states(watch), ["DELETED a"]);
  const { metadata } = watch.lines[0]!.object;
  assertEquals([metadata.uid, metadata.resourceVersion], [uid, cluster.server.resourceVersion]);
});

Deno.test("coalesce() refuses wrong options", async () => {
  await using cluster = new Cluster();
  const { lag } = cluster.server;
  // deno-lint-ignore no-explicit-any
  const wrong = (options: any, message: string) =>
    assertThrows(() => lag.coalesce(options), Error, message);
  wrong({ withinMs: NaN }, "withinMs must be a finite number of milliseconds: received NaN");
  wrong({ withinMs: 0 }, "withinMs must be above 0");
  wrong({ times: 1.5 }, "times must be a whole number of at least 1: received 1.5");
  wrong({ when: "a" }, "when must be a function");
});
