import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { CONTROL_ANNOTATIONS } from "../../src/base/mod.ts";
import { scanEvent, scanList, scanObject } from "../../src/bytes/mod.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function object(text: string | Uint8Array) {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  return scanObject(bytes, 0, bytes.length);
}

function event(text: string) {
  const bytes = encoder.encode(text);
  return scanEvent(bytes, 0, bytes.length);
}

function list(text: string) {
  return scanList(encoder.encode(text));
}

/** The positions in a scanned object. */
const POSITIONS = ["bytes", "start", "end", "managedStart", "managedEnd", "metadataStart"];

/** Returns the fields of a scanned object that are not undefined or 0, without its positions. */
function fields(scanned: ReturnType<typeof scanObject>): Record<string, string> {
  assert(scanned !== undefined);
  const members = Object.entries(scanned).filter(([name, value]) =>
    !POSITIONS.includes(name) && (value ?? 0) !== 0 && value !== false
  );
  return Object.fromEntries(members) as Record<string, string>;
}

function textOf(scanned: ReturnType<typeof scanObject>): string {
  assert(scanned !== undefined);
  return decoder.decode(scanned.bytes.subarray(scanned.start, scanned.end));
}

const POD =
  `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"n","uid":"u-1","resourceVersion":"7","labels":{"name":"x"}},"spec":{"metadata":{"uid":"no"}}}`;
const POD_FIELDS = {
  kind: "Pod",
  apiVersion: "v1",
  namespace: "n",
  name: "p",
  uid: "u-1",
  resourceVersion: "7",
};

/** Returns the bytes of JSON text in which `?` is replaced by the given bytes. */
function withBytes(text: string, ...inserted: number[]): Uint8Array {
  const at = text.indexOf("?");
  return Uint8Array.from([
    ...encoder.encode(text.slice(0, at)),
    ...inserted,
    ...encoder.encode(text.slice(at + 1)),
  ]);
}

Deno.test("scanEvent() returns the type, and the identity and location of the object", () => {
  const found = event(`{"type":"MODIFIED","object":${POD}}`);
  assertEquals(found?.type, "MODIFIED");
  assertEquals(fields(found?.object), POD_FIELDS);
  assertEquals(textOf(found?.object), POD);
});

Deno.test("scanEvent() accepts a line with its line break, LF or CRLF", () => {
  for (const end of ["", "\n", "\r\n"]) {
    assertEquals(textOf(event(`{"type":"ADDED","object":${POD}}${end}`)?.object), POD);
  }
});

Deno.test("scanEvent() reads the given range and nothing else", () => {
  const line = `{"type":"ADDED","object":${POD}}`;
  const bytes = encoder.encode(`"{[${line}\n${line}}"`);
  const found = scanEvent(bytes, 3, 3 + line.length);
  assertEquals(fields(found?.object), POD_FIELDS);
  assertStrictEquals(found?.object.bytes, bytes);
  assertEquals(textOf(found?.object), POD);
  assertEquals(scanEvent(bytes, 3, 2 + line.length), undefined);
  const first = scanEvent(bytes, 3, bytes.length);
  assertEquals([textOf(first?.object), first?.end], [POD, 3 + line.length], "the first line");
  assertEquals(scanEvent(bytes, 4, 3 + line.length), undefined);
});

Deno.test("scanEvent() rejects an event that continues after a line break, as JSON.parse of the line does", () => {
  const text = `{"type":"ADDED","object":${POD}}`;
  for (const at of [0, 1, text.indexOf(":"), text.indexOf(":") + 1, text.length - 1]) {
    for (const lineBreak of ["\n", " \r\n "]) {
      assertEquals(event(text.slice(0, at) + lineBreak + text.slice(at)), undefined, `${at}`);
    }
  }
  assertEquals(event(`${text} \t\r\nanything`)?.end, text.length + 3);
  assertEquals(event(`${text} x\n`), undefined);
});

