import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  IndexedStore,
  KeyError,
  metaNamespaceIndexFunc,
  metaNamespaceKeyFunc,
  newIndexer,
  newStore,
  pathIndexFunc,
} from "../../../src/cache/mod.ts";
import { ExpirationCache, UndeltaStore } from "../../../src/extras/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import type { KubeObject } from "../../../src/types/mod.ts";
import { ObjectCache } from "../../../src/cache/packed/mod.ts";
import { CacheIndexer } from "../packed/_cache_indexer.ts";
import { packed } from "../packed/_packed.ts";
import { indexerSuite } from "../../contract/indexer_suite.ts";
import { storeSuite } from "../../contract/store_suite.ts";

storeSuite("newStore()", () => newStore<KubeObject>(metaNamespaceKeyFunc));
storeSuite(
  "newStore() with the key function of informers",
  () => newStore<KubeObject>(deletionHandlingMetaNamespaceKeyFunc),
);
storeSuite(
  "newIndexer()",
  () => newIndexer<KubeObject>(metaNamespaceKeyFunc, { namespace: metaNamespaceIndexFunc }),
);
storeSuite("UndeltaStore", () => new UndeltaStore<KubeObject>(() => {}, metaNamespaceKeyFunc));
storeSuite(
  "ExpirationCache",
  () =>
    new ExpirationCache<KubeObject>(metaNamespaceKeyFunc, { ttlMs: 0, clock: new VirtualClock() }),
);

indexerSuite("newIndexer()", (indexers) => newIndexer(metaNamespaceKeyFunc, indexers));
indexerSuite(
  "newIndexer() with path functions",
  (indexers) => newIndexer(metaNamespaceKeyFunc, indexers),
  pathIndexFunc("tags"),
);
indexerSuite("IndexedStore", (indexers) => {
  const store = new IndexedStore(metaNamespaceKeyFunc);
  store.addIndexers(indexers as never);
  return store as never;
});

indexerSuite("The cache of an informer", (indexers) => new CacheIndexer(indexers));
indexerSuite(
  "The cache of an informer with path functions",
  (indexers) => new CacheIndexer(indexers),
  pathIndexFunc("tags"),
);

Deno.test("newStore() accepts values that are not API objects and have no resource version", () => {
  const store = newStore<{ id: string }>((obj) => obj.id);
  store.bookmark("5");
  store.add({ id: "a" });
  store.delete({ id: "a" });
  assertEquals(store.lastStoreSyncResourceVersion(), "5");
});

Deno.test("newStore() wraps an error of the key function in a KeyError", () => {
  const cause = new RangeError("No key today");
  const store = newStore<string>(() => {
    throw cause;
  });
  const error = assertThrows(() => store.add("a"), Error, `the string "a": No key today`);
  assert(KeyError.is(error));
  assertStrictEquals(error.cause, cause);
  assertStrictEquals(error.obj, "a");
});

Deno.test("newStore() rejects a key that is not a string", () => {
  const store = newStore<string>(() => undefined as never);
  assert(KeyError.is(assertThrows(() => store.add("a"), Error, "must give a string")));
});

Deno.test("newIndexer() calls each index function once per write, and never with the old object", () => {
  const asked: string[] = [];
  const indexer = newIndexer<{ id: string; rev: number }>((obj) => obj.id, {
    id: (obj) => {
      asked.push(`${obj.id}${obj.rev}`);
      return [obj.id];
    },
  });
  indexer.add({ id: "a", rev: 1 });
  indexer.update({ id: "a", rev: 2 });
  indexer.delete(new DeletedFinalStateUnknown("a"));
  assertEquals(asked, ["a1", "a2"]);
});

Deno.test("UndeltaStore passes its whole content to the function after each change", () => {
  const states: string[] = [];
  const store = new UndeltaStore<string>((all) => states.push(all.toSorted().join()), (obj) => obj);
  store.add("a");
  store.update("b");
  store.delete("missing");
  store.replace(["x", "y"], "1");
  store.bookmark("2");
  store.resync();
  assertEquals(states, ["a", "a,b", "a,b", "x,y"]);
});

Deno.test("UndeltaStore applies the change before an error of the function reaches the writer", () => {
  const store = new UndeltaStore<string>(() => {
    throw new Error("Not now");
  }, (obj) => obj);
  assertThrows(() => store.add("a"), Error, "Not now");
  assertEquals(store.list(), ["a"]);
});

Deno.test("The cache of an informer keeps the bytes of its objects once, and no other bytes", () => {
  const cache = new CacheIndexer<KubeObject>();
  const object = (name: string, text: string) => ({ metadata: { name }, text });
  const size = (...objects: unknown[]) =>
    objects.map((obj) => JSON.stringify(obj).length).reduce((a, b) => a + b, 0);
  const [a, b, b2] = [object("a", "x"), object("b", "y"), object("b", "longer")];
  cache.add(a);
  cache.add(b);
  assertEquals(cache.objectBytes, size(a, b));
  cache.update(b2);
  assertEquals(cache.objectBytes, size(a, b2));
  cache.exchange(cache.items.getByKey("a")!, "a");
  assertEquals(cache.objectBytes, size(a, b2), "an object that replaces itself is not kept twice");
  const last = packed(object("b", "anything"));
  cache.exchange(object("parsed", "no bytes"), "parsed");
  cache.exchange(packed(object("parsed", "")), "parsed");
  cache.exchange(object("parsed", "no bytes"), "parsed");
  cache.settle();
  assertEquals(cache.objectBytes, size(a, b2));
  ObjectCache.prototype.delete.call(cache, last, "b");
  assert(last.bytes.length > 0, "the last version can be read while the change is reported");
  cache.settle();
  assertEquals(last.bytes.length, 0, "what a handler may keep holds no bytes");
  cache.delete(new DeletedFinalStateUnknown("a"));
  assertEquals([cache.objectBytes, cache.listKeys()], [0, ["parsed"]]);
  cache.add(a);
  cache.keepParsed();
  cache.unpack("a");
  assertEquals([cache.objectBytes, cache.getByKey("a")], [0, a]);

  const changing = new CacheIndexer<KubeObject>();
  changing.add(a);
  changing.add(b);
  changing.keepParsed();
  changing.update(object("a", "longer"));
  changing.delete(new DeletedFinalStateUnknown("b"));
  assertEquals(changing.objectBytes, 0, "nothing is left of versions that were never parsed");
});
