/** The objects of a resource with `fields` are the parts of whole objects, from every form and in every mode. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { silentLogger, stringifyJson } from "../../../src/base/mod.ts";
import { type Item, PackedObject, Packer } from "../../../src/cache/packed/mod.ts";
import { SharedInformer } from "../../../src/cache/mod.ts";
import { scanProtobufObject } from "../../../src/protobuf/mod.ts";
import { FakeControllerSource, VirtualClock } from "../../../src/testing/mod.ts";
import {
  defineResource,
  fieldsOf,
  type KubeObject,
  type Pod,
  Pods,
  type Resource,
} from "../../../src/types/mod.ts";
import { envelope, event, field } from "../../protobuf/_message.ts";
import { readPairs } from "../../protobuf/_pairs.ts";
import { testOn } from "../../support/kinds_of_tests.ts";
import { assertProperty } from "../../support/seeded_runs.ts";
import { unpacked } from "./_packed.ts";

type Paths = readonly (readonly string[])[];

const encoder = new TextEncoder();
const cache = { keepsBytes: true, keepsFieldsOf: undefined };

/** The paths that are kept of every object. */
const ALWAYS: Paths = [
  ["kind"],
  ["apiVersion"],
  ...("name namespace uid resourceVersion generation deletionTimestamp labels ownerReferences " +
    "finalizers").split(" ").map((name) => ["metadata", name]),
];

/** Returns what is left of a value at `here`: members on the paths, below them, and all other values on the way. */
function partOf(value: unknown, paths: Paths, here: readonly string[] = []): unknown {
  const isOn = (path: readonly string[]) => here.every((name, i) => path[i] === name);
  if (
    paths.some((path) => path.length <= here.length && path.every((name, i) => name === here[i]))
  ) {
    return value;
  }
  if (!paths.some(isOn)) return undefined;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, partOf(inner, paths, [...here, name])])
      .filter(([, inner]) => inner !== undefined),
  );
}

function expected(whole: unknown, paths: Paths): unknown {
  return partOf(whole, [...ALWAYS, ...paths]);
}

/** Returns the paths of all values in a value. */
function pathsIn(value: unknown, here: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = [...here, name];
    return [path, ...pathsIn(inner, path)];
  });
}

/** Asserts that an item consists of bytes, none of which belong to the answer of the server. */
function read(item: Item<KubeObject>, from: Uint8Array): KubeObject {
  assert(item instanceof PackedObject);
  assert(item.bytes.buffer !== from.buffer);
  assertEquals(item.slab, undefined);
  return unpacked(item as KubeObject);
}

const names = fc.constantFrom(
  "a",
  "b",
  "data",
  "spec",
  "tls.crt",
  "__proto__",
  "length",
  "0",
  "1",
  "ä\\",
);
const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, 1, 0.5, 9007199254740993n, "", "text", "ü\n", [], {}),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(names, tie("any"), { maxKeys: 4 }),
  ),
})).any;
const metadata = fc.record({
  name: fc.constantFrom("a", "ä"),
  namespace: fc.constantFrom("x", "y"),
  uid: fc.string(),
  resourceVersion: fc.constantFrom("1", "2"),
  generation: fc.nat(),
  creationTimestamp: fc.constant("2026-01-01T00:00:00Z"),
  deletionTimestamp: fc.constantFrom("2026-01-01T00:00:00Z"),
  labels: fc.dictionary(names, fc.string()),
  annotations: fc.dictionary(names, fc.string()),
  ownerReferences: fc.array(fc.record({ uid: fc.string(), controller: fc.boolean() })),
  finalizers: fc.array(fc.string()),
  managedFields: fc.array(fc.record({ manager: fc.string() })),
}, { requiredKeys: ["name"] });
const objects = fc.tuple(metadata, fc.dictionary(names, values, { maxKeys: 4 }))
  .map(([metadata, rest]) => ({ kind: "Thing", apiVersion: "acme.io/v1", ...rest, metadata }));
/** Choices among the paths of an object, paths beside them, and other paths. */
const choices = fc.array(
  fc.oneof(
    fc.record({ index: fc.nat(), beside: fc.constantFrom(undefined, "none", "length") }),
    fc.array(names, { minLength: 1, maxLength: 3 }),
  ),
  { maxLength: 4 },
);
type Choices = typeof choices extends fc.Arbitrary<infer C> ? C : never;

const Things: Resource = defineResource({
  group: "acme.io",
  version: "v1",
  plural: "things",
  kind: "Thing",
  namespaced: true,
});

function chosen(object: unknown, choice: Choices): string[][] {
  const known = pathsIn(object).filter((path) => !path.includes(""));
  return choice.map((one) => {
    if (Array.isArray(one)) return one;
    const path = known[one.index % known.length] ?? [];
    return one.beside === undefined ? [...path] : [...path.slice(0, -1), one.beside];
  });
}

