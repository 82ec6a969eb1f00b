import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  decodeObject,
  type FieldValidation,
  type KindInfo,
} from "../../../../src/testing/api_server/schema/mod.ts";
import { encodeJson, parseJson, readJson } from "../../../../src/testing/values/mod.ts";
import { CONFIG_MAP, kindOf, type Loose, POD, refusal } from "../support.ts";
import { exactJson, exactly } from "../../../support/hard_json.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

function decode(
  kind: KindInfo,
  text: string,
  validation: FieldValidation = "Warn",
): { object: Loose; warnings: readonly string[] } {
  return decodeObject(text, kind, validation);
}

/** Returns a value with the integers of more than 64 bits as floats. */
function asInGo(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asInGo);
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? value : Number(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asInGo(one)]));
}

Deno.test("parseJson() agrees with JSON.parse on every JSON text, and keeps integers of 64 bits", () => {
  assertProperty(fc.property(fc.oneof(fc.json(), exactJson), (text) => {
    if (/\\\\|\\u005c/i.test(text)) return;
    const { value } = parseJson(text, false);
    assertEquals(value as unknown, asInGo(exactly(text)));
    assertEquals(readJson<unknown>(text), asInGo(exactly(text)));
    assertEquals(readJson(encodeJson(value)), value);
  }));
});

Deno.test("parseJson() rejects every text that JSON.parse rejects", () => {
  const almost = fc.tuple(fc.json(), fc.nat(), fc.string({ minLength: 1, maxLength: 2 })).map(
    ([text, at, extra]) => text.slice(0, at % (text.length + 1)) + extra + text.slice(at + 1),
  );
  assertProperty(
    fc.property(almost, (text) => {
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      if (valid) parseJson(text, false);
      else assertThrows(() => parseJson(text, false), SyntaxError);
    }),
    500,
  );
});

Deno.test("parseJson() keeps a __proto__ key as a key", () => {
  const { value } = parseJson('{"__proto__":{"polluted":true}}', false);
  assert(Object.hasOwn(value as object, "__proto__"));
  assertEquals((value as Loose).polluted, undefined);
});

Deno.test("parseJson() rejects nesting that would overflow the stack", () => {
  const text = "[".repeat(100_000) + "]".repeat(100_000);
  assertThrows(() => parseJson(text, false), SyntaxError);
});

Deno.test("decodeObject() warns about unknown and duplicate fields, and rejects them in strict mode", () => {
  const unknown = '{"kind":"ConfigMap","metadata":{"name":"u"},"bogus":1}';
  assertEquals(decode(CONFIG_MAP, unknown).warnings, ['unknown field "bogus"']);
  assertEquals(decode(CONFIG_MAP, unknown, "Ignore").warnings, []);
  const repeated = '{"kind":"ConfigMap","metadata":{"name":"d"},"data":{"a":"1"},"data":{"b":"2"}}';
  const { object, warnings } = decode(CONFIG_MAP, repeated);
  assertEquals(warnings, ['duplicate field "data"']);
  assertEquals(object.data, { a: "1", b: "2" });
  assertEquals(
    refusal(() => decode(CONFIG_MAP, unknown, "Strict")).message,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "bogus"',
  );
});

Deno.test("decodeObject() reports unknown fields with their path", () => {
  const body = JSON.stringify({
    metadata: { name: "p", nope: 1 },
    spec: { containers: [{ name: "a", image: "b", ports: [{ containerPort: 1, x: 1 }] }], zz: 2 },
  });
  assertEquals(decode(POD, body).warnings, [
    'unknown field "metadata.nope"',
    'unknown field "spec.containers[0].ports[0].x"',
    'unknown field "spec.zz"',
  ]);
});

Deno.test("decodeObject() reports a field of a wrong type as Go does", () => {
  const wrong = (spec: Loose) =>
    refusal(() => decode(POD, JSON.stringify({ metadata: { name: "p" }, spec }))).message;
  const head = 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal ';
  assertEquals(
    wrong({ containers: [{ name: 5 }] }),
    `${head}number into Go struct field Container.spec.containers.name of type string`,
  );
  assertEquals(
    wrong({ containers: {} }),
    `${head}object into Go struct field PodSpec.spec.containers of type []v1.Container`,
  );
});

Deno.test("decodeObject() orders fields and normalizes times, quantities and zero values", () => {
  const { object } = decode(
    POD,
    JSON.stringify({
      spec: {
        containers: [{
          image: "i",
          resources: { limits: { cpu: "0.5", memory: "1024Mi" } },
          name: "c",
        }],
        nodeName: "",
      },
      metadata: { creationTimestamp: "2026-01-01T02:00:00.5+02:00", name: "p" },
      kind: "Pod",
      apiVersion: "v1",
    }),
  );
  assertEquals(
    JSON.stringify(object),
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","creationTimestamp":"2026-01-01T00:00:00Z"},' +
      '"spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":"500m","memory":"1Gi"}}}]},"status":{}}',
  );
});

Deno.test("decodeObject() reads the MicroTime of a lease strictly", () => {
  const lease = kindOf("coordination.k8s.io", "Lease", "leases");
  const body = (renewTime: string) =>
    JSON.stringify({ metadata: { name: "l" }, spec: { renewTime } });
  assertEquals(
    decode(lease, body("2026-01-01T01:00:00.123456+01:00")).object.spec.renewTime,
    "2026-01-01T00:00:00.123456Z",
  );
  assertEquals(
    refusal(() => decode(lease, body("2026-01-01T01:00:00Z"))).message,
    'Lease in version "v1" cannot be handled as a Lease: parsing time "2026-01-01T01:00:00Z" as ' +
      '"2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  );
});

Deno.test("encodeJson() writes fields in the order of the kind, maps sorted, HTML escaped", () => {
  const value = {
    data: { b: "<&>", "10": "x", a: "y", "9": "z" },
    metadata: { namespace: "n", name: "a" },
    apiVersion: "v1",
    kind: "ConfigMap",
  };
  assertEquals(
    encodeJson(value, CONFIG_MAP.schema),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"n"},' +
      '"data":{"10":"x","9":"z","a":"y","b":"\\u003c\\u0026\\u003e"}}',
  );
  assertEquals(encodeJson({ a: "<", b: [] }, undefined, { escapeHtml: false }), '{"a":"<","b":[]}');
  assertEquals(
    encodeJson({ a: [1, { b: null }], c: {} }, undefined, { indent: true }),
    '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {}\n}',
  );
});

Deno.test("encodeJson() round-trips", () => {
  assertProperty(fc.property(fc.jsonValue(), (value) => {
    assertEquals(JSON.parse(encodeJson(value)), JSON.parse(JSON.stringify(value)));
    assertEquals(
      JSON.parse(encodeJson(value, undefined, { indent: true })),
      JSON.parse(JSON.stringify(value)),
    );
  }));
});

Deno.test("decodeObject() accepts a body without metadata, but rejects metadata that is not an object", () => {
  const { object } = decode(CONFIG_MAP, '{"metadata":null,"data":{"a":"b"}}');
  assertEquals(object, { kind: "ConfigMap", apiVersion: "v1", metadata: {}, data: { a: "b" } });
  assertEquals(refusal(() => decode(CONFIG_MAP, '{"metadata":[]}')).code, 400);
});
