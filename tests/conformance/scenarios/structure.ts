import { get, merge, post, put, type RequestStep, type StepScenario } from "../step.ts";
import { definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

const NS = "suite-structure";
const V1 = "suite.example.com/v1";
const CASES = grouped(V1, NS, "cases");

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  "date-time": [
    "2026-01-01T00:00:00Z",
    "2026-01-01 00:00:00Z",
    "2026-01-01t00:00:00z",
    "2026-01-01",
  ],
  date: ["2026-02-28", "2026-02-30", "2026-2-3", "2026-01-01T00:00:00Z"],
  duration: [
    "1h",
    "1 h 2 m",
    "5",
    "1.5s",
    "2 days",
    "1w",
    "",
    "in 5 minutes",
    "5 minutess",
    "5x",
    "1hr",
    "1hrs",
    "3 Weeks!",
  ],
  byte: ["YWI=", "YQ==", "YWJj", "YW", "Y!==", ""],
  ipv4: ["1.2.3.4", "256.1.1.1", "01.2.3.4", "1.2.3", "::1"],
  ipv6: ["::", "::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1::2::3", "1:2:3:4:5:6:7::", "12345::"]
    .concat("::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1.2.3.4::", "1.2.3.4", ":", "g::", "::1%a"),
  cidr: ["10.0.0.0/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0", "::/128", "::/129", "x/8", "::/1/2"]
    .concat("10.0.0.0/32", "10.0.0.0/08"),
  mac: [
    "01:23:45:67:89:ab",
    "01-23-45-67-89-AB",
    "01:23:45:67:89",
    "0123456789ab",
    "0123.4567.89ab",
  ]
    .concat("01:23:45:67:89:ab:cd:ef", "01:23:45:67:89:ab:cd", "01:23-45:67:89:ab", "0123456789a"),
  uuid: ["12345678-1234-1234-1234-123456789abc", "12345678123412341234123456789ABC", "x"],
  uuid3: ["12345678-1234-3234-1234-123456789abc", "12345678-1234-4234-8234-123456789abc"],
  uuid4: ["12345678-1234-4234-8234-123456789abc", "12345678-1234-3234-8234-123456789abc"],
  uuid5: ["12345678-1234-5234-8234-123456789abc", "12345678-1234-4234-8234-123456789abc"],
  hostname: ["a.example", "-a", "a_b", "a-", "A.b", "a..b", `${"a".repeat(63)}.b`],
  email: ["a@b.c", "a", "a@", "@b", "a b@c"],
  uri: ["http://a/b", "/a", "a", "a:b", "", "http://a b"],
  hexcolor: ["#fff", "fff", "#abcdef", "#abcd", "xyz"],
  other: ["anything"],
  datetime: ["2026-01-01T23:59:59,5+14:00", "2026-01-01T24:00:00z", "2026-01-01T00:60:00z"]
    .concat("2026-01-01T00:00:60z", "2026-02-30T00:00:00z", "2026-01-01T00:00:00z t"),
  "u-u-i-d": ["x"],
  "k8s-short-name": ["A"],
  "k8s-long-name": ["A"],
};

const string = (rest: object = {}) => ({ type: "string", ...rest });
const number = (rest: object = {}) => ({ type: "number", ...rest });

const SPEC: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    Object.keys(FORMATS).map((format) => [format, string({ format })]),
  ),
  atMost: number({ maximum: 5 }),
  atLeast: number({ minimum: 5 }),
  below: number({ maximum: 5, exclusiveMaximum: true }),
  above: number({ minimum: 5, exclusiveMinimum: true }),
  step: number({ multipleOf: 0.5 }),
  tenth: number({ multipleOf: 0.1 }),
  large: number({ multipleOf: 2.5 }),
  whole: { type: "integer" },
  flag: { type: "boolean" },
  text: string({ minLength: 2, maxLength: 3, pattern: "^[a-z]*$" }),
  named: string({ pattern: "^(?P<x>a)+$" }),
  list: { type: "array", minItems: 1, maxItems: 2, items: { type: "integer" } },
  set: { type: "array", "x-kubernetes-list-type": "set", items: string() },
  map: {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k", "l"],
    items: {
      type: "object",
      required: ["k"],
      properties: { k: string(), l: string({ default: "x" }), v: string({ maxLength: 1 }) },
    },
  },
  object: {
    type: "object",
    minProperties: 1,
    maxProperties: 2,
    required: ["a"],
    properties: { a: string(), b: string(), c: string() },
  },
  free: { type: "object", additionalProperties: { type: "integer", maximum: 1 } },
  either: { "x-kubernetes-int-or-string": true },
  nullable: string({ nullable: true, maxLength: 1 }),
  preset: {
    type: "object",
    default: {},
    properties: {
      a: string({ default: "d" }),
      n: { type: "integer", default: 0 },
      z: string({ nullable: true, default: "z" }),
    },
  },
  choice: string({ enum: ["a", "b"] }),
  numbers: { type: "integer", enum: [1, 2] },
  any: {
    type: "object",
    properties: { a: { type: "integer" }, l: { type: "array", items: { type: "integer" } } },
    anyOf: [{ required: ["a"] }, { properties: { l: { items: { minimum: 3 } } }, required: ["l"] }],
  },
  all: {
    type: "object",
    properties: { a: { type: "integer" }, b: string() },
    allOf: [{ properties: { a: { minimum: 2 } } }, { properties: { b: { enum: ["x"] } } }],
  },
  one: {
    type: "object",
    properties: { a: { type: "integer" } },
    oneOf: [
      { properties: { a: { multipleOf: 2 } } },
      { properties: { a: { multipleOf: 3 } } },
      { not: { required: ["a"] } },
    ],
  },
  not: {
    type: "object",
    properties: { a: { type: "integer" }, s: string() },
    not: { anyOf: [{ properties: { a: { enum: [7] } }, required: ["a"] }, { required: ["s"] }] },
  },
};

