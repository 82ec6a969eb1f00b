import { assertEquals, assertThrows } from "@std/assert";
import { decodeProtobuf } from "../../../../src/testing/api_server/schema/protobuf/mod.ts";
import {
  ProtobufError,
  wireFields,
} from "../../../../src/testing/api_server/schema/protobuf/wire.ts";
import {
  ANY,
  type Field,
  type Presence,
  type ScalarType,
  type StructType,
  type Type,
} from "../../../../src/testing/values/mod.ts";

const scalar = (name: ScalarType["name"]): Type => ({ kind: "scalar", name });
const listOf = (item: Type): Type => ({ kind: "list", item, listType: "atomic", keys: [] });
const mapOf = (value: Type): Type => ({ kind: "map", value, atomic: false });

function struct(fields: Record<string, Type>, rest: Partial<StructType> = {}): StructType {
  const entries = Object.entries(fields).map(([name, type], index): [string, Field] => [
    name,
    { name, type, presence: "set", numbers: [index + 1], merge: false, retainKeys: false },
  ]);
  return { kind: "struct", name: "T", fields: new Map(entries), atomic: false, ...rest };
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
const number = (field: number, value: number) => [...varint(field * 8), ...varint(value)];
const bytes = (field: number, body: readonly number[] | string) => {
  const content = typeof body === "string" ? [...new TextEncoder().encode(body)] : body;
  return [...varint(field * 8 + 2), ...varint(content.length), ...content];
};

/** Decodes an object with these bytes, in the envelope that client-go puts around it. */
function decode(body: readonly number[], schema: StructType): unknown {
  const envelope = bytes(2, body);
  const value = decodeProtobuf(Uint8Array.from([0x6b, 0x38, 0x73, 0, ...envelope]), schema);
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** Decodes the only field of a struct. */
function valueOf(type: Type, body: readonly number[], presence: Presence = "set"): unknown {
  const one = struct({ x: type });
  const field = { ...one.fields.get("x")!, presence };
  return (decode(body, { ...one, fields: new Map([["x", field]]) }) as { x?: unknown }).x;
}

function errorOf(type: Type, body: readonly number[]): string {
  return assertThrows(() => valueOf(type, body), ProtobufError).message;
}

Deno.test("decodeProtobuf() reads each type of value", () => {
  const half = [0, 0, 0, 0, 0, 0, 0xe0, 0x3f];
  const time = bytes(1, [...number(1, 86_400), ...number(2, 1_999_999)]);
  for (
    const [type, body, expected] of [
      [scalar("string"), bytes(1, "ä"), "ä"],
      [scalar("bytes"), bytes(1, [0, 255]), "AP8="],
      [scalar("bool"), number(1, 1), true],
      [scalar("int32"), number(1, 300), 300],
      [scalar("int64"), [8, ...Array(9).fill(255), 1], -1],
      [scalar("float"), [9, ...half], 0.5],
      [scalar("quantity"), bytes(1, bytes(1, "5Gi")), "5Gi"],
      [scalar("intOrString"), bytes(1, [...number(1, 0), ...number(2, 80)]), 80],
      [scalar("intOrString"), bytes(1, [...number(1, 1), ...bytes(3, "web")]), "web"],
      [scalar("time"), time, "1970-01-02T00:00:00Z"],
      [scalar("microTime"), time, "1970-01-02T00:00:00.001999Z"],
      [ANY, bytes(1, bytes(1, '{"a":[1]}')), { a: [1] }],
      [listOf(scalar("int32")), [...number(1, 5), ...number(1, 600)], [5, 600]],
      [listOf(scalar("int32")), bytes(1, [5, ...varint(600), 7]), [5, 600, 7]],
      [listOf(scalar("string")), [...bytes(1, "a"), ...bytes(1, "")], ["a", ""]],
      [mapOf(scalar("string")), bytes(1, [...bytes(1, "k"), ...bytes(2, "v")]), { k: "v" }],
      [mapOf(scalar("string")), bytes(1, []), { "": "" }],
      [mapOf(scalar("int32")), bytes(1, bytes(1, "k")), { k: 0 }],
      [mapOf(scalar("int32")), bytes(1, [...bytes(1, "k"), ...number(2, 3)]), { k: 3 }],
      [
        mapOf(listOf(scalar("string"))),
        bytes(1, [...bytes(1, "k"), ...bytes(2, [...bytes(1, "a"), ...bytes(1, "b")])]),
        { k: ["a", "b"] },
      ],
      [struct({ a: scalar("string") }), bytes(1, bytes(1, "b")), { a: "b" }],
      [struct({ a: scalar("string") }, { orBool: true }), bytes(1, number(1, 1)), true],
      [struct({ a: scalar("string") }, { orBool: true }), bytes(1, number(1, 0)), undefined],
      [
        struct({ a: scalar("string") }, { orBool: true }),
        bytes(1, bytes(2, bytes(1, "b"))),
        { a: "b" },
      ],
      // A later field replaces an earlier one, and unknown fields of every wire type are skipped.
      [scalar("string"), [...bytes(1, "a"), ...bytes(1, "b")], "b"],
      [scalar("int32"), [...number(9, 1), ...bytes(9, "x"), ...number(1, 4)], 4],
      [scalar("int32"), [9 * 8 + 1, ...half, 9 * 8 + 5, 1, 2, 3, 4, ...number(1, 4)], 4],
    ] satisfies [Type, number[], unknown][]
  ) assertEquals(valueOf(type, body), expected, JSON.stringify([type, body]));
});

Deno.test("decodeProtobuf() keeps empty values only where Go has a pointer", () => {
  const empty: [Type, number[], unknown][] = [
    [scalar("string"), bytes(1, ""), ""],
    [scalar("int32"), number(1, 0), 0],
    [scalar("bool"), number(1, 0), false],
    [struct({ a: scalar("string") }), bytes(1, []), {}],
    [scalar("time"), bytes(1, []), null],
    [ANY, bytes(1, []), null],
  ];
  for (const [type, body, value] of empty) {
    assertEquals(valueOf(type, body), undefined);
    assertEquals(valueOf(type, body, "given"), value);
    assertEquals(valueOf(type, body, "nullable"), value);
  }
});

Deno.test("decodeProtobuf() reads fields that lie in a message of their own", () => {
  const one = struct({ a: scalar("string"), b: scalar("string") });
  const nested = (name: string, numbers: number[]): [string, Field] => [
    name,
    { ...one.fields.get(name)!, numbers },
  ];
  const schema = { ...one, fields: new Map([nested("a", [3, 1]), nested("b", [3, 2])]) };
  assertEquals(decode(bytes(3, [...bytes(1, "x"), ...bytes(2, "y")]), schema), { a: "x", b: "y" });
});

Deno.test("decodeProtobuf() says what is wrong with a message", () => {
  for (
    const [type, body, message] of [
      [scalar("string"), number(1, 1), "wrong wireType"],
      [scalar("int32"), bytes(1, "x"), "wrong wireType"],
      [scalar("float"), bytes(1, "x"), "a double has eight bytes"],
      [scalar("float"), number(1, 1), "wrong wireType"],
      [ANY, bytes(1, bytes(1, "{")), "a raw value that is not JSON"],
      [ANY, bytes(1, bytes(1, "[".repeat(600) + "]".repeat(600))), "a raw value that is too deep"],
      [scalar("time"), bytes(1, number(1, 9e15)), "a time out of range"],
      [mapOf(mapOf(ANY)), bytes(1, bytes(2, "x")), "a map within a map"],
    ] satisfies [Type, number[], string][]
  ) assertEquals(errorOf(type, body), message);
});

Deno.test("wireFields() reads every wire type, and refuses what is cut off or illegal", () => {
  const read = (...body: number[]) => [...wireFields(Uint8Array.from(body))];
  const error = (...body: number[]) => assertThrows(() => read(...body), ProtobufError).message;
  assertEquals(read(8, 0x80, 1), [{ number: 1, value: 128 }]);
  assertEquals(read(13, 1, 2, 3, 4), []);
  assertEquals(read(9, 1, 2, 3, 4, 5, 6, 7, 8).length, 1);
  assertEquals(read(10, 0), [{ number: 1, value: new Uint8Array() }]);
  assertEquals(error(8), "unexpected EOF");
  assertEquals(error(8, 0x80), "unexpected EOF");
  assertEquals(error(10, 2, 1), "unexpected EOF");
  assertEquals(error(13, 1, 2, 3), "unexpected EOF");
  assertEquals(error(9, 1, 2, 3, 4, 5, 6, 7), "unexpected EOF");
  assertEquals(error(10, ...Array(9).fill(255), 1), "unexpected EOF");
  assertEquals(error(8, ...Array(10).fill(255)), "integer overflow");
  assertEquals(error(0), "illegal tag 0");
  assertEquals([error(11), error(12), error(14)], [
    "illegal wireType 3",
    "illegal wireType 4",
    "illegal wireType 6",
  ]);
});
