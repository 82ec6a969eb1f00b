/** Tests of kubeconfigs that are made to cost time and memory. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import { type Config, loadConfig } from "../../../src/client/mod.ts";

const BASE = `current-context: c
contexts: [{ name: c, context: { cluster: c, user: u } }]
`;

const load = (text: string, logger = silentLogger): Promise<Config> =>
  loadConfig({ kubeconfig: "/kc", readFile: () => Promise.resolve(text), logger });

/** Returns lines of anchors. Each expands to `width` times the one before it. */
function bomb(levels: number, width: number): string {
  const lines = [`x0: &x0 ["lol"]`];
  for (let i = 1; i <= levels; i++) {
    lines.push(`x${i}: &x${i} [${Array(width).fill(`*x${i - 1}`).join(", ")}]`);
  }
  return lines.join("\n");
}

const EXTENSION = (value: string) => `
clusters: [{ name: c, cluster: { server: "https://h", extensions: [{ name: client.authentication.k8s.io/exec, extension: ${value} }] } }]
users: [{ name: u, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: login, provideClusterInfo: true } } }]
`;

const USER = (field: string) => `
clusters: [{ name: c, cluster: { server: "https://h" } }]
users: [{ name: u, user: { ${field} } }]
`;

const WIDE = ["*x8", "{ a: *x8 }"].map(EXTENSION);
const PLACES = [
  ...WIDE,
  USER("as: me, as-groups: *x8"),
  USER("as: me, as-user-extra: *x8"),
  USER("exec: { env: *x8 }"),
  USER("token: *x8"),
  USER("unknown: *x8"),
];

for (const [i, place] of PLACES.entries()) {
  Deno.test(`loadConfig() refuses aliases of aliases (${i})`, async () => {
    const text = `${BASE}${bomb(8, 9)}${place}`;
    assert(text.length < 1000);
    await assertRejects(() => load(text), TypeError, '"/kc" cannot be used: its aliases (*)');
  });
}

Deno.test("loadConfig() refuses aliases of themselves, as client-go does", async () => {
  for (const value of ["&a [*a]", "&a { b: { c: *a } }", "&a [[[*a, 1], 2], [*a, *a, *a]]"]) {
    await assertRejects(
      () => load(BASE + EXTENSION(value)),
      SyntaxError,
      "this alias (*) stands for a value that contains itself",
    );
  }
});

Deno.test("loadConfig() refuses one long text with many aliases", async () => {
  const aliases = Array(30_000).fill("*a").join(",");
  const text = `${BASE}a: &a "${"x".repeat(1000)}"\nb: [${aliases}]\n${EXTENSION("1")}`;
  await assertRejects(() => load(text), TypeError, "stand for too much");
});

Deno.test("loadConfig() accepts aliases and merge keys as people use them", async () => {
  const text = `${BASE}
defaults: &defaults { server: "https://h", tls-server-name: name }
ca: &ca ${btoa("-----BEGIN CERTIFICATE-----")}
clusters:
- name: c
  cluster: { <<: *defaults, certificate-authority-data: *ca }
- name: d
  cluster: { <<: *defaults, certificate-authority-data: *ca }
users: [{ name: u, user: {} }]
`;
  const { server, tlsServerName, caData } = await load(text);
  assertEquals([server, tlsServerName, caData], [
    "https://h",
    "name",
    "-----BEGIN CERTIFICATE-----",
  ]);
});

Deno.test("loadConfig() merges in a large file, too, within the limit of aliases", async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join(", ");
  const text = `${BASE}a: &a { ${many} }
clusters: [{ name: c, cluster: { server: "https://h", <<: [${Array(20_000).fill("*a")}] } }]
users: [{ name: u, user: {} }]
`;
  // 20,000 aliases of 20,000 keys: hours, if they were merged.
  await assertRejects(() => load(text), TypeError, "stand for too much");
  const filler = `# ${"x".repeat(200_000)}\n`;
  const { tlsServerName } = await load(
    `${BASE}${filler}a: &a { tls-server-name: h }
clusters: [{ name: c, cluster: { server: "https://h", <<: *a } }]
users: [{ name: u, user: {} }]
`,
  );
  assertEquals(tlsServerName, "h");
});

for (
  const [what, text] of [
    ["opening brackets", "[".repeat(1_000_000)],
    ["dashes", "- ".repeat(300_000)],
    ["opening braces", "{a: ".repeat(300_000)],
    ["indented keys", Array.from({ length: 5_000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
  ]
) {
  Deno.test(`loadConfig() refuses a kubeconfig of nothing but ${what}`, async () => {
    const error = await assertRejects(() => load(text!), Error, 'Kubeconfig "/kc"');
    assert(error.message.length < 200, error.message);
  });
}

Deno.test("loadConfig() takes nothing from keys with the names of JavaScript's own", async () => {
  for (const key of ["__proto__", "constructor", "prototype", '"__proto__"']) {
    const text = `${BASE}${key}: { server: "https://evil", clusters: [] }
clusters: [{ name: c, cluster: { ${key}: { server: "https://evil", token: t } } }]
users: [{ name: u, user: { ${key}: { token: evil } } }]
`;
    await assertRejects(() => load(text), TypeError, "has no server");
  }
  assertEquals(({} as Record<string, unknown>).server, undefined);
});

Deno.test("loadConfig() bounds what it says about thousands of files, contexts and unknown keys", async () => {
  const files = Array.from({ length: 5_000 }, (_, i) => `/kube/file-${i}.yaml`);
  const env = (name: string) => name === "KUBECONFIG" ? files.join(":") : undefined;
  const missing = () => Promise.reject(Object.assign(new Error("No"), { code: "ENOENT" }));
  const { message } = await assertRejects(() => loadConfig({ env, readFile: missing }), Error);
  assert(message.length < 1_500 && message.includes("4990 more files"), message);

  const lines: string[] = [];
  const keys = Array.from({ length: 5_000 }, (_, i) => `key${i}: 1`).join(", ");
  await load(
    `${BASE}clusters: [{ name: c, cluster: { server: "https://h" } }]\nusers: [{ name: u, user: { ${keys} } }]`,
    { ...silentLogger, warn: (line: string) => void lines.push(line) },
  );
  assertEquals(lines.length, 21);
});
