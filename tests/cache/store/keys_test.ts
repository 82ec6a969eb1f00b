import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  ExplicitKey,
  indexFuncToKeyFuncAdapter,
  joinMetaNamespaceKey,
  KeyError,
  metaNamespaceIndexFunc,
  metaNamespaceKeyFunc,
  splitMetaNamespaceKey,
} from "../../../src/cache/mod.ts";
import { describeError } from "../../../src/base/mod.ts";

Deno.test("metaNamespaceKeyFunc() joins namespace and name", () => {
  assertEquals(metaNamespaceKeyFunc({ metadata: { namespace: "ns", name: "a" } }), "ns/a");
  assertEquals(metaNamespaceKeyFunc({ metadata: { name: "a" } }), "a");
  assertEquals(metaNamespaceKeyFunc({ metadata: { namespace: "", name: "a" } }), "a");
});

Deno.test("metaNamespaceKeyFunc() returns the key of an ExplicitKey unchanged", () => {
  assertEquals(metaNamespaceKeyFunc(new ExplicitKey("anything/at/all")), "anything/at/all");
  assertEquals(deletionHandlingMetaNamespaceKeyFunc(new ExplicitKey("k")), "k");
});

Deno.test("metaNamespaceKeyFunc() describes an argument that has no key in its error", () => {
  const cases: [unknown, string][] = [
    [undefined, "undefined"],
    [null, "null"],
    ["ns/a", 'the string "ns/a"'],
    [7, "a number"],
    [[], "an array"],
    [{}, "an object without metadata"],
    [{ metadata: null }, "an object without metadata"],
    [{ kind: "Pod", metadata: {} }, "an object of kind Pod"],
    [
      { kind: "Pod", metadata: { namespace: "ns", generateName: "web-", uid: "u1" } },
      'an object of kind Pod, namespace "ns", generateName "web-", uid "u1"',
    ],
    [{ metadata: { name: "" } }, "an object: It has no metadata.name"],
    [new DeletedFinalStateUnknown("ns/a"), "an object without metadata"],
  ];
  for (const [given, named] of cases) {
    const error = assertThrows(() => metaNamespaceKeyFunc(given as never), Error, named);
    assert(KeyError.is(error), error.message);
    assertStrictEquals(error.obj, given);
  }
});

Deno.test("metaNamespaceKeyFunc() never reveals the contents of an object in its error", () => {
  const secret = { kind: "Secret", metadata: {}, data: { token: "aHVudGVyMg==" } };
  const error = assertThrows(() => metaNamespaceKeyFunc(secret), Error);
  assert(!error.message.includes("aHVudGVyMg"));
});

Deno.test("deletionHandlingMetaNamespaceKeyFunc() returns the key that a tombstone holds", () => {
  const tombstone = new DeletedFinalStateUnknown("other/key", { metadata: { name: "a" } });
  assertEquals(deletionHandlingMetaNamespaceKeyFunc(tombstone), "other/key");
  assertEquals(deletionHandlingMetaNamespaceKeyFunc({ metadata: { name: "a" } }), "a");
  assertThrows(() => deletionHandlingMetaNamespaceKeyFunc({ metadata: {} }), KeyError);
});

Deno.test("splitMetaNamespaceKey() splits keys of one and two parts", () => {
  const cases: [string, string, string][] = [
    ["a", "", "a"],
    ["ns/a", "ns", "a"],
    ["/b", "", "b"],
    ["ns/", "ns", ""],
    ["", "", ""],
  ];
  for (const [key, namespace, name] of cases) {
    assertEquals(splitMetaNamespaceKey(key), { namespace, name });
  }
});

Deno.test("splitMetaNamespaceKey() rejects keys of more than two parts", () => {
  assertThrows(() => splitMetaNamespaceKey("a/b/c"), Error, 'unexpected key format: "a/b/c"');
  assertThrows(() => splitMetaNamespaceKey("//"), Error, 'unexpected key format: "//"');
});

Deno.test("KeyError keeps the whole chain of causes", () => {
  const root = new Error("The root");
  const nested = new KeyError("inner", new KeyError("outer", root));
  assertStrictEquals((nested.cause as KeyError).cause, root);
  assert(describeError(nested).includes("The root"));
  assert(!KeyError.is(root) && !KeyError.is(undefined) && !KeyError.is("KeyError"));
});

Deno.test("KeyError.is() and DeletedFinalStateUnknown.is() recognize instances of another copy of the package", () => {
  const brandOf = (name: string) => ({ [Symbol.for(`kubeloop.${name}`)]: true });
  assert(KeyError.is(brandOf("KeyError")));
  assert(DeletedFinalStateUnknown.is(brandOf("DeletedFinalStateUnknown") as unknown));
  assert(!DeletedFinalStateUnknown.is({ key: "a", obj: undefined } as unknown));
  assert(!DeletedFinalStateUnknown.is(null as unknown));
});

Deno.test("metaNamespaceIndexFunc() returns the namespace, empty for cluster-scoped objects", () => {
  assertEquals(metaNamespaceIndexFunc({ metadata: { namespace: "ns", name: "a" } }), ["ns"]);
  assertEquals(metaNamespaceIndexFunc({ metadata: { name: "a" } }), [""]);
  assertThrows(() => metaNamespaceIndexFunc({} as never), TypeError, "no metadata");
});

Deno.test("indexFuncToKeyFuncAdapter() accepts exactly one value", () => {
  const keyFunc = indexFuncToKeyFuncAdapter((obj: string[]) => obj);
  assertEquals(keyFunc(["one"]), "one");
  assertEquals(keyFunc([""]), "");
  assertThrows(() => keyFunc([]), RangeError, "gave 0 values");
  assertThrows(() => keyFunc(["a", "b"]), RangeError, "gave 2 values");
});

Deno.test("joinMetaNamespaceKey() is the inverse of splitMetaNamespaceKey(), and rejects invalid parts", () => {
  for (const key of ["ns/a", "a"]) {
    const { namespace, name } = splitMetaNamespaceKey(key);
    assertEquals(joinMetaNamespaceKey(namespace, name), key);
  }
  for (const [namespace, name] of [["ns", ""], ["a/b", "c"], ["", "a/b"]] as const) {
    assertThrows(() => joinMetaNamespaceKey(namespace, name), TypeError, "Cannot make a key");
  }
  assertThrows(() => joinMetaNamespaceKey("ns", undefined as unknown as string), TypeError);
});