Deno.test("scanEvent() reads no byte after its line: a chunk of unfinished lines costs no more than its length", () => {
  const event = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}';
  const lines = [
    event,
    "[",
    '{"a',
    '{"a":',
    '{"a":1,',
    '{"a":"\\',
    "-",
    "tru",
    "",
    " ",
    "[".repeat(600),
  ];
  for (const line of lines) {
    const bytes = encoder.encode(`${line}\n${line}\n`.repeat(3));
    let furthest = -1;
    const watched = new Proxy(bytes, {
      get: (target, name) => {
        if (typeof name === "string" && /^\d+$/.test(name)) {
          if (Number(name) < target.length) furthest = Math.max(furthest, Number(name));
        }
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    scanEvent(watched, 0, bytes.length);
    assert(furthest <= line.length, `${line}: read byte ${furthest}`);
  }
});

Deno.test("scanEvent() rejects a line that is truncated anywhere", () => {
  const line = encoder.encode(
    `{"type":"ADDED","object":{"k\\u0069nd":"\\u00e9é","a":[-1.5e-7,true,null,{}],"metadata":{"uid":"u"}}}`,
  );
  for (let end = 0; end < line.length; end++) {
    assertEquals(scanEvent(line, 0, end), undefined, `${end}`);
  }
  assert(scanEvent(line, 0, line.length) !== undefined);
});

Deno.test("scanEvent() accepts members in any order, and other members", () => {
  const found = event(`{"more":[{"type":"no"}],"object":${POD},"type":"DELETED","object2":{}}`);
  assertEquals(found?.type, "DELETED");
  assertEquals(fields(found?.object), POD_FIELDS);
});

Deno.test("scanEvent() rejects an event without a type or an object", () => {
  for (
    const text of [
      `{"object":${POD}}`,
      `{"type":null,"object":${POD}}`,
      `{"type":1,"object":${POD}}`,
      `{"type":"ADDED"}`,
      `{"type":"ADDED","object":null}`,
      `{"type":"ADDED","object":[]}`,
      `{"type":"ADDED","object":"{}"}`,
      `{"type":"ADDED","object":{},"object":7}`,
      `[{"type":"ADDED","object":${POD}}]`,
      "null",
      `""`,
      "",
      " ",
      "\n",
    ]
  ) assertEquals(event(text), undefined, text);
});

Deno.test("scanObject() accepts keys in the alphabetical order of custom resources", () => {
  const found = object(
    `{"apiVersion":"demo.example.com/v1","kind":"Widget","metadata":{"name":"w","namespace":"n","resourceVersion":"9","uid":"u"},"spec":{}}`,
  );
  assertEquals(fields(found), {
    kind: "Widget",
    apiVersion: "demo.example.com/v1",
    namespace: "n",
    name: "w",
    uid: "u",
    resourceVersion: "9",
  });
});

Deno.test("scanObject() returns undefined for a field that is absent or null", () => {
  assertEquals(fields(object("{}")), {});
  assertEquals(fields(object(`{"metadata":null,"kind":null}`)), {});
  assertEquals(fields(object(`{"metadata":{}}`)), {});
  assertEquals(fields(object(`{"metadata":{"name":null,"uid":"u"}}`)), { uid: "u" });
});

Deno.test("scanObject() returns what a controller asks of each version", () => {
  const found = (metadata: string) => {
    const { generation, deletionTimestamp, finalizers } = object(`{"metadata":${metadata}}`)!;
    return { generation, deletionTimestamp, finalizers };
  };
  const nothing = { generation: undefined, deletionTimestamp: undefined, finalizers: 0 };
  assertEquals(found("{}"), nothing);
  assertEquals(found(`{"generation":null,"deletionTimestamp":null,"finalizers":null}`), nothing);
  assertEquals(found(`{"generation":"7","finalizers":{"a":1}}`), nothing);
  assertEquals(
    found(
      `{"finalizers":["a", "b,\\"]"],"generation":12,"deletionTimestamp":"2026-01-02T03:04:05Z"}`,
    ),
    { generation: 12, deletionTimestamp: "2026-01-02T03:04:05Z", finalizers: 2 },
  );
  for (const generation of [0, -3, 1e15, 123456789012345, 2.5, 1e21]) {
    assertEquals(found(`{"generation":${generation}}`).generation, generation);
  }
});

Deno.test("scanObject() rejects a field of another type", () => {
  for (const value of ["1", "true", "false", "{}", "[]", `["a"]`]) {
    assertEquals(object(`{"kind":${value}}`), undefined);
    assertEquals(object(`{"apiVersion":${value}}`), undefined);
    for (const name of ["name", "namespace", "uid", "resourceVersion", "deletionTimestamp"]) {
      assertEquals(object(`{"metadata":{"${name}":${value}}}`), undefined, `${name}: ${value}`);
    }
  }
  for (const value of ["1", "true", `""`, "[]"]) {
    assertEquals(object(`{"metadata":${value}}`), undefined, value);
  }
});

Deno.test("scanObject() uses the last of two members with the same name, on every level", () => {
  assertEquals(fields(object(`{"kind":"A","kind":"B"}`)), { kind: "B" });
  assertEquals(fields(object(`{"kind":1,"kind":"B"}`)), { kind: "B" });
  assertEquals(fields(object(`{"kind":"A","kind":null}`)), {});
  assertEquals(
    fields(object(`{"metadata":{"name":"a","uid":"u"},"metadata":{"name":"b"}}`)),
    { name: "b" },
  );
  assertEquals(fields(object(`{"metadata":{"name":"a"},"metadata":null}`)), {});
  assertEquals(fields(object(`{"metadata":7,"metadata":{"name":"a"}}`)), { name: "a" });
  const second = event(`{"type":"A","object":${POD},"type":"B","object":{"kind":"C"}}`);
  assertEquals(second?.type, "B");
  assertEquals(fields(second?.object), { kind: "C" });
  assertEquals(textOf(second?.object), `{"kind":"C"}`);
});

Deno.test("scanObject() forgets the members of earlier scans", () => {
  object(POD);
  assertEquals(fields(object(`{"kind":"Other"}`)), { kind: "Other" });
  object(`{"metadata":{"name":"a"},`);
  assertEquals(fields(object(`{"kind":"Other"}`)), { kind: "Other" });
});

Deno.test("scanObject() recognizes keys with escapes", () => {
  const spelt =
    `{"\\u006bind":"Pod","meta\\u0064ata":{"\\u006e\\u0061\\u006D\\u0065":"a","ui\\u0064":"u","nam\\u0065space":"n"}}`;
  assertEquals(fields(object(spelt)), { kind: "Pod", namespace: "n", name: "a", uid: "u" });
  assertEquals(
    fields(object(`{"kin":"a","kinds":"b","Kind":"c","":"d","kind\\u0000":"e"}`)),
    {},
  );
});

Deno.test("scanObject() ignores a key __proto__", () => {
  const text = `{"__proto__":{"kind":"no"},"metadata":{"__proto__":{"name":"no"}}}`;
  assertEquals(fields(object(text)), {});
});

Deno.test("scanObject() decodes escapes, text in any script, and long text", () => {
  for (
    const text of [
      "",
      'a"\\/\b\f\n\r\t\u0000',
      "Grüße, 世界 🚢",
      "\ufeffmarked",
      "\u2028",
      "x".repeat(62),
      "x".repeat(63),
      "x".repeat(64),
      "x".repeat(65),
      "é".repeat(1000),
    ]
  ) {
    const json = JSON.stringify({ kind: text, metadata: { name: text, namespace: text } });
    const expected = { kind: text, namespace: text, name: text };
    assertEquals(fields(object(json)), expected);
    assertEquals(fields(object(json)), expected);
  }
  assertEquals(fields(object(`{"kind":"\\ud800","metadata":{"name":"\\uDC00\\uD800"}}`)), {
    kind: "\ud800",
    name: "\udc00\ud800",
  });
});

Deno.test("scanObject() distinguishes similar namespaces", () => {
  for (const namespace of ["team-ab", "prod-ab", "team-ab", "prod-ba", "pr-ab", "\\u0070rod-ab"]) {
    const found = fields(object(`{"metadata":{"namespace":"${namespace}"}}`));
    assertEquals(found, { namespace: namespace.replace("\\u0070", "p") });
  }
});

Deno.test("scanObject() replaces invalid UTF-8 with the same characters as a TextDecoder", () => {
  for (
    const bytes of [[0x80], [0xff, 0xfe], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x9a], [0xc0, 0x80], [
      0xed,
      0xa0,
      0x80,
    ], [0xef, 0xbb, 0xbf]]
  ) {
    const json = withBytes(`{"kind":"a","metadata":{"name":"?","uid":"u"}}`, ...bytes);
    const whole = JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(json));
    assertEquals(fields(object(json)), { kind: "a", name: whole.metadata.name, uid: "u" });
  }
});

