import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { scanEvent, scanList, scanObject, valueAt } from "../../src/bytes/mod.ts";
import {
  expectedEvent,
  expectedList,
  expectedObject,
  foundEvent,
  foundList,
  foundObject,
  parse,
} from "./_judge.ts";
import { assertProperty } from "../support/seeded_runs.ts";

const encoder = new TextEncoder();
const RUNS = 500;
const LINE_FEED = 0x0a;

/** The keys of an object: keys that the scanner looks for, and other keys. */
const key = fc.oneof(
  fc.constantFrom("type", "object", "metadata", "name", "uid", "kind", "items", "__proto__"),
  fc.string({ unit: "grapheme" }),
);

const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const text = fc.option(fc.string({ unit: "binary" }), { nil: null, freq: 8 });
const metadata = fc.record(
  { name: text, namespace: text, uid: text, resourceVersion: text, labels: json },
  { requiredKeys: [], noNullPrototype: true },
);
const object = fc.record({ kind: text, apiVersion: text, metadata, spec: json, status: json }, {
  requiredKeys: [],
  noNullPrototype: true,
});
const indent = fc.constantFrom(undefined, 1, "\t", "\n\r");

function encode(value: unknown, space: string | number | undefined): Uint8Array {
  return encoder.encode(JSON.stringify(value, undefined, space));
}

Deno.test("scanObject() accepts every object and returns the fields that JSON.parse returns", () => {
  assertProperty(
    fc.property(object, indent, (value, space) => {
      const bytes = encode(value, space);
      const found = foundObject(scanObject(bytes, 0, bytes.length));
      assert(found !== undefined);
      assertEquals(found, expectedObject(parse(bytes)));
    }),
    RUNS,
  );
});

Deno.test("scanEvent() accepts every event and returns the fields that JSON.parse returns", () => {
  assertProperty(
    fc.property(fc.string(), object, json, indent, (type, value, more, space) => {
      const bytes = encode({ more, object: value, type }, space);
      const found = foundEvent(scanEvent(bytes, 0, bytes.length));
      assertEquals(found !== undefined, !bytes.includes(LINE_FEED));
      assertEquals(found, expectedEvent(bytes));
    }),
    RUNS,
  );
});

Deno.test("scanList() accepts every list and returns the items that JSON.parse returns", () => {
  assertProperty(
    fc.property(
      text,
      json,
      fc.array(object, { maxLength: 5 }),
      indent,
      (kind, meta, items, space) => {
        const bytes = encode({ kind, metadata: meta, items }, space);
        const found = foundList(scanList(bytes));
        assert(found !== undefined);
        assertEquals(found, expectedList(parse(bytes)));
      },
    ),
    RUNS,
  );
});

Deno.test("scanObject() agrees with JSON.parse on any JSON", () => {
  assertProperty(
    fc.property(json, indent, (value, space) => {
      const bytes = encode(value, space);
      const found = foundObject(scanObject(bytes, 0, bytes.length));
      assertEquals(found, expectedObject(parse(bytes)));
    }),
    RUNS,
  );
});

Deno.test("valueAt() finds every value of an object", () => {
  assertProperty(
    fc.property(
      fc.dictionary(key, json, { maxKeys: 5, noNullPrototype: true }),
      indent,
      (value, space) => {
        const bytes = encode(value, space);
        const visit = (path: string[], there: unknown) => {
          assertEquals(valueAt(bytes, 0, bytes.length, path), there);
          if (typeof there !== "object" || there === null) return;
          for (const [name, inside] of Object.entries(there)) visit([...path, name], inside);
        };
        visit([], parse(bytes));
      },
    ),
    RUNS,
  );
});
