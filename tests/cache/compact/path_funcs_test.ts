import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  DeletedFinalStateUnknown,
  FilteringResourceEventHandler,
  metaNamespaceIndexFunc,
  metaNamespaceKeyFunc,
  newIndexer,
  ObjectRef,
  pathFilterFunc,
  pathIndexFunc,
  type ResourceEventHandler,
} from "../../../src/cache/mod.ts";
import { RefReader } from "../../../src/cache/compact/ref_reader.ts";
import type { Cached, KubeObject, Pod } from "../../../src/types/mod.ts";
import { compactIndexer } from "./_compact_indexer.ts";
import { informerTest } from "../informer/_informer_harness.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

const reader = new RefReader<KubeObject>();
const object = (rest: Record<string, unknown>): KubeObject => ({
  metadata: { name: "a" },
  ...rest,
});

/** Returns the result of the function for the object, which must be the same for a reference to the object. */
function answerOf<V>(f: (obj: KubeObject | ObjectRef<KubeObject>) => V, obj: KubeObject): V {
  const answer = f(obj);
  assertEquals(f(reader.refTo(obj)), answer);
  return answer;
}

Deno.test("pathIndexFunc() returns strings, numbers and booleans, also those in an array, and nothing else", () => {
  const valuesOf = (v: unknown) => answerOf(pathIndexFunc("v"), object({ v }));
  assertEquals(valuesOf("x"), ["x"]);
  assertEquals(valuesOf(""), [""]);
  assertEquals(valuesOf(1.5), ["1.5"]);
  assertEquals(valuesOf(false), ["false"]);
  assertEquals(valuesOf(null), []);
  assertEquals(valuesOf({ x: "y" }), []);
  assertEquals(valuesOf(["x", 1, true, null, ["y"], { z: 1 }, "x"]), ["x", "1", "true", "x"]);
  assertEquals(answerOf(pathIndexFunc("v.w"), object({})), []);
});

Deno.test("pathIndexFunc() follows a path through own members and array elements only", () => {
  const obj = object({
    spec: { list: [{ name: "x" }, "text"], "a.b": "dotted", "": "empty", "c\\": "slashed" },
    status: JSON.parse('{"__proto__": "own", "length": 3}'),
  });
  const cases: [string | string[], string[]][] = [
    ["metadata.name", ["a"]],
    ["spec.list.0.name", ["x"]],
    ["spec.list.1", ["text"]],
    ["spec.list.1.0", []],
    ["spec.list.1.length", []],
    ["spec.list.length", []],
    ["spec.list.00", []],
    ["spec.list.-1", []],
    ["spec.list.2", []],
    ["spec.list", ["text"]],
    ["spec.a\\.b", ["dotted"]],
    ["spec.a.b", []],
    [["spec", "a.b"], ["dotted"]],
    [["spec", ""], ["empty"]],
    [["spec", "c\\"], ["slashed"]],
    ["status.__proto__", ["own"]],
    ["status.length", ["3"]],
    ["spec.__proto__", []],
    ["spec.constructor.name", []],
    ["toString.name", []],
  ];
  for (const [path, expected] of cases) {
    assertEquals(answerOf(pathIndexFunc(path), obj), expected, String(path));
  }
});

Deno.test("pathIndexFunc() and pathFilterFunc() reject a path with an empty part", () => {
  for (const path of ["", ".", "a.", ".a", "a..b"]) {
    const message = `Cannot read the path ${JSON.stringify(path)}`;
    assertThrows(() => pathIndexFunc(path), SyntaxError, message);
    assertThrows(() => pathFilterFunc(path, () => true), SyntaxError, message);
  }
  assertEquals(pathIndexFunc("a\\.b.c").path, ["a.b", "c"]);
});

Deno.test("pathFilterFunc() passes the value to its test, for a tombstone that of the last observed state", () => {
  const seen: unknown[] = [];
  const isX = pathFilterFunc("v.0", (value) => {
    seen.push(value);
    return value === "x";
  });
  const x = object({ v: ["x"] });
  assertEquals(answerOf(isX, x), true);
  assertEquals(answerOf(isX, object({ v: [{ deep: null }] })), false);
  assertEquals(answerOf(isX, object({})), false);
  assertEquals(isX(new DeletedFinalStateUnknown("a", x)), true);
  assertEquals(isX(new DeletedFinalStateUnknown("a", reader.refTo(x))), true);
  assertEquals(isX(new DeletedFinalStateUnknown("a")), false);
  assertEquals(isX(undefined), false);
  const deep = { deep: null };
  assertEquals(seen, ["x", "x", deep, deep, undefined, undefined, "x", "x", undefined, undefined]);
});