Deno.test("scanObject() rejects bytes from 0x80 outside strings, and a byte order mark", () => {
  for (const bytes of [[0x80], [0xc2, 0xa0], [0xef, 0xbb, 0xbf], [0xe2, 0x80, 0xa8]]) {
    assertEquals(object(withBytes(`?{}`, ...bytes)), undefined);
    assertEquals(object(withBytes(`{?}`, ...bytes)), undefined);
    assertEquals(object(withBytes(`{"a"?:1}`, ...bytes)), undefined);
    assertEquals(object(withBytes(`{"a":1?}`, ...bytes)), undefined);
    assertEquals(object(withBytes(`{}?`, ...bytes)), undefined);
  }
});

Deno.test("scanObject() accepts JSON's whitespace wherever JSON allows it, and no other whitespace", () => {
  const spaced = (s: string) =>
    `${s}{${s}"kind"${s}:${s}"Pod"${s},${s}"a"${s}:${s}[${s}1${s},${s}{${s}}${s},${s}[${s}]${s}]${s},${s}"metadata"${s}:${s}{${s}"uid"${s}:${s}"u"${s}}${s}}${s}`;
  for (const s of [" ", "\t", "\n", "\r", " \r\n\t "]) {
    assertEquals(fields(object(spaced(s))), { kind: "Pod", uid: "u" });
  }
  for (const s of ["\v", "\f", "\0", "\u00a0", "\ufeff"]) {
    assertEquals(object(spaced(s)), undefined);
  }
});