/** Asserts that two values have the same JSON, except for the order of fields. `assertEquals` ignores `__proto__`. */
function assertSame(actual: unknown, expected: unknown): void {
  assertEquals(
    stringifyJson(actual, { sorted: true }),
    stringifyJson(expected, { sorted: true }),
  );
}

Deno.test("fieldsOf() keeps of JSON what it keeps of the parsed object, from lists and events", () => {
  assertProperty(fc.property(objects, choices, (object, choice) => {
    const paths = chosen(object, choice);
    const packer = new Packer<KubeObject>(cache, fieldsOf(Things, ...paths));
    const line = encoder.encode(`{"type":"ADDED","object":${stringifyJson(object)}}\n`);
    const added = packer.readEvent(line, 0, line.length)?.object as Item<KubeObject>;
    assertSame(read(added, line), expected(object, paths));

    const { kind: _, apiVersion: __, ...item } = object;
    const list = { kind: "ThingList", apiVersion: "acme.io/v1", metadata: {}, items: [item] };
    const body = encoder.encode(stringifyJson(list));
    const [listed] = packer.readList(body)?.items ?? [];
    assertSame(read(listed!, body), expected(object, paths));
  }));
});

testOn(
  ["deno"],
  "reads the recorded pairs with Deno",
  "fieldsOf() keeps of protobuf what it keeps of the decoded object, from lists and events",
  async () => {
    const pairs = await readPairs();
    for (const { bytes, json: { kind, apiVersion } } of pairs) {
      const [version = "", group = ""] = apiVersion.split("/").reverse();
      const resource = { group, version, plural: "any", kind, namespaced: true };
      const frame = event("ADDED", [...bytes]);
      const wholes = await new Packer<KubeObject>(cache, resource).protobuf();
      const whole = unpacked(wholes?.readEvent(frame, 0, frame.length)?.object as KubeObject);
      const raw = scanProtobufObject(bytes, 0, bytes.length)!;
      const body = Uint8Array.from(
        envelope(apiVersion, `${kind}List`, [
          field(1, [field(2, "7")]),
          field(2, [[...bytes.subarray(raw.start, raw.end)]]),
        ]),
      );
      await assertProperty(
        fc.asyncProperty(choices, async (choice) => {
          const paths = chosen(whole, choice);
          const packer = new Packer<KubeObject>(cache, fieldsOf(resource as Resource, ...paths));
          const reader = await packer.protobuf();
          const added = reader?.readEvent(frame, 0, frame.length)?.object as Item<KubeObject>;
          assertSame(read(added, frame), expected(whole, paths));
          const [listed] = reader?.readList(body)?.items ?? [];
          assertSame(read(listed!, body), expected(whole, paths));
        }),
        5,
      );
    }
  },
);

Deno.test("fieldsOf() keeps a value that JSON cannot express, without bytes", () => {
  const packer = new Packer<KubeObject>(cache, fieldsOf(Things, "spec"));
  const line = encoder.encode('{"type":"ADDED","object":{"metadata":{"name":"a"},"spec":1e999}}\n');
  assertEquals(packer.readEvent(line, 0, line.length)?.object, {
    metadata: { name: "a" },
    spec: Infinity,
  } as KubeObject);
});

Deno.test("An informer of fieldsOf() keeps the fields of parsed objects, which a transform sees", async () => {
  const clock = new VirtualClock();
  const source = new FakeControllerSource<KubeObject>();
  const seen: unknown[] = [];
  const pod = (name: string): Pod => ({
    metadata: { namespace: "x", name, annotations: { a: "b" } },
    spec: { nodeName: "n1", containers: [{ name: "main" }] },
  });
  source.add(pod("listed"));
  const pods = new SharedInformer<KubeObject>(source, {
    resource: fieldsOf(Pods, "spec.nodeName", "status.phase"),
    clock,
    logger: silentLogger,
    transform: (one) => {
      seen.push(structuredClone(one));
      return one;
    },
  });
  const stop = new AbortController();
  const running = pods.run({ signal: stop.signal });
  await clock.run(pods.whenSynced());
  source.add(pod("watched"));
  source.modify(pod("watched"));
  await clock.advance(100);
  assertEquals(pods.indexer.listKeys().toSorted(), ["x/listed", "x/watched"]);
  assert(seen.length >= 3);
  for (const object of [...seen, ...pods.indexer.list()] as Pod[]) {
    const { resourceVersion, ...kept } = object.metadata;
    assertEquals(kept, { namespace: "x", name: kept.name! });
    assertEquals(typeof resourceVersion, "string");
    assertEquals(object.spec as unknown, { nodeName: "n1" });
  }
  stop.abort();
  await clock.run(running);
});
