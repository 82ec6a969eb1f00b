/** Manifests are read as `kubectl create --dry-run=client -o json` reads them. tests/yaml has the values. */

import { applyAll, diffAll } from "@kubeloop/kubectl";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { World } from "../_world.ts";

/** Applies a text and returns the names of the objects. */
async function applied(text: string): Promise<string[]> {
  await using world = new World();
  const results = await world.run(applyAll(world.client, text, { namespace: "default" }));
  return results.map(({ name }) => name);
}

const map = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\n`;
const json = (name: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}","namespace":"default"}}`;

Deno.test("applyAll() reads the booleans, octal numbers and merge keys of YAML 1.1, as kubectl does", async () => {
  await using world = new World();
  const text = `apiVersion: v1
kind: Pod
metadata: {name: a, namespace: default}
spec:
  hostNetwork: yes
  containers:
  - &base {name: c, image: i, env: [{name: A, value: b}]}
  - <<: *base
    name: d
  volumes: [{name: v, configMap: {name: x, defaultMode: 0o644}}]
`;
  await world.run(applyAll(world.client, text));
  const response = await world.run(
    world.server.fetch("http://s/api/v1/namespaces/default/pods/a"),
  );
  const { spec } = await response.json();
  assertEquals(spec.hostNetwork, true);
  assertEquals(spec.volumes[0].configMap.defaultMode, 420);
  assertEquals(
    spec.containers.map((one: { name: string; image: string; env: unknown }) => [
      one.name,
      one.image,
      one.env,
    ]),
    [["c", "i", [{ name: "A", value: "b" }]], ["d", "i", [{ name: "A", value: "b" }]]],
  );
});

const DOCUMENTS: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  "two objects of JSON": [`${json("a")}\n${json("b")}\n`, ["a", "b"]],
  "objects of JSON without a space": [json("a") + json("b") + json("c"), ["a", "b", "c"]],
  "JSON and then YAML": [`${json("a")}\n---\n${map("b")}---\n${json("c")}\n`, ["a", "b", "c"]],
  "a byte order mark behind a separator": [`${map("a")}---\n\ufeff${map("b")}`, ["a", "b"]],
  "a byte order mark before JSON": [`\ufeff${json("a")}`, ["a"]],
  "separators with comments": [`# c\n--- # d\n---\n${map("a")}---  \n${map("b")}---\n`, ["a", "b"]],
  "line breaks of Windows": [`${map("a")}---\n${map("b")}`.replaceAll("\n", "\r\n"), ["a", "b"]],
  "a label twice": [`${map("a").slice(0, -2)}, labels: {a: b, a: c}}\n`, ["a"]],
  "a list whose items are null": [`apiVersion: v1\nkind: List\nitems: null\n---\n${map("a")}`, [
    "a",
  ]],
  "a typed list whose items are null": ["apiVersion: v1\nkind: ConfigMapList\nitems:\n", []],
  "a list of JSON": [`{"apiVersion":"v1","kind":"List","items":[${json("a")}]}`, ["a"]],
  "a closing bracket at the start of a line": [
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {\n  "name": "a", # c\n  "labels": {\n"b": "c"\n}\n}\n`,
    ["a"],
  ],
};

for (const [what, [text, names]] of Object.entries(DOCUMENTS)) {
  Deno.test(`applyAll() reads ${what}`, async () => {
    assertEquals(await applied(text), names);
  });
}

Deno.test("applyAll() names the problem and the place in a text, but no values", async () => {
  const secret = "hunter2";
  const cases: [string, string][] = [
    [
      `${map("a")}data: {a: ${secret}, b: .inf}\n`,
      "line 4, column 23: expected a number that JSON",
    ],
    [
      `${map("a")}---\n${map("b")}data:\n  a: "${secret}\n`,
      "the manifests: no YAML at line 10, column 1: unexp",
    ],
    [`${map("a")}--- ${secret}\n`, "line 4, column 1: expected nothing behind --- but a comment"],
    [`${json("a")}\n${json("b")}\n{"${secret}\n`, "line 3, column 1: expected an object of JSON"],
    [`${map("a")}data: *${secret}\n`, "line 4, column 7: no anchor has this name"],
    [
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yes}\n",
      "metadata.name of the ConfigMap is true: in YAML, yes, no, on, off, y and n need quotes",
    ],
    ["a: {{ .Values.a }}\n", "(a Helm template must be rendered first)"],
  ];
  for (const [text, message] of cases) {
    const error = await assertRejects(() => applied(text));
    assert(error instanceof SyntaxError || error instanceof TypeError);
    assertStringIncludes(error.message, message);
    assert(!error.message.includes(secret), error.message);
  }
});

/** Returns 1,000 bytes of YAML: nine nested lists, each with ten aliases of the previous one. */
function lists(): string {
  const text = [`x0: &x0 {apiVersion: v1, kind: List, items: []}`];
  for (let i = 1; i < 10; i++) {
    const items = Array(10).fill(`*x${i - 1}`).join(", ");
    text.push(`x${i}: &x${i} {apiVersion: v1, kind: List, items: [${items}]}`);
  }
  return `${text.join("\n")}\napiVersion: v1\nkind: List\nitems: [*x9]\n`;
}

Deno.test("applyAll() rejects nested lists of aliases before any request", async () => {
  assert(lists().length < 1_200);
  const { message } = await assertRejects(() => applied(lists()), TypeError);
  assertStringIncludes(message, "with what its aliases (*) stand for, it is longer than");
});

Deno.test("applyAll() rejects lists that share lists or contain themselves", async () => {
  await using world = new World();
  const list = (items: unknown[]) => ({ apiVersion: "v1", kind: "List", items });
  let shared = list([]);
  for (let i = 0; i < 40; i++) shared = list([shared, shared]);
  const loop = list([]);
  loop.items.push(loop, loop);
  for (
    const [given, message] of [[shared, "split the list"], [loop, "lists in each other"]] as const
  ) {
    await assertRejects(() => applyAll(world.client, given as never), TypeError, message);
  }
  assertEquals(world.requests, []);
});

Deno.test("diffAll() quotes texts so that Kubernetes reads the same texts", async () => {
  await using world = new World();
  const data = { a: "08", b: "0o7", c: "yes", d: "1_000", e: "a: b", f: "x\ny\n" };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data };
  const [diff] = await world.run(diffAll(world.client, object, { namespace: "default" }));
  const lines = diff?.text.split("\n").filter((line) => line.startsWith("+  ")).slice(0, 8);
  assertEquals(lines, [
    '+  a: "08"',
    '+  b: "0o7"',
    '+  c: "yes"',
    '+  d: "1_000"',
    "+  e: 'a: b'",
    "+  f: |",
    "+    x",
    "+    y",
  ]);
});
