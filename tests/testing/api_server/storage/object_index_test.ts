import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ResourceStore, StoredObject } from "../../../../src/testing/api_server/storage/mod.ts";
import type { KubeObject } from "../../../../src/types/mod.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

type Item = KubeObject & { readonly values: readonly number[] };

const valuesOf = ({ values }: Item) => values;

function stored(name: string, values: readonly number[], revision: number): [StoredObject, Item] {
  const object: Item = { metadata: { name }, values };
  return [new StoredObject(object, revision, JSON.stringify(object)), object];
}

const writes = fc.array(
  fc.record({
    how: fc.constantFrom("put", "restore", "remove"),
    name: fc.constantFrom("a", "b", "c", "d"),
    values: fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
  }),
  { maxLength: 20 },
);

Deno.test("ResourceStore.index() finds after each write what a search finds", () => {
  assertProperty(fc.property(writes, fc.nat(10), (writes, indexedFrom) => {
    const store = new ResourceStore("items", 1, 10);
    writes.forEach(({ how, name, values }, i) => {
      const previous = store.get(name);
      const revision = i + 2;
      const [object, value] = stored(name, values, revision);
      if (how === "restore") store.restore(object);
      else if (how === "put") {
        const type = previous === undefined ? "ADDED" : "MODIFIED";
        store.commit({ revision, type, object, previous }, value);
      } else if (previous !== undefined) {
        store.commit({ revision, type: "DELETED", object, previous }, value);
      }
      if (i < indexedFrom) return;
      for (const value of [0, 1, 2, 3]) {
        const found = store.list("").filter((one) => (one.parse() as Item).values.includes(value))
          .map(({ key }) => key);
        assertEquals([...store.index(valuesOf).keys(value)].sort(), found);
      }
    });
  }));
});
