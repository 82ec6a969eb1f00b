import { assertEquals } from "@std/assert";
import { valueAt } from "../../src/bytes/mod.ts";

function at(text: string, ...path: string[]): unknown {
  const bytes = new TextEncoder().encode(`,"${text}"}]`);
  return valueAt(bytes, 2, bytes.length - 3, path);
}

const POD =
  `{"metadata":{"labels":{"app":"web","a/b":"c"},"name":"p"},"spec":{"nodeName":"node-1","containers":[{"image":"a:1"},{"image":"b:2","ports":[80,443]}],"priority":0,"hostNetwork":false},"status":{"phase":"Running"}}`;

Deno.test("valueAt() finds a member on any level", () => {
  assertEquals(at(POD, "status", "phase"), "Running");
  assertEquals(at(POD, "metadata", "labels", "a/b"), "c");
  assertEquals(at(POD, "metadata", "labels"), { app: "web", "a/b": "c" });
  assertEquals(at(POD), JSON.parse(POD));
});

Deno.test("valueAt() returns values of every type", () => {
  const values = [0, -1.5e-7, true, false, null, "", "x", "é\n", [], {}, [1, [2]], {
    a: { b: "}" },
  }];
  for (const value of values) {
    for (const space of [undefined, 1]) {
      assertEquals(at(JSON.stringify({ a: value, b: 1 }, undefined, space), "a"), value);
      assertEquals(at(JSON.stringify({ b: "]", a: value }, undefined, space), "a"), value);
      assertEquals(at(JSON.stringify({ a: [1, value] }, undefined, space), "a", "1"), value);
    }
  }
});

Deno.test("valueAt() finds an element of an array by its index", () => {
  assertEquals(at(POD, "spec", "containers", "0", "image"), "a:1");
  assertEquals(at(POD, "spec", "containers", "1", "ports", "1"), 443);
  for (const index of ["2", "-1", "01", "1.0", "", "length", "x"]) {
    assertEquals(at(POD, "spec", "containers", index), undefined, index);
  }
  assertEquals(at(`{"a":[ ]}`, "a", "0"), undefined);
});

Deno.test("valueAt() returns undefined for a path that does not exist", () => {
  assertEquals(at(POD, "nothing"), undefined);
  assertEquals(at(POD, "nothing", "phase"), undefined);
  assertEquals(at(POD, "status", "phase", "0"), undefined);
  assertEquals(at(POD, "spec", "priority", "x"), undefined);
  assertEquals(at(POD, "spec", "hostNetwork", "x"), undefined);
  assertEquals(at(`{"a":null}`, "a", "b"), undefined);
  assertEquals(at(`{ }`, "a"), undefined);
});

Deno.test("valueAt() ignores inherited members", () => {
  for (const name of ["toString", "constructor", "__proto__", "length"]) {
    assertEquals(at(POD, name), undefined);
    assertEquals(at(POD, "metadata", "name", name), undefined);
  }
  assertEquals(at(`{"__proto__":{"a":1}}`, "__proto__", "a"), 1);
});

Deno.test("valueAt() uses the last of two members with the same name", () => {
  assertEquals(at(`{"a":{"b":1},"a":{"c":2}}`, "a", "b"), undefined);
  assertEquals(at(`{"a":{"b":1},"a":{"c":2}}`, "a", "c"), 2);
  assertEquals(at(`{"a":1,"\\u0061":2}`, "a"), 2);
});

Deno.test("valueAt() recognizes keys with escapes", () => {
  assertEquals(at(`{"\\u0061b":1}`, "ab"), 1);
  assertEquals(at(`{"gr\\u00fc\\u00df":1,"größe":2,"":3}`, "grüß"), 1);
  assertEquals(at(`{"grüß":1,"größe":2,"":3}`, "größe"), 2);
  assertEquals(at(`{"a":1,"":3}`, ""), 3);
  assertEquals(at(`{"a\\"":1,"a\\\\":2,"a":3}`, "a\\"), 2);
});

Deno.test("valueAt() ignores structural characters in strings", () => {
  const text = JSON.stringify({ x: `{"a":1}`, y: `\\"}],`, z: ["\\", "{[", { q: '"' }], a: 2 });
  assertEquals(at(text, "a"), 2);
  assertEquals(at(text, "z", "2", "q"), '"');
});

Deno.test("valueAt() skips whitespace anywhere", () => {
  const text = ` { "a" : [ 1 , { "b" : { } , "c" : true } ] , "d" : 5 } `.trim();
  assertEquals(at(text, "a", "1", "c"), true);
  assertEquals(at(text, "a", "0"), 1);
  assertEquals(at(text, "d"), 5);
});