/** Values that are JSON, and values that are almost JSON. */
const VALID =
  `0 -0 7 10 -12 0.5 1.25 1e5 1E5 1e+5 1e-05 0e0 0.0E-0 1e999 123456789012345678901234567890 true false null "" "a" "\\"" "\\\\" "\\/" "\\b\\f\\n\\r\\t" "\\u00Af" "\\ud800" "\u007f" [] [1] [1,2] [[]] {} {"":0} {"a":{"b":[{}]}}`
    .split(" ");
const INVALID =
  `- -a 00 01 -01 1. .5 1.e5 1e 1e+ 1E- +1 0x1 1_0 1-1 1e5.5 Infinity NaN tru truee TRUE nul nulll fals undefined ' 'a' " "a "\\" "\\a" "\\u" "\\u12" "\\u123" "\\u12g4" "\\U0041" "\\x41" "\t" "\u0000" "\u001f" [ [1 [1, [,] [1,] [1,,2] [1:2] [1}  { {"a" {a":1} {"a":1,b":2} {"a": {"a":1 {"a":1, {,} {"a":1,} {"a":1,,"b":2} {a:1} {1:1} {null:1} {"a",1} {"a":1:2} {"a":1] {"a"} {"a":} {"a":1"b":2} // /**/ 1/**/ \\u0031`
    .split(" ");

Deno.test("scanObject() accepts every JSON value in any place", () => {
  for (const value of VALID) {
    JSON.parse(value);
    for (
      const text of [
        `{"a":${value}}`,
        `{"a":[${value},${value}]}`,
        `{"metadata":{"a":${value},"b":${value}}}`,
      ]
    ) {
      assert(object(text) !== undefined, text);
    }
  }
});

Deno.test("scanObject() rejects invalid JSON in any place", () => {
  for (const value of INVALID) {
    for (
      const text of [
        `{"a":${value}}`,
        `{"a":[${value},1]}`,
        `{"metadata":{"a":${value}}}`,
        `{"kind":${value}}`,
        `{"a":${value}`,
        value,
      ]
    ) {
      assertEquals(object(text), undefined, text);
    }
  }
});

Deno.test("scanObject() rejects anything after the object", () => {
  for (const more of ["}", "{}", ",", "0", `"`, "\0", "null", " ]"]) {
    assertEquals(object(POD + more), undefined, more);
  }
});

Deno.test("scanObject() takes 10,000 levels of nesting as Go does, and rejects more", () => {
  const nested = (depth: number) => `{"a":`.repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
  const arrays = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
  const mixed = (depth: number) =>
    `{"b":[],"a": [ 1 , "x",`.repeat(depth / 2) + "{}" + `],"c":{"d":null}}`.repeat(depth / 2);
  for (const make of [nested, arrays, mixed]) {
    for (const depth of [498, 500, 502, 6_000, 9_998]) {
      assert(object(make(depth)) !== undefined, `${depth}`);
      for (
        const broken of [make(depth).slice(0, -1), make(depth).replace(/[}\]]([^}\]]*)$/, "$1")]
      ) {
        assertEquals(object(broken), undefined);
      }
    }
    assertEquals(object(make(10_002)), undefined);
    assertEquals(object(make(100_000)), undefined);
  }
  assertEquals(object("[".repeat(100_000)), undefined);
  const deep = (inner: string) => `{"a":${"[".repeat(600)}${inner}${"]".repeat(600)}}`;
  for (
    const bad of ["{1:2}", '{"a"}', '{"a":}', '{"a":1,}', "[1,]", "[1 2]", '{"a":1]', "[1}", "[,1]"]
  ) {
    assertEquals(object(deep(bad)), undefined, bad);
  }
});