const DEFINITION = definition("cases", "Case", {
  versions: [{
    name: "v1",
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: SPEC } },
      },
    },
  }],
});

const one = (spec: object, name = "x") => ({
  apiVersion: V1,
  kind: "Case",
  metadata: { name },
  spec,
});
const tried = (key: string, ...values: unknown[]): RequestStep[] =>
  values.map((value) => post(`${CASES}?dryRun=All`, one({ [key]: value })));

/** The bounds in the schema of a custom resource, one by one. */
export const structure: StepScenario = {
  name: "structure",
  steps: [
    namespaced(NS),
    post(DEFINITIONS, DEFINITION, { unseen: true }),
    get(CASES, { whileStatus: [404, 429], unseen: true }),
    post(`${CASES}?dryRun=All`, one({}, "wait"), { whileStatus: [404, 429], unseen: true }),
    ...Object.entries(FORMATS).flatMap(([format, texts]) => tried(format, ...texts)),
    ...tried("atMost", 5, 5.5, 6, "5"),
    ...tried("atLeast", 5, 4.5, 4),
    ...tried("below", 5, 4.5),
    ...tried("above", 5, 5.5),
    ...tried("step", 0.5, 1, 0.7),
    ...tried("tenth", 0.3, 0.35),
    ...tried("large", 5, 4, 7.5, 6.25),
    ...tried("whole", 1, 1.0, 1.5, "1", 1e20, null, true),
    ...tried("flag", true, "true", 1, null),
    ...tried("text", "", "a", "ab", "abc", "abcd", "AB", "äb", "😀", 5, [], {}),
    ...tried("named", "aa", "b"),
    ...tried("list", [], [1], [1, 2], [1, 2, 3], ["x"], [null], {}, "x", [1, "x", 2.5]),
    ...tried("set", ["a", "b"], ["a", "a"], ["a", "b", "a", "b"], [1]),
    ...tried("map", [{ k: "1" }, { k: "1", l: "y" }], [{ k: "1" }, { k: "1", l: "x" }], [{}]),
    ...tried("map", [{ k: "1", v: "long" }], ["x"], [{ k: null }]),
    ...tried("object", {}, { a: "1" }, { b: "1" }, { a: "1", b: "2", c: "3" }, [], "x", {
      a: null,
    }),
    ...tried("free", {}, { a: 1 }, { a: 2 }, { a: "x" }, { a: null }),
    ...tried("either", 1, "x", 1.5, true, [], {}, null),
    ...tried("nullable", null, "a", "ab"),
    ...tried("preset", {}, { a: "x" }, { a: null, n: null, z: null }, null),
    ...tried("choice", "a", "c", "", null),
    ...tried("numbers", 1, 3),
    ...tried("any", { a: 1 }, {}, { l: [3] }, { l: [2] }, { a: 1, l: [2] }, { l: [] }),
    ...tried("all", { a: 2, b: "x" }, { a: 1, b: "x" }, { a: 1, b: "y" }, {}),
    ...tried("one", {}, { a: 2 }, { a: 3 }, { a: 6 }, { a: 5 }),
    ...tried("not", {}, { a: 7 }, { a: 8 }, { s: "x" }),
    post(CASES, one({ atMost: 1, map: [{ k: "1", v: "a" }, { k: "2" }], text: "ab" }), {
      save: "stored",
    }),
    merge(`${CASES}/x?dryRun=All`, { spec: { map: [{ k: "2" }, { k: "1", l: "x", v: "a" }] } }),
    merge(`${CASES}/x?dryRun=All`, { spec: { map: [{ k: "1", v: "long" }] } }),
    merge(`${CASES}/x?dryRun=All`, { spec: { preset: { a: null } } }),
    put(`${CASES}/x?dryRun=All`, one({ text: "abcd" })),
    post(`${CASES}?dryRun=All`, {
      apiVersion: V1,
      kind: "Case",
      metadata: { name: "y" },
      spec: [],
    }),
    post(`${CASES}?dryRun=All`, {
      apiVersion: V1,
      kind: "Case",
      metadata: { name: "y" },
      spec: "x",
    }),
    post(`${CASES}?dryRun=All`, { apiVersion: V1, kind: "Case", metadata: [], spec: {} }),
    post(`${CASES}?dryRun=All`, { apiVersion: V1, kind: "Case", metadata: { name: 5 } }),
    post(`${CASES}?dryRun=All`, {
      apiVersion: V1,
      kind: "Case",
      metadata: { name: "y", labels: { a: 5 }, annotations: { b: true } },
    }),
    post(`${CASES}?dryRun=All`, {
      apiVersion: V1,
      kind: "Case",
      metadata: { name: "y", finalizers: "x", bogus: 1 },
    }),
    post(`${CASES}?dryRun=All`, '{"apiVersion":"suite.example.com/v1","kind":"Case"'),
    post(`${CASES}?dryRun=All`, "[]"),
    post(`${CASES}?dryRun=All`, "5"),
    post(`${CASES}?dryRun=All&fieldValidation=Strict`, one({ extra: { a: 1 }, preset: { q: 1 } })),
    post(`${CASES}?dryRun=All`, one({ extra: { a: 1 }, map: [{ k: "1", q: 1 }] })),
  ],
};
