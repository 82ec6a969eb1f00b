import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { DeletedFinalStateUnknown, metaNamespaceKeyFunc, newIndexer } from "../../src/cache/mod.ts";
import { MutationCache, type MutationCacheOptions } from "../../src/extras/mod.ts";
import type { KubeObject } from "../../src/types/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { recordingLogger } from "../cache/_support.ts";

interface Tagged extends KubeObject {
  tag?: string;
}

const object = (
  name: string,
  resourceVersion: string,
  uid = `${name}-1`,
  tag?: string,
): Tagged => ({
  metadata: { name, uid, resourceVersion },
  ...(tag === undefined ? {} : { tag }),
});

function make(options: Partial<MutationCacheOptions<Tagged>> = {}) {
  const clock = new VirtualClock();
  const store = newIndexer<Tagged>(metaNamespaceKeyFunc, {
    tag: (obj) => obj.tag ? [obj.tag] : [],
  });
  const cache = new MutationCache<Tagged>({
    backingCache: store,
    indexer: store,
    clock,
    ...options,
  });
  return {
    clock,
    store,
    cache,
    versionOf: (key: string) => cache.getByKey(key)?.metadata.resourceVersion,
  };
}

Deno.test("MutationCache.getByKey() returns the newer of the stored and the written object, compared as integers", () => {
  const { store, cache, versionOf } = make();
  store.add(object("a", "9"));
  assertEquals(versionOf("a"), "9");
  cache.mutation(object("a", "10"));
  assertEquals(versionOf("a"), "10");
  store.update(object("a", "11"));
  assertEquals(versionOf("a"), "11");
  cache.mutation(object("a", "8"));
  assertEquals(versionOf("a"), "11");
});

Deno.test("MutationCache.getByKey() returns the stored object if the versions are equal", () => {
  const { store, cache } = make();
  const stored = object("a", "9");
  store.add(stored);
  cache.mutation(object("a", "9"));
  assertStrictEquals(cache.getByKey("a"), stored);
});

Deno.test("MutationCache prefers the store if versions cannot be compared", () => {
  const { store, cache, versionOf } = make();
  store.add(object("a", "abc"));
  cache.mutation(object("a", "10"));
  assertEquals(versionOf("a"), "abc");
  store.add({ metadata: { name: "b" } });
  cache.mutation(object("b", "1"));
  assertEquals(versionOf("b"), "1", "a missing version is older than any other");
});

Deno.test("MutationCache.mutation() ignores an object that is older than the remembered one", () => {
  const { store, cache, versionOf } = make();
  store.add(object("a", "1"));
  cache.mutation(object("a", "10"));
  cache.mutation(object("a", "9"));
  assertEquals(versionOf("a"), "10");
});

Deno.test("MutationCache.getByKey() finds an object that the store does not have only with includeAdds", () => {
  const without = make();
  without.cache.mutation(object("a", "1"));
  assertEquals(without.versionOf("a"), undefined);
  const { cache, versionOf } = make({ includeAdds: true });
  cache.mutation(object("a", "1"));
  assertEquals(versionOf("a"), "1");
  assertEquals(versionOf("b"), undefined);
});

Deno.test("MutationCache forgets a mutation after five minutes, or after ttlMs", async () => {
  const { clock, store, cache, versionOf } = make();
  store.add(object("a", "1"));
  cache.mutation(object("a", "2"));
  await clock.advance(5 * 60_000 - 1);
  assertEquals(versionOf("a"), "2");
  await clock.advance(1);
  assertEquals(versionOf("a"), "1");

  const short = make({ ttlMs: 10, includeAdds: true });
  short.cache.mutation(object("a", "2"));
  await short.clock.advance(10);
  assertEquals(short.versionOf("a"), undefined);
});

Deno.test("MutationCache remembers the hundred most recently used mutations", () => {
  const { cache, versionOf } = make({ includeAdds: true });
  for (let i = 0; i < 100; i++) cache.mutation(object(`a${i}`, "1"));
  assertEquals(versionOf("a0"), "1");
  cache.mutation(object("more", "1"));
  assertEquals(versionOf("a1"), undefined);
  assertEquals(versionOf("a0"), "1");
  assertEquals(versionOf("a2"), "1");
});

Deno.test("MutationCache.onDelete() lets the cache ignore late mutations of the deleted object", () => {
  const { cache, versionOf } = make({ includeAdds: true });
  cache.mutation(object("a", "5", "uid-1"));
  cache.onDelete(object("a", "7", "uid-1"));
  assertEquals(versionOf("a"), undefined);
  cache.mutation(object("a", "6", "uid-1"));
  cache.mutation(object("a", "9", "uid-1"));
  cache.mutation(object("a", "7", "uid-0"));
  assertEquals(versionOf("a"), undefined);
  cache.mutation(object("a", "8", "uid-2"));
  assertEquals(versionOf("a"), "8", "a new object of the same name is remembered");
});

Deno.test("MutationCache.onDelete() that comes late keeps a newer object of the same name", () => {
  const { cache, versionOf } = make({ includeAdds: true });
  cache.mutation(object("a", "12", "uid-2"));
  cache.onDelete(object("a", "9", "uid-1"));
  assertEquals(versionOf("a"), "12");
  cache.onDelete(object("a", "13", "uid-2"));
  assertEquals(versionOf("a"), undefined);
});

Deno.test("MutationCache.onDelete() accepts tombstones, with and without an object", () => {
  const { cache, versionOf } = make({ includeAdds: true });
  cache.mutation(object("a", "5"));
  cache.onDelete(new DeletedFinalStateUnknown("a", object("a", "6")));
  cache.mutation(object("a", "5"));
  assertEquals(versionOf("a"), undefined);
  cache.onDelete(new DeletedFinalStateUnknown<Tagged>("b"));
  cache.mutation(object("b", "1"));
  assertEquals(versionOf("b"), "1");
});

Deno.test("MutationCache.byIndex() returns newer versions, and with includeAdds objects that the store does not have", () => {
  const { store, cache } = make({ includeAdds: true });
  store.add(object("a", "1", "u1", "x"));
  store.add(object("b", "5", "u2", "y"));
  cache.mutation(object("a", "2", "u1", "x"));
  cache.mutation(object("b", "4", "u2", "x"));
  cache.mutation(object("c", "3", "u3", "x"));
  cache.mutation(object("d", "3", "u4", "y"));
  cache.mutation(object("e", "3", "u5", "x"));
  cache.onDelete(object("e", "4", "u5", "x"));
  const versions = cache.byIndex("tag", "x").map((obj) =>
    obj.metadata.name! + obj.metadata.resourceVersion
  );
  assertEquals(versions.sort(), ["a2", "c3"]);

  const without = make();
  without.cache.mutation(object("c", "3", "u3", "x"));
  assertEquals(without.cache.byIndex("tag", "x"), []);
  assertThrows(
    () => without.cache.byIndex("nope", "x"),
    Error,
    "Index with name nope does not exist",
  );
});

Deno.test("MutationCache.byIndex() without an indexer throws an error that names it", () => {
  const { cache } = make({ indexer: undefined });
  assertThrows(() => cache.byIndex("tag", "x"), TypeError, "give the MutationCache an indexer");
});

Deno.test("MutationCache logs a warning for an object without a key", () => {
  const logger = recordingLogger();
  const { cache } = make({ logger });
  cache.mutation({ metadata: {} });
  cache.onDelete({ metadata: {} });
  assertEquals(logger.lines.length, 2);
  assert(logger.lines[0]?.includes("Cannot make a key"));
});