Deno.test("pathIndexFunc() and pathFilterFunc() return the same for an object and for its reference", () => {
  const name = fc.constantFrom(
    "a",
    "b",
    "0",
    "1",
    "length",
    "__proto__",
    "a.b",
    "",
    "ä",
    "toString",
  );
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map((entries) =>
        Object.fromEntries(entries)
      ),
    ),
  }));
  let found = 0;
  assertProperty(
    fc.property(value, fc.array(name, { maxLength: 4 }), (v, names) => {
      const obj = object({ v });
      const path = ["v", ...names];
      const values = answerOf(pathIndexFunc(path), obj);
      answerOf(pathFilterFunc(path, (value) => values.length > 0 && value !== undefined), obj);
      let inFilter: unknown;
      pathFilterFunc(path, (value) => {
        inFilter = value;
        return true;
      })(reader.refTo(obj));
      assertEquals(inFilter, reader.refTo(obj).valueAt(path));
      if (inFilter !== undefined) found++;
      if (!path.includes("")) {
        const text = path.map((name) => name.replaceAll(".", "\\.")).join(".");
        assertEquals(answerOf(pathIndexFunc(text), obj), values);
      }
    }),
    1_500,
  );
  assert(found > 200, `${found} of 1500 values exist`);
});

Deno.test("The indexer of a compact cache parses only for index functions without a path", () => {
  const asked: unknown[] = [];
  const watching = <T extends { path?: readonly string[] }>(
    f: T & ((obj: KubeObject) => readonly string[]),
  ) =>
    Object.assign((obj: KubeObject) => {
      asked.push(ObjectRef.is(obj) ? "ref" : "object");
      return f(obj);
    }, f);
  const { indexer } = compactIndexer<KubeObject>({
    app: watching(pathIndexFunc("metadata.labels.app")),
    name: watching((obj) => [obj.metadata.name ?? ""]),
    namespace: metaNamespaceIndexFunc,
  });
  indexer.add({ metadata: { namespace: "x", name: "a", labels: { app: "web" } } });
  assertEquals(asked.splice(0), ["ref", "object"]);
  assertEquals(indexer.indexKeys("app", "web"), ["x/a"]);
  assertEquals(indexer.indexKeys("name", "a"), ["x/a"]);
  assertEquals(indexer.indexKeys("namespace", "x"), ["x/a"]);
  indexer.addIndexers({ late: watching(pathIndexFunc(["metadata", "namespace"])) });
  assertEquals(asked, ["ref"]);
  assertEquals(indexer.byIndex("late", "x").map(metaNamespaceKeyFunc), ["x/a"]);
  assertEquals(Object.keys(indexer.getIndexers()), ["app", "name", "namespace", "late"]);
  assertEquals(indexer.getIndexers()["namespace"], metaNamespaceIndexFunc);
});

Deno.test("metaNamespaceIndexFunc() in a compact cache returns an empty namespace for cluster-scoped objects", () => {
  for (const make of [newIndexer<KubeObject>, () => compactIndexer<KubeObject>().indexer]) {
    const indexer = make(metaNamespaceKeyFunc);
    indexer.addIndexers({ namespace: metaNamespaceIndexFunc });
    indexer.replace(
      [{ metadata: { name: "n" } }, { metadata: { name: "a", namespace: "x" } }],
      "1",
    );
    assertEquals(indexer.indexKeys("namespace", ""), ["n"]);
    assertEquals(indexer.indexKeys("namespace", "x"), ["x/a"]);
  }
});

informerTest("FilteringResourceEventHandler filters by a path", async (harness) => {
  await using t = harness({ indexers: { phase: pathIndexFunc("status.phase") } });
  const lines: string[] = [];
  const handler: ResourceEventHandler<Cached<Pod>> = {
    onAdd: ({ metadata }, initially) => void lines.push(`add ${metadata.name} ${initially}`),
    onUpdate: (_old, { metadata }) => void lines.push(`update ${metadata.name}`),
    onDelete: (obj) =>
      void lines.push(`delete ${DeletedFinalStateUnknown.lastKnownState(obj)?.metadata.name}`),
  };
  t.informer.addEventHandler(
    new FilteringResourceEventHandler<Cached<Pod>>({
      filterFunc: pathFilterFunc("status.phase", (phase) => phase === "Running"),
      handler,
    }),
  );
  const pod = (name: string, phase: "Running" | "Pending" | "Failed"): Pod => ({
    metadata: { namespace: "x", name },
    status: { phase },
  });
  t.source.add(pod("a", "Running"));
  t.source.add(pod("b", "Pending"));
  await t.start(1_000);
  t.source.modify(pod("b", "Running"));
  t.source.modify(pod("b", "Running"));
  t.source.modify(pod("a", "Failed"));
  await t.clock.advance(1_000);
  assertEquals(t.informer.indexer.indexKeys("phase", "Running"), ["x/b"]);
  t.source.delete(pod("a", "Failed"));
  t.source.deleteDropWatch(pod("b", "Running"));
  t.source.resetWatch();
  await t.clock.advance(5_000);
  assertEquals(lines, ["add a true", "add b false", "update b", "delete a", "delete b"]);
  assertEquals(t.informer.indexer.listIndexFuncValues("phase"), []);
});
