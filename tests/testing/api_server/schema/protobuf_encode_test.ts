import { DEFAULT_MINOR, MINOR_VERSIONS } from "../../../../src/testing/api_server/release/mod.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { randomInt } from "../../../../src/base/mod.ts";
import {
  answerSchema,
  canonical,
  decodeProtobuf,
  encodeList,
  encodeMessage,
  encodeProtobuf,
  envelope,
  fromProtobuf,
  schemasOf,
  watchFrame,
} from "../../../../src/testing/api_server/schema/mod.ts";
import {
  encodeJson,
  type Field,
  type JsonObject,
  type Presence,
  type ScalarType,
  type StructType,
  type Type,
} from "../../../../src/testing/values/mod.ts";
import { readRecording } from "../../../conformance/recording.ts";
import type { ProtobufEntry } from "../../../conformance/sets/protobuf.ts";
import { RandomObjects } from "../../../support/random_objects.ts";
import { assertProperty, forEachSeed } from "../../../support/seeded_runs.ts";

/** Kinds without a pair: options, and kinds of modules that record none. */
const WITHOUT_PAIR = [
  "apiextensions.ConversionReview",
  "apiregistration.APIService",
  "core.NodeProxyOptions",
  "core.PodAttachOptions",
  "core.PodExecOptions",
  "core.PodLogOptions",
  "core.PodPortForwardOptions",
  "core.PodProxyOptions",
  "core.SerializedReference",
  "core.ServiceProxyOptions",
];

/** Its pair has a schema with dependencies, and with items that are a list. A server refuses that. */
const REFUSED = "apiextensions.CustomResourceDefinition";

Deno.test("encodeProtobuf() writes the bytes that Go writes, for every kind that the server has", async () => {
  const schemas = schemasOf(DEFAULT_MINOR);
  const encoded = new Set([...WITHOUT_PAIR, REFUSED]);
  for (const entry of await readRecording("protobuf", DEFAULT_MINOR)) {
    const { json, protobuf } = entry as unknown as ProtobufEntry;
    const { apiVersion, kind } = json;
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    const schema = schemas.kind(group, version, kind);
    if (schema === undefined || schema.id === REFUSED) continue;
    const bytes = Uint8Array.from(atob(protobuf), (char) => char.charCodeAt(0));
    assertEquals(encodeProtobuf(json as JsonObject, schema), bytes, schema.id);
    encoded.add(schema.id!);
  }
  const missing = schemas.names.filter((name) =>
    schemas.kindOf(name) !== undefined && !encoded.has(name) && !name.endsWith("List")
  );
  assertEquals(missing, []);
});

for (const minor of MINOR_VERSIONS) {
  Deno.test(`decodeProtobuf() reads what encodeProtobuf() writes, for every kind of ${minor}`, async () => {
    const schemas = schemasOf(minor);
    const kinds = schemas.names.flatMap((name) => schemas.kindOf(name) ?? []);
    await forEachSeed(300, (random) => {
      const { group, version, kind } = kinds[randomInt(random, kinds.length)]!;
      const schema = schemas.kind(group, version, kind)!;
      const apiVersion = group === "" ? version : `${group}/${version}`;
      const given = new RandomObjects(random).struct(schema);
      const object = canonical({ ...given, kind, apiVersion }, schema);
      const decoded = decodeProtobuf(encodeProtobuf(object, schema), schema);
      const text = (value: JsonObject) => encodeJson(canonical(value, schema), schema);
      assertEquals(text(decoded), text(fromProtobuf(object, schema)), kind);
    });
  });
}

const scalar = (name: ScalarType["name"]): Type => ({ kind: "scalar", name });

function struct(fields: Record<string, Type>, presence: Presence = "set"): StructType {
  const entries = Object.entries(fields).map(([name, type], index): [string, Field] => [
    name,
    { name, type, presence, numbers: [index + 1], merge: false, retainKeys: false },
  ]);
  return { kind: "struct", name: "T", fields: new Map(entries), atomic: false };
}

