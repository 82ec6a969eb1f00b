import { assert, assertEquals, assertThrows } from "@std/assert";
import { jsonEqual, parseJson, stringifyJson, valueIn } from "../../src/base/mod.ts";
import {
  decodeObject,
  decodeStatus,
  loadTable,
  ProtobufError,
  scanProtobufEvent,
  scanProtobufObject,
  statusOf,
  type Table,
  valueInMessage,
} from "../../src/protobuf/mod.ts";
import { messagesOf } from "../../src/protobuf/table.ts";
import { decodeProtobuf } from "../../src/testing/api_server/schema/protobuf/mod.ts";
import { DEFAULT_RELEASE } from "../../src/testing/api_server/release/mod.ts";
import { decodeValue, SCHEMAS } from "../../src/testing/api_server/schema/mod.ts";
import {
  encodeJson,
  type Json as ServerJson,
  type StructType,
} from "../../src/testing/values/mod.ts";
import { fuzz } from "../support/seeded_runs.ts";
import { encodeObject } from "./_encoder.ts";
import { envelope, event, field, type FieldBytes, integer, varint } from "./_message.ts";
import { type Pair, readPairs } from "./_pairs.ts";
import { RandomObject } from "./_random_object.ts";

type Json = Record<string, unknown>;

const pairs = await readPairs();
const nameOf = ({ json }: Pair) => `${json.kind} of ${json.apiVersion}`;

function decodePair({ bytes, table }: Pair): Json {
  const { start, end, kind, apiVersion } = scanProtobufObject(bytes, 0, bytes.length)!;
  const type = { kind: kind!, apiVersion: apiVersion! };
  return decodeObject(table, bytes, start, end, type) as Json;
}

/** Returns a message of a table with this text. */
function messageOf(text: string, name = "T"): Table {
  const { messages } = messagesOf(text, (reference) => messages.get(reference)!);
  return messages.get(name)!;
}

/** Decodes the only field of a message, whose type is `type`. */
function decodeField(type: string, ...fields: readonly FieldBytes[]): unknown {
  const bytes = Uint8Array.from(fields.flat());
  const table = messageOf(`T x:${type}\nInner a:s,b:[i`);
  return (decodeObject(table, bytes, 0, bytes.length) as { x?: unknown }).x;
}

Deno.test("decodeObject() reads each object of Kubernetes' own tests like its JSON", () => {
  assert(pairs.length > 90);
  for (const pair of pairs) {
    const decoded = decodePair(pair);
    assert(jsonEqual(decoded, pair.json), nameOf(pair));
    assertEquals(Object.keys(decoded).slice(0, 2), ["kind", "apiVersion"]);
  }
});

Deno.test("the scan and decodeObject() agree about the metadata of each pair", () => {
  for (const pair of pairs) {
    const scanned = scanProtobufObject(pair.bytes, 0, pair.bytes.length)!;
    const metadata = pair.json.metadata as Json;
    for (const name of ["name", "namespace", "uid", "resourceVersion", "generation"] as const) {
      assertEquals(scanned[name], metadata[name], `${name} of ${nameOf(pair)}`);
    }
    assertEquals(scanned.deletionTimestamp, metadata.deletionTimestamp);
    assertEquals(scanned.finalizers, (metadata.finalizers as unknown[] | undefined)?.length ?? 0);
    assert(scanned.managedStart > scanned.start && scanned.managedEnd <= scanned.end);
  }
});

Deno.test("valueInMessage() returns each value of each pair", () => {
  for (const { bytes, json, table } of pairs) {
    const { start, end } = scanProtobufObject(bytes, 0, bytes.length)!;
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = json;
    for (const path of pathsIn(rest)) {
      const value = valueInMessage(table, bytes, start, end, path);
      assert(jsonEqual(value, valueIn(rest, path)), `${path} of ${json.kind}`);
      for (const last of ["absent", "0", "length", "__proto__", "constructor"]) {
        if (valueIn(rest, [...path, last]) !== undefined) continue;
        assertEquals(valueInMessage(table, bytes, start, end, [...path, last]), undefined);
      }
    }
  }
});

function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]));
  // Deep values are many, and alike.
  return path.length < 5 ? [path, ...inner] : [path];
}

