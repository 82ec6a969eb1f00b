import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { DeletedFinalStateUnknown, KeyError, type Store } from "../../src/cache/mod.ts";
import type { KubeObject } from "../../src/types/mod.ts";

const object = (name: string, resourceVersion?: string): KubeObject => ({
  metadata: {
    namespace: "ns",
    name,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  },
});

/** Tests of every {@linkcode Store}. `make` creates an empty store with metaNamespaceKeyFunc. */
export function storeSuite(
  name: string,
  make: () => Store<KubeObject>,
): void {
  const test = (behaviour: string, fn: (store: Store<KubeObject>) => void) =>
    Deno.test(`${name} ${behaviour}`, () => fn(make()));

  test("is empty at first", (store) => {
    assertEquals(store.size, 0);
    assertEquals(store.list(), []);
    assertEquals(store.listKeys(), []);
    assertEquals(store.getByKey("ns/a"), undefined);
    assertEquals(store.lastStoreSyncResourceVersion(), "");
  });

  test("add() keeps the object itself", (store) => {
    const a = object("a");
    store.add(a);
    assertStrictEquals(store.getByKey("ns/a"), a);
    assertStrictEquals(store.get(object("a", "other")), a);
    assertStrictEquals(store.list()[0], a);
    assertEquals(store.listKeys(), ["ns/a"]);
    assertEquals(store.size, 1);
  });

  test("add() and update() both replace an object", (store) => {
    store.add(object("a", "1"));
    store.add(object("a", "2"));
    assertEquals(store.getByKey("ns/a"), object("a", "2"));
    store.update(object("a", "3"));
    assertEquals(store.getByKey("ns/a"), object("a", "3"));
    assertEquals(store.size, 1);
  });

  test("update() adds a missing object", (store) => {
    store.update(object("a", "1"));
    assertEquals(store.list(), [object("a", "1")]);
  });

  test("delete() removes by key, whatever the content of the object", (store) => {
    store.add(object("a", "1"));
    store.add(object("b", "2"));
    store.delete(object("a", "9"));
    assertEquals(store.listKeys(), ["ns/b"]);
    assertEquals(store.get(object("a")), undefined);
    assertEquals(store.size, 1);
  });

  test("delete() ignores a missing object", (store) => {
    store.delete(object("a"));
    assertEquals(store.size, 0);
  });

  test("delete() accepts a tombstone", (store) => {
    store.add(object("a", "1"));
    store.delete(new DeletedFinalStateUnknown("ns/a"));
    assertEquals(store.size, 0);
  });

  test("list() and listKeys() return new arrays", (store) => {
    store.add(object("a"));
    store.list().length = 0;
    store.listKeys().length = 0;
    assertEquals(store.list().length, 1);
    assertEquals(store.listKeys().length, 1);
  });

  test("replace() replaces the whole content; of two items with the same key the later stays", (store) => {
    store.add(object("a", "1"));
    store.add(object("b", "1"));
    store.replace([object("b", "2"), object("c", "3"), object("b", "4")], "10");
    assertEquals(store.listKeys().sort(), ["ns/b", "ns/c"]);
    assertEquals(store.getByKey("ns/b"), object("b", "4"));
    assertEquals(store.size, 2);
    store.replace([], "11");
    assertEquals(store.list(), []);
  });

  test("rejects an object without a key with a KeyError, and changes nothing", (store) => {
    store.add(object("a", "1"));
    const nameless = { kind: "Pod", metadata: { namespace: "ns", resourceVersion: "7" } };
    const operations: (() => void)[] = [
      () => store.add(nameless),
      () => store.update(nameless),
      () => store.delete(nameless),
      () => store.get(nameless),
      () => store.replace([object("b", "2"), nameless], "9"),
    ];
    for (const operation of operations) {
      assert(KeyError.is(assertThrows(operation, Error, "kind Pod")));
    }
    assertEquals(store.list(), [object("a", "1")]);
    assertEquals(store.lastStoreSyncResourceVersion(), "1");
  });

  test("treats __proto__ as an ordinary key and value", (store) => {
    const odd = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    assertEquals(store.getByKey("constructor"), undefined);
    store.replace(odd.map((name) => ({ metadata: { name } })), "1");
    assertEquals(store.listKeys().sort(), odd.toSorted());
    for (const name of odd) assertEquals(store.getByKey(name)?.metadata.name, name);
    store.delete({ metadata: { name: "__proto__" } });
    assertEquals(store.getByKey("__proto__"), undefined);
  });

  test("resync() changes nothing", (store) => {
    store.add(object("a", "1"));
    store.resync();
    assertEquals(store.list(), [object("a", "1")]);
    assertEquals(store.lastStoreSyncResourceVersion(), "1");
  });

  test("lastStoreSyncResourceVersion() is the resource version of the last write, verbatim", (store) => {
    const version = () => store.lastStoreSyncResourceVersion();
    store.add(object("a", "60"));
    assertEquals(version(), "60");
    store.update(object("b", "40"));
    assertEquals(version(), "40", "it may go back");
    store.delete(object("b", "70"));
    assertEquals(version(), "70", "a deletion has the version of the deleted object");
    store.delete(object("missing", "71"));
    assertEquals(version(), "71");
    store.delete(new DeletedFinalStateUnknown("ns/a", object("a", "5")));
    assertEquals(version(), "71", "a tombstone knows none");
    store.bookmark("80");
    assertEquals(version(), "80");
    store.replace([object("a", "9"), object("b", "99")], "50");
    assertEquals(version(), "50", "a replacement has the version of the list");
    store.add(object("c"));
    assertEquals(version(), "", "metadata without a version has the empty one");
  });
}
