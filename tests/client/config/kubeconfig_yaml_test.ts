/** Kubeconfigs that are written in less usual YAML. The results come from `clientcmd.Load` of client-go v0.37.2. */

import { assertEquals, assertRejects } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import { type Config, loadConfig } from "../../../src/client/mod.ts";

const load = (text: string): Promise<Config> =>
  loadConfig({
    kubeconfig: "/kc",
    readFile: () => Promise.resolve(text),
    logger: silentLogger,
    env: () => undefined,
  });

/** Returns a kubeconfig with one cluster and one user. */
const kubeconfig = (cluster: string, user = "token: t"): string =>
  `apiVersion: v1
kind: Config
current-context: c
contexts:
- name: c
  context: {cluster: c, user: u}
clusters:
- name: c
  cluster: {${cluster}}
users:
- name: u
  user: {${user}}
`;

const CERT = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
const SERVER = "server: https://h";

const READ: Readonly<Record<string, readonly [string, Partial<Config>]>> = {
  "yes for a boolean": [
    kubeconfig(`${SERVER}, insecure-skip-tls-verify: yes`),
    { insecureSkipTlsVerify: true },
  ],
  "On for a boolean": [
    kubeconfig(`${SERVER}, insecure-skip-tls-verify: On`),
    { insecureSkipTlsVerify: true },
  ],
  "no for a boolean": [kubeconfig(`${SERVER}, insecure-skip-tls-verify: no`), {}],
  "binary text": [kubeconfig(SERVER, "token: !!binary dG9rZW4="), { token: "token" }],
  "base64 in binary": [
    kubeconfig(`${SERVER}, certificate-authority-data: !!binary ${btoa(btoa(CERT))}`),
    { caData: CERT },
  ],
  "a key twice": [kubeconfig(`server: https://a, ${SERVER}`), {}],
  "a list twice": [`clusters: [{ name: c, cluster: {} }]\n${kubeconfig(SERVER)}`, {}],
  "a date": [kubeconfig(SERVER, "token: 2024-01-01"), { token: "2024-01-01" }],
  "null": [kubeconfig(SERVER, "token: ~"), { token: undefined }],
  "a tag": [`!Config\n${kubeconfig(SERVER, "token: !!str 123")}`, { token: "123" }],
  "a second document": [`${kubeconfig(SERVER)}---\n{{{\n`, {}],
  "a comment before the document": [`# c\n---\n${kubeconfig(SERVER)}`, {}],
  "a directive": [`%YAML 1.1\n---\n${kubeconfig(SERVER)}`, {}],
  "a byte order mark": [`\ufeff${kubeconfig(SERVER)}`, {}],
  "line breaks of Windows": [kubeconfig(SERVER).replaceAll("\n", "\r\n"), {}],
  "JSON with tabs": [
    `{\n\t"current-context": "c",\n\t"contexts": [\n\t\t{"name": "c",\n\t\t"context": {"cluster": "c"}}],\n` +
    `\t"clusters": [{"name": "c", "cluster": {"server": "https://h"}}]\n}\n`,
    { token: undefined },
  ],
  "merge keys": [
    `d: &d {${SERVER}, tls-server-name: x}\n${kubeconfig("<<: *d, proxy-url: http://p")}`,
    { tlsServerName: "x", proxyUrl: "http://p" },
  ],
};

for (const [what, [text, expected]] of Object.entries(READ)) {
  Deno.test(`loadConfig() reads ${what}, as client-go does`, async () => {
    const config = Object.entries(await load(text));
    for (const [key, value] of Object.entries({ server: "https://h", token: "t", ...expected })) {
      assertEquals(config.find(([name]) => name === key)?.[1], value, key);
    }
  });
}

const REFUSED: Readonly<Record<string, readonly [string, string]>> = {
  "quotes around a boolean": [
    kubeconfig(`${SERVER}, insecure-skip-tls-verify: 'yes'`),
    'insecure-skip-tls-verify of cluster "c" is not true or false',
  ],
  "a number for a text": [kubeconfig(SERVER, "token: 123"), 'token of user "u" is not a string'],
  "a boolean for a text": [kubeconfig(SERVER, "token: yes"), 'token of user "u" is not a string'],
  "a large number for a text": [
    kubeconfig(SERVER, "token: 12345678901234567890"),
    'token of user "u" is not a string',
  ],
  "binary that is not base64": [
    kubeconfig(SERVER, "token: !!binary hunter2"),
    "is not YAML (line 12, column 26: the tag does not fit this value)",
  ],
  "YAML 1.2": [`%YAML 1.2\n---\n${kubeconfig(SERVER)}`, "expected %YAML 1.1"],
  "a number that is not finite": [kubeconfig(SERVER, "x: .inf"), "(line 12, column 13: expected a"],
};

for (const [what, [text, message]] of Object.entries(REFUSED)) {
  Deno.test(`loadConfig() refuses ${what}, as client-go does`, async () => {
    await assertRejects(() => load(text), Error, message);
  });
}
