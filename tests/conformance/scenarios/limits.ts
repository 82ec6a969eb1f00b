import {
  apply,
  del,
  get,
  jsonPatch,
  merge,
  post,
  put,
  type RequestStep,
  type StepScenario,
} from "../step.ts";
import { configMap, core, definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

const NS = "suite-limits";
const MAPS = core(NS, "configmaps");
const THINGS = grouped("suite.example.com/v1", NS, "patterned");
const MIB = 1024 * 1024;
const yaml = { headers: { "content-type": "application/yaml" } };

const version = (spec: unknown) => ({
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
});
const text = (pattern: string) => ({ type: "string", pattern });

/** Creates a definition whose schema has this spec; a definition that is refused. */
const refused = (spec: unknown): RequestStep =>
  post(DEFINITIONS, definition("refused", "Refused", { versions: [version(spec)] }));

const inField = (pattern: string) =>
  refused({ type: "object", properties: { text: text(pattern) } });

const thing = (name: string, spec: unknown) => ({
  apiVersion: "suite.example.com/v1",
  kind: "Patterned",
  metadata: { name },
  spec,
});
const nested = (depth: number, open: string, inner: string, close: string) =>
  open.repeat(depth) + inner + close.repeat(depth);

/** YAML of a ConfigMap in which aliases of aliases expand to `width ** depth` texts. */
const bomb = (width: number, depth: number) => {
  const lines = ["apiVersion: v1", "kind: ConfigMap", "metadata: {name: bomb}"];
  lines.push(`a0: &a0 [${Array(width).fill("x").join(", ")}]`);
  for (let level = 1; level < depth; level++) {
    lines.push(`a${level}: &a${level} [${Array(width).fill(`*a${level - 1}`).join(", ")}]`);
  }
  return lines.join("\n") + "\n";
};

/** Objects that are too large or too deep, too many items, and patterns in Go's syntax. */
export const limits: StepScenario = {
  name: "limits",
  steps: [
    namespaced(NS),

    // Patterns that Go does not accept.
    ...[
      "(?=a)b",
      "(?!a)",
      "(?<=a)b",
      "(a)\\1",
      "(?P=n)",
      "a\\Z",
      "(a",
      "a)",
      "[a",
      "[z-a]",
      "a**",
      "*a",
      "a{1001}",
      "(a{1000}){1000}",
      "x{2,1}",
      "\\",
      "\\u0041",
      "\\p{Nope}",
      "[[:nope:]]",
      "(?x)a",
      "(?<n-m>a)",
    ].map(inField),
    refused({ type: "object", properties: { list: { type: "array", items: text("(?=a)") } } }),
    refused({ type: "object", additionalProperties: text("(?=a)") }),
    refused({ type: "string", not: { pattern: "(?=a)" }, allOf: [{ pattern: "(?!a)" }] }),
    refused({
      type: "object",
      pattern: "(?=a)",
      anyOf: [{ properties: { a: { pattern: "\\1" } } }],
    }),

    // Patterns that Go accepts. JavaScript refuses some of them.
    post(
      DEFINITIONS,
      definition("patterned", "Patterned", {
        versions: [version({
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: {
            start: text("\\Aab\\z"),
            flag: text("(?i)^abc$"),
            local: text("^a(?i:b)c$"),
            name: text("^(?P<letters>\\pL+)$"),
            twice: text("^(?P<n>a)(?P<n>b)$"),
            script: text("^\\p{Greek}+$"),
            posix: text("^[[:alpha:]]+$"),
            quoted: text("^\\Qa.b\\E$"),
            lazy: text("(?U)^a+$"),
            slow: text("^(a+)+$"),
            slower: text("^(([a-z])+.)+[A-Z]([a-z])+$"),
            dash: text("^[\\w-.]+$"),
            lines: text("(?m)^b$"),
            end: text("^a$"),
            any: text("^.$"),
            octal: text("^\\x{41}\\x42$"),
            bell: text("^\\a$"),
            many: { type: "array", items: text("^.?$") },
          },
        })],
      }),
      { unseen: true },
    ),
    { ...get(THINGS), whileStatus: [404, 429] },
    post(
      THINGS,
      thing("good", {
        start: "ab",
        flag: "ABC",
        local: "aBc",
        name: "Straße",
        twice: "ab",
        script: "αβγ",
        posix: "abc",
        quoted: "a.b",
        lazy: "aaa",
        slow: "a".repeat(100),
        slower: "abcAbc",
        dash: "a-b.c",
        lines: "a\nb\nc",
        end: "a",
        any: "😀",
        octal: "AB",
        bell: "\x07",
        many: ["", "a", "é"],
      }),
      { whileStatus: [404, 429] },
    ),
    ...Object.entries({
      start: "ab\n",
      flag: "xabc",
      local: "abC",
      name: "a1",
      twice: "a",
      script: "abc",
      posix: "äb",
      quoted: "axb",
      lazy: "b",
      slow: `${"a".repeat(28)}!`,
      slower: "a".repeat(30),
      dash: "a b",
      lines: "a",
      end: "a\n",
      any: "\n",
      octal: "ab",
      bell: "a",
      many: ["", "ab"],
    }).map(([field, value]) => post(THINGS, thing("bad", { [field]: value }))),

    // Bodies that are too long.
    post(MAPS, `{"metadata":{"name":"${"x".repeat(3 * MIB)}"}}`),
    put(`${MAPS}/a`, `{"metadata":{"name":"${"x".repeat(3 * MIB)}"}}`),
    merge(`${MAPS}/a`, `{"data":{"a":"${"x".repeat(3 * MIB)}"}}`),
    apply(`${MAPS}/a`, "m", `{"data":{"a":"${"x".repeat(3 * MIB)}"}}`),
    del(`${MAPS}/a`, `{"kind":"DeleteOptions","x":"${"x".repeat(3 * MIB)}"}`),
    post(MAPS, configMap("large", { k: "x".repeat(MIB + 1) })),
    post(MAPS, configMap("large", { k: "x".repeat(MIB) }), { unseen: true }),
    post(THINGS, thing("large", { text: "x".repeat(1.6 * MIB) })),
    post(THINGS, thing("grows", { text: "x".repeat(0.9 * MIB) }), { unseen: true }),
    merge(`${THINGS}/grows`, { spec: { more: "x".repeat(0.9 * MIB) } }),
    jsonPatch(`${THINGS}/grows`, [{ op: "copy", from: "/spec/text", path: "/spec/again" }]),
    post(THINGS, "\x1f\x8b\x08\x00", { headers: { "content-encoding": "gzip" } }),

    // Values that are too deep.
    post(MAPS, nested(10_001, "[", "", "]")),
    post(THINGS, `{"metadata":{"name":"deep"},"spec":${nested(10_001, '{"a":', "1", "}")}}`),
    merge(`${THINGS}/good`, `{"spec":${nested(10_001, '{"a":', "1", "}")}}`),
    post(THINGS, `{metadata: {name: deep}, spec: ${nested(10_001, "[", "1", "]")}}`, yaml),

    // YAML.
    post(MAPS, bomb(10, 9), yaml),
    post(MAPS, bomb(9, 7), yaml),
    post(MAPS, "metadata:\n  name: &n aliased\ndata:\n  a: *n\n  b: *n\n", yaml),
    post(
      MAPS,
      "metadata:\n  name: merged\ndata: {<<: {a: b, c: d}, e: x}\n",
      yaml,
    ),
    post(MAPS, "metadata:\n  name: unknown\ndata:\n  a: *n\n", yaml),
    apply(`${MAPS}/bomb`, "m", bomb(10, 9)),
    apply(
      `${MAPS}/applied`,
      "m",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: &n applied}\ndata: {a: *n}",
    ),
    post(MAPS, configMap("gone"), { unseen: true }),
    del(`${MAPS}/gone`, "kind: DeleteOptions\napiVersion: v1\npropagationPolicy: Nope\n", yaml),
    del(`${MAPS}/gone`, "kind: DeleteOptions\napiVersion: v1\npreconditions: {uid: x}\n", yaml),
    del(`${MAPS}/gone`, "kind: DeleteOptions\napiVersion: v1\ndryRun: [All]\n", yaml),
    del(`${MAPS}/gone`, "kind: ConfigMap\napiVersion: v1\n", yaml),
    del(`${MAPS}/gone`, bomb(10, 9), yaml),
    del(
      `${MAPS}/gone`,
      "kind: DeleteOptions\napiVersion: v1\npropagationPolicy: Foreground\n",
      yaml,
    ),
    del(`${MAPS}/gone`, "null", yaml),
    del(`${MAPS}/merged`, "{}"),

    // Patches.
    jsonPatch(`${MAPS}/large`, Array(10_001).fill({ op: "test", path: "/data/a", value: "b" })),
    post(MAPS, configMap("copies", { a: "x".repeat(1000) }), { unseen: true }),
    jsonPatch(`${MAPS}/copies`, [
      ...Array(6).fill({ op: "copy", from: "/data", path: "/data/b" }),
    ]),
    jsonPatch(
      `${MAPS}/copies`,
      Array.from({ length: 4000 }, (_, index) => ({
        op: "copy",
        from: "/data/a",
        path: `/data/a${index}`,
      })),
    ),

    del(`${MAPS}/large`),
    post(
      MAPS,
      `{"metadata":{"name":"warned"},${
        Array.from({ length: 30 }, (_, index) => `"${"unknown".repeat(42)}${index}":1`).join()
      }}`,
    ),
    post(MAPS, `{"metadata":{"name":"warned2"},"${"a".repeat(5000)}":1,"other":2}`),

    // Parameters.
    get(`${MAPS}?labelSelector=${"a,".repeat(5)}`),
    get(`${MAPS}?limit=1&continue=${"A".repeat(4000)}`),
    get(`${MAPS}?limit=1&continue=${btoa('{"v":"meta.k8s.io/v1","rv":-1,"start":"a"}')}`),
  ],
};