Deno.test("scanList() divides a list into its items", () => {
  const found = list(
    `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":"c","remainingItemCount":3},"items":[${POD}, {"metadata":{"name":"q"}} ,{}]}\n`,
  );
  assertEquals([found?.kind, found?.apiVersion], ["PodList", "v1"]);
  assertEquals(found?.metadata, { resourceVersion: "9", continue: "c", remainingItemCount: 3 });
  assertEquals(found?.items.map(fields), [POD_FIELDS, { name: "q" }, {}]);
  assertEquals(found?.items.map(textOf), [POD, `{"metadata":{"name":"q"}}`, "{}"]);
});

Deno.test("scanList() accepts members in any order", () => {
  const found = list(
    `{"apiVersion":"v1","items":[${POD}],"x":[{"kind":"no"}],"kind":"L","metadata":{"continue":""}}`,
  );
  assertEquals([found?.kind, found?.apiVersion], ["L", "v1"]);
  assertEquals(found?.metadata, { continue: "" });
  assertEquals(found?.items.map(fields), [POD_FIELDS]);
});

Deno.test("scanList() does not return fields of the items as fields of the list", () => {
  const found = list(`{"items":[${POD}]}`);
  assertEquals([found?.kind, found?.apiVersion, found?.metadata], [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("scanList() returns no items if they are absent, null or empty", () => {
  for (const text of ["{}", `{"items":null}`, `{"items":[]}`, `{"items":[ ]}`]) {
    assertEquals(list(text)?.items, [], text);
  }
});

Deno.test('scanList() uses the last of two members "items"', () => {
  assertEquals(list(`{"items":[{},{}],"items":[{"kind":"A"}]}`)?.items.map(fields), [
    { kind: "A" },
  ]);
  assertEquals(list(`{"items":[{}],"items":null}`)?.items, []);
  assertEquals(list(`{"items":[{}],"items":7}`), undefined);
});

Deno.test("scanList() rejects items that are not objects", () => {
  for (
    const items of [
      `{}`,
      `""`,
      "7",
      "true",
      "[null]",
      "[{},1]",
      "[[]]",
      `["a"]`,
      `[{"kind":1}]`,
      "[{},]",
      "[{}",
      "[,{}]",
    ]
  ) {
    assertEquals(list(`{"items":${items}}`), undefined, items);
  }
});

Deno.test("scanList() rejects a body that is not a list", () => {
  for (
    const text of ["", "null", "[]", `[${POD}]`, `{"kind":7}`, `{"apiVersion":[]}`, `{"items":[]}}`]
  ) {
    assertEquals(list(text), undefined, text);
  }
});

Deno.test("scanObject() finds annotations that control controllers, also with escapes and of the last duplicate", () => {
  const isControlled = (annotations: string, after = "") =>
    object(`{"metadata":{"name":"p","annotations":${annotations}${after}},"spec":{}}`)
      ?.isControlled;
  for (const name of Object.values(CONTROL_ANNOTATIONS)) {
    assertEquals(isControlled(`{"a":"b","${name}":"true","kubectl.kubernetes.io/x":"y"}`), true);
    assertEquals(isControlled(`{"${name.replace("/", "\\/")}":null}`), true);
    assertEquals(isControlled(`{"x":"${name}"}`), false);
    assertEquals(isControlled(`{"${name}":"true"}`, ',"annotations":{}'), false);
    assertEquals(isControlled(`{}`, `,"annotations":{"${name}":"true"}`), true);
    assertEquals(isControlled(`{}`, `,"labels":{"${name}":"true"}`), false);
  }
  for (const odd of ["null", "{}", "[]", '"kubeloop.dev/paused"', "1"]) {
    assertEquals(isControlled(odd), false, odd);
  }
  // The next object has none.
  const items = list(
    '{"items":[{"metadata":{"annotations":{"kubeloop.dev/paused":"x"}}},{"metadata":{}},{}]}',
  )?.items;
  assertEquals(items?.map((one) => one.isControlled), [true, false, false]);
});