Deno.test("decodeObject() reads random objects of all kinds as they were, and like the server", () =>
  fuzz(3_000, (random, inputs) => {
    const made = new RandomObject(random);
    let compared = 0;
    for (let input = 0; input < inputs; input++) {
      const { json: { kind, apiVersion }, table } = pairs[input % pairs.length]!;
      const object = made.object(table);
      const raw = [...encodeObject(table, object)];
      const bytes = Uint8Array.from(envelope(apiVersion, kind, [raw]));
      const { start, end } = scanProtobufObject(bytes, 0, bytes.length)!;
      const decoded = decodeObject(table, bytes, start, end);
      assertEquals(stringifyJson(sorted(decoded)), stringifyJson(sorted(object)), kind);
      const [version = "", group = ""] = apiVersion.split("/").reverse();
      const schema = SCHEMAS.kind(group, version, kind);
      // The server's tables simplify a field of schemas, and it types the claims of a StatefulSet later.
      if (schema === undefined || group === "apiextensions.k8s.io") continue;
      if (kind === "StatefulSet") continue;
      compared++;
      assertEquals(
        answerOf({ kind, apiVersion, ...decoded }, schema),
        answerOf(decodeProtobuf(bytes, schema), schema),
        kind,
      );
    }
    assert(compared > inputs / 4);
  }));

/** Returns what the server answers for an object: it adds what Go always writes. */
function answerOf(object: object, schema: StructType): unknown {
  const { kind = "", apiVersion = "" } = object as { kind?: string; apiVersion?: string };
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const release = DEFAULT_RELEASE;
  const info = { group, version, kind, plural: "things", namespaced: true, schema, release };
  const decoded = decodeValue(object as ServerJson, info, "Ignore", { text: "", repeated: [] });
  return JSON.parse(encodeJson(decoded.object as unknown as ServerJson, schema));
}

