import { assertEquals, assertThrows } from "@std/assert";
import { Cluster } from "../cluster.ts";

const MAPS = Cluster.path("configmaps");
const PODS = Cluster.path("pods");

async function names(cluster: Cluster, query = "", path = MAPS): Promise<string[]> {
  const { json } = await cluster.get(`${path}${query}`);
  return json.items.map((item: { metadata: { name: string } }) => item.metadata.name);
}

Deno.test("freeze() answers reads at any version of the past, and a consistent read with the newest state", async () => {
  await using cluster = new Cluster();
  const versions: string[] = [];
  const states: string[][] = [];
  const record = async () => {
    versions.push(cluster.server.resourceVersion);
    states.push(await names(cluster));
  };
  await record();
  for (const name of ["a", "b", "c"]) {
    await cluster.configMap(name);
    await record();
  }
  for (const name of ["b", "a"]) {
    await cluster.call("DELETE", `${MAPS}/${name}`);
    await record();
  }
  await cluster.configMap("a");
  await record();
  for (const [i, at] of versions.entries()) {
    const lag = cluster.server.lag.freeze({ at });
    const { json } = await cluster.get(`${MAPS}?resourceVersion=0`);
    assertEquals(json.metadata.resourceVersion, at);
    assertEquals(await names(cluster, "?resourceVersion=0&limit=1"), states[i]!);
    assertEquals(await names(cluster, `?resourceVersion=${versions[0]}`), states[i]!);
    const exact = `?resourceVersion=${versions[2]}&resourceVersionMatch=Exact`;
    assertEquals(await names(cluster, exact), states[2]!);
    assertEquals(await names(cluster), states.at(-1)!);
    const got = await cluster.get(`${MAPS}/a?resourceVersion=0`);
    assertEquals(got.status, states[i]!.includes("a") ? 200 : 404);
    lag.release();
    // At the newest version nothing differs.
    assertEquals(lag.hits, i === versions.length - 1 ? 0 : 4);
    assertEquals(await names(cluster, "?resourceVersion=0"), states.at(-1)!);
  }
});

Deno.test("freeze() stops open and new watches at the version, until the release", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  const at = cluster.server.resourceVersion;
  await using open = await cluster.watch(`${MAPS}?resourceVersion=${at}&allowWatchBookmarks=1`);
  const lag = cluster.server.lag.freeze({ at });
  await cluster.configMap("b");
  await cluster.call("DELETE", `${MAPS}/a`);
  const newest = cluster.server.resourceVersion;
  const list = "sendInitialEvents=1&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1";
  await using streamed = await cluster.watch(`${MAPS}?resourceVersion=0&${list}`);
  await using fromAt = await cluster.watch(`${MAPS}?resourceVersion=${at}`);
  await using fromNewest = await cluster.watch(`${MAPS}?resourceVersion=${newest}`);
  await cluster.configMap("c");
  await cluster.clock.advance(61_000);
  assertEquals([open.events, fromAt.events, fromNewest.events], [[], [], []]);
  assertEquals(streamed.events, ["ADDED a", "BOOKMARK"]);
  const { metadata } = streamed.lines[1]!.object;
  assertEquals([metadata.resourceVersion, Object.values(metadata.annotations)], [at, ["true"]]);
  lag.release();
  await cluster.clock.settle();
  const rest = ["ADDED b", "DELETED a", "ADDED c"];
  assertEquals([open.events, fromAt.events, streamed.events.slice(2)], [rest, rest, rest]);
  assertEquals(fromNewest.events, ["ADDED c"]);
});

Deno.test("freeze() before what a watch has got sends it no bookmark of an older version", async () => {
  await using cluster = new Cluster();
  const at = cluster.server.resourceVersion;
  await using watch = await cluster.watch(`${MAPS}?resourceVersion=${at}&allowWatchBookmarks=1`);
  await cluster.pod("p");
  const between = cluster.server.resourceVersion;
  await cluster.configMap("a");
  const lag = cluster.server.lag.freeze({ at: between });
  await cluster.configMap("b");
  await cluster.clock.advance(61_000);
  assertEquals(watch.events, ["ADDED a"]);
  lag.release();
  await cluster.clock.advance(61_000);
  assertEquals(watch.events, ["ADDED a", "ADDED b", "BOOKMARK"]);
});

Deno.test("freeze() keeps back events that something else held, when that lets them go", async () => {
  await using cluster = new Cluster();
  await using watch = await cluster.watch(MAPS);
  const hold = cluster.server.lag.hold();
  await cluster.configMap("a");
  const at = cluster.server.resourceVersion;
  await cluster.configMap("b");
  const freeze = cluster.server.lag.freeze({ at });
  hold.release();
  await cluster.clock.settle();
  assertEquals([watch.events, freeze.hits], [["ADDED a"], 1]);
  freeze.release();
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED a", "ADDED b"]);
});

Deno.test("freeze() of one resource, and for some requests, leaves the others alone", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  await cluster.pod("a");
  const requests: string[] = [];
  const lag = cluster.server.lag.freeze({
    at: cluster.server.resourceVersion,
    resource: "configmaps",
    when: ({ verb, url }) => {
      requests.push(verb);
      return !url.searchParams.has("other");
    },
  });
  await using watch = await cluster.watch(`${MAPS}?other=1`);
  await cluster.configMap("b");
  await cluster.configMap("c");
  await cluster.pod("b");
  assertEquals(await names(cluster, "?resourceVersion=0"), ["a"]);
  assertEquals(await names(cluster, "?resourceVersion=0&other=1"), ["a", "b", "c"]);
  assertEquals(await names(cluster, "?resourceVersion=0", PODS), ["a", "b"]);
  assertEquals(watch.events, ["ADDED a", "ADDED b", "ADDED c"]);
  assertEquals([requests, lag.hits], [["watch", "list", "list"], 1]);
});

Deno.test("freeze() at a version to come stops there, whatever happens to the history", async () => {
  await using cluster = new Cluster({ historyLimit: 1 });
  const at = String(Number(cluster.server.resourceVersion) + 2);
  await using watch = await cluster.watch(MAPS);
  const lag = cluster.server.lag.freeze({ at });
  assertEquals(await names(cluster, "?resourceVersion=0"), []);
  for (const name of ["a", "b", "c", "d"]) await cluster.configMap(name);
  assertEquals(watch.events, ["ADDED a", "ADDED b"]);
  cluster.server.compact();
  await cluster.call("DELETE", `${MAPS}/a`);
  assertEquals(await names(cluster, "?resourceVersion=0"), ["a", "b"]);
  cluster.server.restart();
  assertEquals(await names(cluster, "?resourceVersion=0"), ["a", "b"]);
  lag.release();
  assertEquals(await names(cluster, "?resourceVersion=0"), ["b", "c", "d"]);
});

Deno.test("freeze() refuses a version that is gone, and wrong options", async () => {
  await using cluster = new Cluster();
  const at = cluster.server.resourceVersion;
  await cluster.configMap("a");
  cluster.server.compact();
  const { lag } = cluster.server;
  // deno-lint-ignore no-explicit-any
  const wrong = (options: any, message: string) =>
    assertThrows(() => lag.freeze(options), Error, message);
  wrong({ at }, `Cannot freeze at resource version ${at}: the history of the server begins at`);
  wrong({ at: "0" }, 'at must be a resource version, as in server.resourceVersion: received "0"');
  wrong({ at: 5 }, "received a value of type number");
  wrong({ at: "5", when: 1 }, "when must be a function");
  wrong({ at: "5", resource: {} }, "resource must be the full name of a resource");
});