Deno.test("encodeMessage() writes the zero value of a field without a pointer", () => {
  const any: Type = { kind: "any" };
  const of = (type: Type, presence: Presence, value?: JsonObject) =>
    encodeMessage(value ?? {}, struct({ x: type }, presence)).toHex();
  const cases: readonly (readonly [Type, string])[] = [
    [scalar("string"), "0a00"],
    [scalar("int64"), "0800"],
    [scalar("bool"), "0800"],
    [scalar("float"), "090000000000000000"],
    [scalar("quantity"), "0a030a0130"],
    [scalar("intOrString"), "0a06080010001a00"],
    [scalar("time"), "0a00"],
    [scalar("bytes"), ""],
    [any, "0a00"],
    [struct({ y: scalar("string") }), "0a020a00"],
    [{ kind: "list", item: any, listType: "atomic", keys: [] }, ""],
    [{ kind: "map", value: any, atomic: false }, ""],
  ];
  for (const [type, zero] of cases) {
    assertEquals([of(type, "set"), of(type, "always")], [zero, zero], JSON.stringify(type));
    assertEquals([of(type, "given"), of(type, "nullable", { x: null })], ["", ""]);
  }
});

Deno.test("encodeMessage() writes integers of 64 bits, and texts of every length", () => {
  const number = (x: number | bigint) =>
    encodeMessage({ x }, struct({ x: scalar("int64") })).toHex();
  assertEquals(number(127), "087f");
  assertEquals(number(128), "088001");
  assertEquals(number(16383), "08ff7f");
  assertEquals(number(16384), "08808001");
  assertEquals(number(2 ** 53 - 1), "08ffffffffffffff0f");
  assertEquals(number(9223372036854775807n), "08ffffffffffffffff7f");
  assertEquals(number(0n), "0800");
  assertEquals(number(-1), "08ffffffffffffffffff01");
  assertProperty(fc.property(fc.string({ unit: "binary", maxLength: 5000 }), (x) => {
    const schema = struct({ x: scalar("string") });
    const object = { kind: "T", apiVersion: "v1", x };
    const decoded = decodeProtobuf(encodeProtobuf(object, schema), schema);
    assertEquals(decoded["x"] ?? "", x.toWellFormed());
  }));
});

Deno.test("encodeMessage() writes the entries of a map in the order of their keys", () => {
  const schema = struct({ x: { kind: "map", value: scalar("string"), atomic: false } });
  const message = encodeMessage({ x: { b: "2", "10": "3", a: "1" } }, schema);
  assertEquals(message, encodeMessage({ x: { a: "1", b: "2", "10": "3" } }, schema));
  assertEquals(message.toHex(), "0a070a0231301201330a060a01611201310a060a0162120132");
});

Deno.test("encodeList() and watchFrame() put messages into a list and into a frame", () => {
  const schemas = schemasOf("1.35");
  const schema = schemas.kind("", "v1", "ConfigMap")!;
  const item = (name: string) => ({ metadata: { name }, data: { a: "b".repeat(300) } });
  const items = ["a", "b"].map(item);
  const list = {
    kind: "ConfigMapList",
    apiVersion: "v1",
    metadata: { resourceVersion: "7" },
    items,
  };
  const named = { kind: list.kind, apiVersion: list.apiVersion };
  const metadata = encodeMessage(list.metadata, schemas.struct("meta.ListMeta"));
  const body = encodeList(named, metadata, items.map((one) => encodeMessage(one, schema)));
  assertEquals(body, encodeProtobuf(list, schemas.kind("", "v1", "ConfigMapList")!));
  const object = envelope(
    { kind: "ConfigMap", apiVersion: "v1" },
    encodeMessage(items[0]!, schema),
  );
  const frame = watchFrame("ADDED", object);
  assertEquals(new DataView(frame.buffer).getUint32(0), frame.length - 4);
  const event = struct({ type: scalar("string"), object: struct({ raw: scalar("bytes") }) });
  const raw = object.toBase64();
  assertEquals(
    frame.subarray(4),
    encodeMessage({ type: "ADDED", object: { raw } }, event),
  );
});

Deno.test("answerSchema() knows the metadata of other objects, and no kind that is not there", () => {
  const schemas = schemasOf("1.35");
  const kinds = ["PartialObjectMetadata", "PartialObjectMetadataList"];
  for (const version of ["meta.k8s.io/v1", "meta.k8s.io/v1beta1"]) {
    for (const kind of kinds) assertEquals(answerSchema(schemas, version, kind).name, kind);
  }
  let error: unknown;
  try {
    answerSchema(schemas, "v1", "Nope");
  } catch (thrown) {
    error = thrown;
  }
  assert(error instanceof RangeError);
});
