import { assertEquals, assertStrictEquals } from "@std/assert";
import { transformStripManagedFields } from "../../../src/cache/mod.ts";
import type { Pod } from "../../../src/types/mod.ts";

Deno.test("transformStripManagedFields() removes managedFields, and can be applied twice", () => {
  const pod: Pod = {
    metadata: { name: "a", managedFields: [{ manager: "m" }], labels: { l: "1" } },
  };
  for (let i = 0; i < 2; i++) {
    assertStrictEquals(transformStripManagedFields(pod), pod);
    assertEquals(JSON.stringify(pod), '{"metadata":{"name":"a","labels":{"l":"1"}}}');
  }
});

Deno.test("transformStripManagedFields() does not change an object without managedFields", () => {
  const pod: Pod = Object.freeze({ metadata: Object.freeze({ name: "a" }) });
  assertEquals(Object.keys(transformStripManagedFields(pod).metadata), ["name"]);
});
