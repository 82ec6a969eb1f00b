import { assert, assertEquals, assertThrows } from "@std/assert";
import type { Indexer, Indexers, IndexFunc } from "../../src/cache/mod.ts";
import type { KubeObject } from "../../src/types/mod.ts";

interface Tagged extends KubeObject {
  tags: string[];
}

const object = (name: string, ...tags: string[]): Tagged => ({
  metadata: { namespace: "ns", name },
  tags,
});
const names = (objects: Tagged[]) => objects.map((obj) => obj.metadata.name).sort();

/**
 * Tests of every {@linkcode Indexer}, in addition to the tests of a Store. `make` creates an empty indexer with
 * metaNamespaceKeyFunc; `byTag` returns the tags of an object.
 */
export function indexerSuite(
  name: string,
  make: (indexers: Indexers<Tagged>) => Indexer<Tagged>,
  byTag: IndexFunc<Tagged> = (obj) => obj.tags,
): void {
  const test = (behaviour: string, fn: (indexer: Indexer<Tagged>) => void) =>
    Deno.test(`${name} ${behaviour}`, () => fn(make({ tag: byTag })));

  test("byIndex() finds the objects under a value, indexKeys() their sorted keys", (indexer) => {
    for (const id of ["c", "a", "b"]) indexer.add(object(id, "x"));
    indexer.add(object("d", "y"));
    assertEquals(names(indexer.byIndex("tag", "x")), ["a", "b", "c"]);
    assertEquals(indexer.indexKeys("tag", "x"), ["ns/a", "ns/b", "ns/c"]);
    assertEquals(indexer.byIndex("tag", "none"), []);
    assertEquals(indexer.indexKeys("tag", "none"), []);
  });

  test("index() returns the objects under any value of an object, each once", (indexer) => {
    indexer.add(object("a", "x", "y"));
    indexer.add(object("b", "y"));
    indexer.add(object("c", "z"));
    assertEquals(names(indexer.index("tag", object("other", "x", "y"))), ["a", "b"]);
    assertEquals(names(indexer.index("tag", object("other", "z"))), ["c"]);
    assertEquals(indexer.index("tag", object("other")), []);
    assertEquals(indexer.index("tag", object("other", "none")), []);
  });

  test("throws for a missing index, but lists no values of it", (indexer) => {
    const message = "Index with name nope does not exist";
    assertThrows(() => indexer.index("nope", object("a")), Error, message);
    assertThrows(() => indexer.indexKeys("nope", "x"), Error, message);
    assertThrows(() => indexer.byIndex("nope", "x"), Error, message);
    assertThrows(() => indexer.byIndex("constructor", "x"), Error, "Index with name constructor");
    assertEquals(indexer.listIndexFuncValues("nope"), []);
  });

  test("update() moves an object between values", (indexer) => {
    indexer.add(object("a", "x"));
    indexer.update(object("a", "y"));
    assertEquals(indexer.indexKeys("tag", "x"), []);
    assertEquals(indexer.indexKeys("tag", "y"), ["ns/a"]);
    indexer.update(object("a", "y", "z"));
    assertEquals(indexer.indexKeys("tag", "y"), ["ns/a"]);
    assertEquals(indexer.indexKeys("tag", "z"), ["ns/a"]);
    indexer.update(object("a", "z", "w"));
    assertEquals(indexer.indexKeys("tag", "y"), []);
    assertEquals(indexer.indexKeys("tag", "w"), ["ns/a"]);
    indexer.update(object("a"));
    assertEquals(indexer.listIndexFuncValues("tag"), []);
  });

  test("byIndex() returns the new object if the value has not changed", (indexer) => {
    indexer.add(object("a", "x"));
    const newer = { ...object("a", "x"), kind: "New" };
    indexer.update(newer);
    assertEquals(indexer.byIndex("tag", "x"), [newer]);
  });

  test("removes a value without objects", (indexer) => {
    for (let i = 0; i < 10; i++) indexer.add(object("a", `value-${i}`, `other-${i}`));
    assertEquals(indexer.listIndexFuncValues("tag").sort(), ["other-9", "value-9"]);
    indexer.delete(object("a"));
    assertEquals(indexer.listIndexFuncValues("tag"), []);
  });

  test("indexes an object once under a duplicate value", (indexer) => {
    indexer.add(object("a", "x", "x"));
    assertEquals(names(indexer.byIndex("tag", "x")), ["a"]);
    indexer.update(object("a", "x", "y", "y"));
    indexer.update(object("a", "z"));
    assertEquals(indexer.listIndexFuncValues("tag"), ["z"]);
  });

  test("replace() rebuilds the indices", (indexer) => {
    indexer.add(object("a", "x"));
    indexer.add(object("b", "x"));
    indexer.replace([object("b", "y"), object("c", "x"), object("b", "z")], "1");
    assertEquals(indexer.indexKeys("tag", "x"), ["ns/c"]);
    assertEquals(indexer.listIndexFuncValues("tag").sort(), ["x", "z"]);
  });

  test("addIndexers() indexes the present objects at once", (indexer) => {
    indexer.add(object("a", "x"));
    indexer.addIndexers({
      first: (obj) => obj.tags.slice(0, 1),
      name: (obj) => [obj.metadata.name!],
    });
    indexer.add(object("b", "x", "y"));
    assertEquals(indexer.indexKeys("first", "x"), ["ns/a", "ns/b"]);
    assertEquals(indexer.indexKeys("name", "b"), ["ns/b"]);
    assertEquals(Object.keys(indexer.getIndexers()).sort(), ["first", "name", "tag"]);
  });

  test("addIndexers() adds nothing when a name is taken", (indexer) => {
    indexer.add(object("a", "x"));
    const error = assertThrows(() => indexer.addIndexers({ fresh: byTag, tag: byTag }), Error);
    assert(error.message.startsWith("indexer conflict"), error.message);
    assert(error.message.includes("tag"), error.message);
    assertEquals(Object.keys(indexer.getIndexers()), ["tag"]);
    assertEquals(indexer.listIndexFuncValues("fresh"), []);
  });

  test("addIndexers() adds nothing when a function throws", (indexer) => {
    indexer.add(object("a", "x"));
    const broken = () => {
      throw new Error("broken");
    };
    assertThrows(() => indexer.addIndexers({ fresh: byTag, broken }), Error, "broken");
    assertEquals(Object.keys(indexer.getIndexers()), ["tag"]);
    indexer.add(object("b", "x"));
  });

  test("treats __proto__ as an ordinary name and value", (indexer) => {
    indexer.addIndexers(JSON.parse("{}"));
    indexer.addIndexers(Object.fromEntries([["__proto__", byTag]]));
    indexer.add(object("a", "__proto__", "constructor", ""));
    assertEquals(indexer.indexKeys("tag", "__proto__"), ["ns/a"]);
    assertEquals(indexer.indexKeys("__proto__", "constructor"), ["ns/a"]);
    assertEquals(indexer.indexKeys("tag", ""), ["ns/a"]);
    assertEquals(indexer.indexKeys("tag", "toString"), []);
    assert(Object.hasOwn(indexer.getIndexers(), "__proto__"));
  });

  test("changes nothing when an index function throws on a write", (indexer) => {
    indexer.addIndexers({
      picky: (obj) => {
        if (obj.tags.includes("bad")) throw new TypeError("Cannot look at it");
        return [`${obj.tags.length}`];
      },
    });
    indexer.replace([object("a", "x"), object("b", "y")], "5");
    const bad = {
      ...object("a", "z", "bad"),
      metadata: { ...object("a").metadata, resourceVersion: "9" },
    };
    for (
      const write of [
        () => indexer.add(bad),
        () => indexer.update(bad),
        () => indexer.replace([object("c", "w"), bad], "9"),
      ]
    ) {
      const error = assertThrows(
        write,
        Error,
        `Cannot index "ns/a" in index "picky": Cannot look at it`,
      );
      assert(error.cause instanceof TypeError);
    }
    assertEquals(indexer.listKeys().sort(), ["ns/a", "ns/b"]);
    assertEquals(indexer.listIndexFuncValues("tag").sort(), ["x", "y"]);
    assertEquals(indexer.indexKeys("picky", "1"), ["ns/a", "ns/b"]);
    assertEquals(indexer.lastStoreSyncResourceVersion(), "5");
    assertThrows(() => indexer.index("picky", bad), Error, "Cannot look at it");

    indexer.delete(bad);
    assertEquals(indexer.listIndexFuncValues("tag"), ["y"], "a deletion asks no index function");
  });

  test("rejects an index function that does not return an array", (indexer) => {
    indexer.addIndexers({ text: ((obj: Tagged) => obj.metadata.name) as never });
    assertThrows(() => indexer.add(object("abc")), TypeError, "must give an array of strings");
    assertEquals(indexer.size, 0);
  });

  test("removes all index entries of an object that was changed while stored", (indexer) => {
    const changed = [object("a", "x"), object("b", "x", "w")];
    for (const one of changed) {
      indexer.add(one);
      one.tags.fill("y");
    }
    assertEquals(indexer.indexKeys("tag", "x"), ["ns/a", "ns/b"], "the change is not seen");
    for (const one of changed) indexer.delete(one);
    assertEquals(indexer.listIndexFuncValues("tag"), []);
  });
}
