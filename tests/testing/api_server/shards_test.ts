import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { assertProperty } from "../../support/seeded_runs.ts";
import { Cluster } from "./cluster.ts";

const MAPS = Cluster.path("configmaps");
const FULL = 1n << 64n;

const sharded = () => new Cluster({ featureGates: { ShardedListAndWatch: true } });

// deno-lint-ignore no-explicit-any
const names = (list: any): string[] => list.items.map((item: any) => item.metadata.name);

const hex = (bound: bigint) => `0x${bound.toString(16).padStart(16, "0")}`;
const range = (start: bigint, end: bigint, field = "uid") =>
  `shardRange(object.metadata.${field}, '${hex(start)}', '${hex(end)}')`;
const query = (selector: string) => `shardSelector=${encodeURIComponent(selector)}`;

/** Returns one selector for each part of all hashes that `cuts` make. */
function shardsAt(cuts: readonly bigint[]): string[] {
  const bounds = [0n, ...[...new Set(cuts)].sort((a, b) => a < b ? -1 : 1), FULL];
  return bounds.slice(1).map((end, i) => range(bounds[i]!, end));
}

Deno.test("list has each object in exactly one of the shards that divide all hashes", async () => {
  await using cluster = sharded();
  const all = Array.from({ length: 20 }, (_, i) => `m${String(i).padStart(2, "0")}`);
  for (const name of all) await cluster.configMap(name);
  const cut = fc.bigInt({ min: 1n, max: FULL - 1n });
  await assertProperty(
    fc.asyncProperty(fc.array(cut, { maxLength: 5 }), fc.nat({ max: 3 }), async (cuts, limit) => {
      const found: string[] = [];
      for (const selector of shardsAt(cuts)) {
        let token = "";
        do {
          const path = `${MAPS}?${query(selector)}&limit=${limit}&continue=${token}`;
          const { json } = await cluster.get(path);
          assertEquals(json.metadata.shardInfo, { selector });
          assertEquals(json.metadata.remainingItemCount, undefined);
          found.push(...names(json));
          token = json.metadata.continue ?? "";
        } while (token !== "");
      }
      assertEquals(found.sort(), all);
    }),
  );
});

Deno.test("list selects the namespaces whose 64-bit FNV-1a hash is in a range", async () => {
  await using cluster = sharded();
  // The published hash of "a".
  const hash = 0xaf63dc4c8601ec8cn;
  await cluster.call("POST", "/api/v1/namespaces", { metadata: { name: "a" } });
  await cluster.call("POST", "/api/v1/namespaces/a/configmaps", { metadata: { name: "m" } });
  const path = "/api/v1/configmaps?fieldSelector=metadata.name%3Dm&";
  const found = async (start: bigint, end: bigint) =>
    names((await cluster.get(path + query(range(start, end, "namespace")))).json);
  assertEquals(await found(hash, hash + 1n), ["m"]);
  assertEquals(await found(0n, hash), []);
  assertEquals(await found(hash + 1n, FULL), []);
});

Deno.test("watch sends each event to exactly one of two shards, and bookmarks to both", async () => {
  await using cluster = sharded();
  const selectors = shardsAt([FULL / 2n]);
  const initial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
  const open = (selector: string) =>
    cluster.watch(`${MAPS}?${initial}&allowWatchBookmarks=true&${query(selector)}`);
  await cluster.configMap("old");
  await using first = await open(selectors[0]!);
  await using second = await open(selectors[1]!);
  const all = ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"];
  for (const name of all) {
    await cluster.configMap(name);
    await cluster.merge(`${MAPS}/${name}`, { data: { k: "v" } });
    await cluster.call("DELETE", `${MAPS}/${name}`);
  }
  await cluster.clock.settle();
  const marks = (lines: typeof first.lines) => lines.filter(({ type }) => type === "BOOKMARK");
  assertEquals([marks(first.lines).length, marks(second.lines).length], [1, 1]);
  const seen = [first, second].map((watch) =>
    new Set(watch.lines.map((l) => l.object.metadata.name))
  );
  for (const name of ["old", ...all]) {
    assertEquals(seen.filter((one) => one.has(name)).length, 1, name);
  }
  const events = [...first.events, ...second.events].filter((event) => event !== "BOOKMARK");
  const wanted = all.flatMap((name) => [`ADDED ${name}`, `MODIFIED ${name}`, `DELETED ${name}`]);
  assertEquals(events.sort(), ["ADDED old", ...wanted].sort());
});

Deno.test("deletecollection deletes the objects of a shard only", async () => {
  await using cluster = sharded();
  for (let i = 0; i < 10; i++) await cluster.configMap(`m${i}`);
  const [low, high] = shardsAt([FULL / 2n]) as [string, string];
  const kept = names((await cluster.get(`${MAPS}?${query(high)}`)).json);
  const gone = await cluster.call("DELETE", `${MAPS}?${query(low)}`);
  assertEquals(gone.json.metadata.shardInfo, { selector: low });
  assertEquals(names(gone.json).length, 10 - kept.length);
  assertEquals(names((await cluster.get(MAPS)).json), kept);
});

Deno.test("ApiServer ignores shardSelector unless its feature gate is on", async () => {
  for (const kubernetes of ["1.35", "1.37"] as const) {
    await using cluster = new Cluster({ kubernetes });
    await cluster.configMap("a");
    const { status, json } = await cluster.get(`${MAPS}?shardSelector=x`);
    assertEquals([status, names(json), json.metadata.shardInfo], [200, ["a"], undefined]);
  }
});