/** Returns a value with the members of objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, one]) => [
    key,
    sorted(one),
  ]);
}

Deno.test("decodeObject() reads each type of value", () => {
  const half = [9, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f];
  const moment = [integer(1, 86_400), integer(2, 1_999_999)];
  for (
    const [type, bytes, expected] of [
      ["s", field(1, "ä"), "ä"],
      ["s", field(1, "\ufeffa"), "\ufeffa"],
      ["s", field(1, "é".repeat(100)), "é".repeat(100)],
      ["s", field(1, "x".repeat(100)), "x".repeat(100)],
      ["s", field(1, [[0x61, 0xff]]), "a\ufffd"],
      ["y", field(1, [[0, 255]]), "AP8="],
      ["b", integer(1, 2), true],
      ["i", integer(1, 300), 300],
      ["i", integer(1, -5), -5],
      ["i", integer(1, 2n ** 32n + 7n), 7],
      ["l", integer(1, -5), -5],
      ["l", integer(1, 2n ** 53n), 2n ** 53n],
      ["l", integer(1, 2n ** 53n - 1n), 2 ** 53 - 1],
      ["l", integer(1, -(2n ** 63n)), -(2n ** 63n)],
      ["f", half, 0.5],
      ["q", field(1, [field(1, "5Gi")]), "5Gi"],
      ["q!", field(1, ""), "0"],
      ["o", field(1, [integer(1, 0), integer(2, 80), field(3, "")]), 80],
      ["o", field(1, [integer(1, 1), integer(2, 0), field(3, "web")]), "web"],
      ["o!", field(1, ""), 0],
      ["t", field(1, moment), "1970-01-02T00:00:00Z"],
      ["u", field(1, moment), "1970-01-02T00:00:00.001999Z"],
      ["t!", field(1, ""), null],
      ["t?", field(1, [integer(1, -62_135_596_800)]), null],
      ["u!", field(1, ""), null],
      [
        "r",
        field(1, [field(1, '{"a":[9007199254740993],"__proto__":1}')]),
        parseJson(
          '{"a":[9007199254740993],"__proto__":1}',
        ),
      ],
      ["r?", field(1, ""), null],
      ["[i", [...integer(1, 5), ...integer(1, 600)], [5, 600]],
      ["[i", field(1, [[5, ...varint(600), 7]]), [5, 600, 7]],
      ["[s", [...field(1, "a"), ...field(1, "")], ["a", ""]],
      ["{s", field(1, [field(1, "k"), field(2, "v")]), { k: "v" }],
      ["{s", field(1, [field(2, "v"), field(1, "k")]), { k: "v" }],
      ["{s", field(1, ""), { "": "" }],
      ["{i", field(1, [field(1, "k")]), { k: 0 }],
      ["{b", field(1, [field(1, "k"), integer(2, 1)]), { k: true }],
      ["{[s", field(1, [field(1, "k"), field(2, [field(1, "a"), field(1, "b")])]), {
        k: ["a", "b"],
      }],
      ["{Inner", field(1, [field(1, "k")]), { k: {} }],
      ["Inner", field(1, [field(1, "a"), integer(2, 1)]), { a: "a", b: [1] }],
      ["|Inner?", field(1, [integer(1, 1)]), true],
      ["|Inner?", field(1, [integer(1, 0)]), false],
      ["|Inner?", field(1, [integer(1, 1), field(2, [field(1, "a")])]), { a: "a" }],
      ["&Inner?", field(1, [field(1, [field(1, "a")])]), { a: "a" }],
      ["&Inner?", field(1, [field(2, [field(1, "a")]), field(2, "")]), [{ a: "a" }, {}]],
      ["^Inner", field(1, [field(2, "a")]), ["a"]],
      // Unknown fields of each wire type.
      ["i", [...integer(9, 1), ...field(9, "x"), ...integer(1, 4)], 4],
      ["i", [73, ...Array(8).fill(0), 77, 0, 0, 0, 0, ...integer(1, 4)], 4],
      ["[s", [...field(1, "a"), ...field(9, "x"), ...field(1, "b")], ["a", "b"]],
      // The last of several counts, and messages are merged.
      ["s", [...field(1, "a"), ...field(1, "b")], "b"],
      ["s", [...field(1, "a"), ...field(1, "")], undefined],
      ["i", [...integer(1, 1), ...integer(1, 0)], undefined],
      ["Inner", [...field(1, [field(1, "a"), integer(2, 1)]), ...field(1, [integer(2, 2)])], {
        a: "a",
        b: [1, 2],
      }],
    ] satisfies [string, FieldBytes, unknown][]
  ) {
    const decoded = decodeField(type, bytes);
    assert(jsonEqual(decoded ?? null, expected ?? null), `${type}: ${decoded}`);
    assertEquals(typeof decoded, typeof expected, type);
  }
});

Deno.test("decodeObject() keeps empty values where Go has a pointer, and null where it has nil", () => {
  const values: [string, FieldBytes, unknown][] = [
    ["s", field(1, ""), ""],
    ["i", integer(1, 0), 0],
    ["b", integer(1, 0), false],
    ["y", field(1, ""), ""],
  ];
  for (const [type, bytes, value] of values) {
    assertEquals(decodeField(type, bytes), undefined);
    for (const presence of ["!", "?", "~"]) {
      assertEquals(decodeField(type + presence, bytes), value);
    }
  }
  for (const type of ["[s!", "{s!", "y!", "r!", "s~", "Inner~"]) {
    assertEquals(decodeField(type), null);
  }
  for (const type of ["s", "s!", "s?", "[s", "Inner!"]) assertEquals(decodeField(type), undefined);
});

Deno.test("decodeObject() keeps __proto__ as data", () => {
  const labels = decodeField("{s", field(1, [field(1, "__proto__"), field(2, "v")])) as Json;
  assertEquals(Object.keys(labels), ["__proto__"]);
  assertEquals(Object.getPrototypeOf(labels), Object.prototype);
});

Deno.test("decodeObject() gives plain objects, and reads inlined messages", () => {
  const table = messageOf("T a:s,(b:s,3(c:s)),[,d:i".replace(",[", ""));
  const inner = [field(1, "b"), field(3, [field(1, "c")])];
  const bytes = Uint8Array.from([field(1, "a"), field(2, inner), integer(3, 4)].flat());
  const decoded = decodeObject(table, bytes, 0, bytes.length);
  assertEquals(decoded, { a: "a", b: "b", c: "c", d: 4 });
  assertEquals(Object.getPrototypeOf(decoded), Object.prototype);
  assertEquals(valueInMessage(table, bytes, 0, bytes.length, ["c"]), "c");
});

Deno.test("decodeObject() says what is wrong with a message", () => {
  for (
    const [type, bytes, message] of [
      ["s", integer(1, 1), "another wire type"],
      ["i", field(1, [[0x80]]), "another wire type"],
      ["Inner", integer(1, 1), "another wire type"],
      ["{i", integer(1, 1), "another wire type"],
      ["f", integer(1, 1), "another wire type"],
      ["f", [9, 1, 2], "truncated or not finite"],
      ["f", [9, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f], "truncated or not finite"],
      ["s", [10, 200, 1], "a length exceeds"],
      ["s", [10, 5, 1], "a length exceeds"],
      ["s", [10, ...Array(9).fill(255), 1], "a length exceeds"],
      ["i", [8, 0x80], "a number is truncated"],
      ["i", [8, ...Array(10).fill(255), 1], "a number is truncated"],
      ["s", [2, 0], "a field number is illegal"],
      ["s", [11], "another wire type"],
      ["s", [75], "an unknown field is malformed"],
      ["r", field(1, [field(1, "{")]), "not JSON"],
      ["r", field(1, [integer(1, 1)]), "a raw value is malformed"],
      ["q", field(1, [integer(1, 1)]), "a quantity is malformed"],
      ["t", field(1, [integer(1, 1e12)]), "beyond the year 9999"],
      ["o", field(1, [field(1, "")]), "an IntOrString is malformed"],
      ["{s", field(1, [integer(1, 1)]), "the key of a map entry"],
      ["{s", field(1, [integer(2, 1)]), "another wire type"],
    ] satisfies [string, FieldBytes, string][]
  ) {
    const error = assertThrows(() => decodeField(type, bytes), ProtobufError, message, type);
    assertEquals(error.name, "ProtobufError");
  }
});

Deno.test("decodeObject() refuses messages nested deeper than 100", async () => {
  const table = (await loadTable({
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
  }))!;
  const decodeNested = (depth: number) => {
    let schema: FieldBytes = [];
    for (let i = 0; i < depth; i++) schema = field(28, [schema]); // `not`
    const version = field(7, [field(4, [field(1, [schema])])]);
    const bytes = Uint8Array.from(field(2, [version]));
    return decodeObject(table, bytes, 0, bytes.length);
  };
  decodeNested(90);
  assertThrows(() => decodeNested(200), ProtobufError, "nested deeper than 100");
});

Deno.test("decodeObject() and valueInMessage() throw nothing but ProtobufError for mutated bytes", () =>
  fuzz(20_000, (random, inputs) => {
    const made = new RandomObject(random);
    const counts = { accepted: 0, refused: 0 };
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      for (let input = 0; input < inputs; input++) {
        const { bytes: whole, table } = made.pick(pairs);
        const { start, end } = scanProtobufObject(whole, 0, whole.length)!;
        const bytes = whole.slice(
          start,
          made.below(4) === 0 ? start + made.below(end - start) : end,
        );
        for (let changes = made.below(4); changes > 0; changes--) {
          bytes[made.below(bytes.length)] = made.pick([0, 1, 0x7f, 0x80, 255, made.below(256)]);
        }
        const path = ["metadata", made.pick(["labels", "ownerReferences", "name"]), "0", "name"];
        for (
          const read of [
            () => decodeObject(table, bytes, 0, bytes.length),
            () => valueInMessage(table, bytes, 0, bytes.length, path),
          ]
        ) {
          try {
            read();
            counts.accepted++;
          } catch (error) {
            if (!(error instanceof ProtobufError)) throw error;
            counts.refused++;
          }
        }
      }
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
    assert(counts.accepted > inputs / 20 && counts.refused > inputs / 20, stringifyJson(counts));
  }));

Deno.test("decodeStatus() reads the Status of an error and of an ERROR event", () => {
  const body = envelope("v1", "Status", [
    field(1, [field(1, ""), field(2, ""), field(3, "")]),
    field(2, "Failure"),
    field(3, "too old resource version"),
    field(4, "Expired"),
    field(5, [field(1, "web"), field(2, ""), field(4, [field(2, "why")]), integer(5, 3)]),
    integer(6, 410),
  ]);
  const expected = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "too old resource version",
    reason: "Expired",
    details: { name: "web", causes: [{ message: "why" }], retryAfterSeconds: 3 },
    code: 410,
  };
  assertEquals(decodeStatus(Uint8Array.from(body)), expected);
  const frame = event("ERROR", body);
  assertEquals(statusOf(scanProtobufEvent(frame, 0, frame.length)!.object), expected);
});

Deno.test("decodeStatus() returns undefined for other objects and malformed bytes", () => {
  const pod = envelope("v1", "Pod", [field(1, [])]);
  const malformed = envelope("v1", "Status", [field(6, "")]);
  const json = [...new TextEncoder().encode('{"kind":"Status"}')];
  for (const bytes of [pod, malformed, json, []]) {
    assertEquals(decodeStatus(Uint8Array.from(bytes)), undefined);
  }
});

Deno.test("decodeObject() gives the claims of a StatefulSet the type that they have in JSON", async () => {
  const table = (await loadTable({ group: "apps", version: "v1", kind: "StatefulSet" }))!;
  const claim = [field(1, [field(1, "data")])];
  const bytes = Uint8Array.from([field(1, [field(1, "a")]), field(2, [field(4, claim)])].flat());
  const expected = { kind: "PersistentVolumeClaim", apiVersion: "v1" };
  // deno-lint-ignore no-explicit-any
  const { spec } = decodeObject(table, bytes, 0, bytes.length) as any;
  const [{ kind, apiVersion, metadata }] = spec.volumeClaimTemplates;
  assertEquals({ kind, apiVersion }, expected);
  assertEquals(metadata.name, "data");
  const path = ["spec", "volumeClaimTemplates", "0", "kind"];
  assertEquals(valueInMessage(table, bytes, 0, bytes.length, path), expected.kind);
});
