import { assert, assertEquals, assertRejects } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import { loadConfig, type LoadConfigOptions } from "../../../src/client/mod.ts";
import { testOn } from "../../support/kinds_of_tests.ts";

const CERT = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
const KEY = "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n";
const ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: dev
contexts:
- name: dev
  context: { cluster: c, user: u, namespace: shop }
- name: certs
  context: { cluster: c, user: certs }
- name: files
  context: { cluster: files, user: files }
- name: plain
  context: { cluster: plain }
- name: dangling-cluster
  context: { cluster: nowhere }
- name: dangling-user
  context: { cluster: c, user: nobody }
- name: exec
  context: { cluster: c, user: exec }
- name: serverless
  context: { cluster: serverless }
- name: odd-token
  context: { cluster: c, user: odd-token }
- name: two-lines
  context: { cluster: c, user: two-lines }
- name: odd-ca
  context: { cluster: odd-ca }
clusters:
- name: c
  cluster: { server: "https://10.0.0.1:6443/", certificate-authority-data: ${btoa(CERT)} }
- name: files
  cluster: { server: "https://10.0.0.2", certificate-authority: pki/ca.crt }
- name: plain
  cluster: { server: "http://127.0.0.1:8001" }
- name: serverless
  cluster: {}
- name: odd-ca
  cluster: { server: "https://10.0.0.1", certificate-authority-data: "!!" }
users:
- name: u
  user: { token: s3cr3t }
- name: certs
  user: { client-certificate-data: ${btoa(CERT)}, client-key-data: ${btoa(KEY)} }
- name: files
  user: { tokenFile: /tok, client-certificate: a.crt, client-key: /abs/a.key }
- name: exec
  user: { exec: { command: aws } }
- name: odd-token
  user: { token: 12345 }
- name: two-lines
  user: { token: "s3cr3t\\nx" }
`;

const FILES: Record<string, string> = {
  "/kc": KUBECONFIG,
  "/pki/ca.crt": CERT,
  "/tok": "file-token\n",
  "/a.crt": CERT,
  "/abs/a.key": KEY,
  "/home/me/.kube/config": KUBECONFIG,
  "/empty": " \n",
  "/text": "hello",
  "/pod": "apiVersion: v1\nkind: Pod\n",
  "/v2": "apiVersion: v2\nkind: Config\n",
  "/not-yaml": 'users:\n- name: u\n  user: { token: "s3cr3t }\n',
  "/no-context": "clusters: []\ncontexts:\n- name: a\n- name: b\n",
};

const IN_CLUSTER: Record<string, string> = {
  [`${ACCOUNT}/token`]: "pod-token\n",
  [`${ACCOUNT}/ca.crt`]: CERT,
  [`${ACCOUNT}/namespace`]: "prod\n",
};

function load(
  options: LoadConfigOptions = {},
  env: Record<string, string> = {},
  files: Record<string, string> = FILES,
) {
  return loadConfig({
    ...options,
    env: (name) => env[name],
    readFile: (path) => {
      const text = files[path];
      return text === undefined
        ? Promise.reject(new Error("ENOENT: no such file"))
        : Promise.resolve(text);
    },
  });
}

/** Returns a copy without undefined fields. */
const known = (config: object) => JSON.parse(JSON.stringify(config));

Deno.test("loadConfig() uses explicit options and no other source", async () => {
  const config = await load({
    server: "https://host:1/",
    tokenFile: "/tok",
    caFile: "/pki/ca.crt",
    certFile: "/a.crt",
    keyFile: "/abs/a.key",
    namespace: "n",
  }, { KUBECONFIG: "/kc" });
  assertEquals(known(config), {
    server: "https://host:1",
    tokenFile: "/tok",
    caData: CERT,
    caFile: "/pki/ca.crt",
    certData: CERT,
    certFile: "/a.crt",
    keyData: KEY,
    keyFile: "/abs/a.key",
    namespace: "n",
  });
});

Deno.test("loadConfig() accepts a server URL without credentials, such as that of kubectl proxy", async () => {
  assertEquals(known(await load({ server: "http://10.0.0.1:8001" })), {
    server: "http://10.0.0.1:8001",
  });
});

const DEV = { server: "https://10.0.0.1:6443", caData: CERT, namespace: "shop", token: "s3cr3t" };

Deno.test("loadConfig() uses the current context of the file in KUBECONFIG", async () => {
  assertEquals(known(await load({}, { KUBECONFIG: ":/kc:" })), DEV);
});

Deno.test("loadConfig() uses ~/.kube/config", async () => {
  assertEquals(known(await load({}, { HOME: "/home/me" })), DEV);
});

Deno.test("loadConfig() uses the context in the options, with a client certificate", async () => {
  assertEquals(known(await load({ kubeconfig: "/kc", context: "certs" })), {
    server: DEV.server,
    caData: CERT,
    certData: CERT,
    keyData: KEY,
  });
});

Deno.test("loadConfig() reads files relative to the kubeconfig", async () => {
  assertEquals(known(await load({ kubeconfig: "/kc", context: "files" })), {
    server: "https://10.0.0.2",
    caData: CERT,
    caFile: "/pki/ca.crt",
    tokenFile: "/tok",
    certData: CERT,
    certFile: "/a.crt",
    keyData: KEY,
    keyFile: "/abs/a.key",
  });
});

Deno.test("loadConfig() gives options precedence over the kubeconfig and replaces all credentials", async () => {
  const config = await load({
    kubeconfig: "/kc",
    context: "certs",
    server: "https://other",
    token: "mine",
    namespace: "n",
  });
  assertEquals(known(config), {
    server: "https://other",
    caData: CERT,
    token: "mine",
    namespace: "n",
  });
});

Deno.test("loadConfig() ignores the plugin of a replaced user", async () => {
  const config = await load({ kubeconfig: "/kc", context: "exec", token: "mine" });
  assertEquals(config.token, "mine");
});

Deno.test("loadConfig() uses the service account of the Pod", async () => {
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443", HOME: "/root" };
  assertEquals(known(await load({}, env, IN_CLUSTER)), {
    server: "https://[fd00::1]",
    tokenFile: `${ACCOUNT}/token`,
    caData: CERT,
    caFile: `${ACCOUNT}/ca.crt`,
    namespace: "prod",
  });
});

Deno.test("loadConfig() replaces the token of the Pod with the one in the options", async () => {
  const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "6443" };
  const { token, tokenFile } = await load({ token: "mine" }, env, IN_CLUSTER);
  assertEquals([token, tokenFile], ["mine", undefined]);
});

Deno.test("loadConfig() uses a service account in another folder", async () => {
  const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "6443" };
  const files = { "/pod/token": "t", "/pod/ca.crt": CERT };
  assertEquals(known(await load({ serviceAccountFolder: "/pod" }, env, files)), {
    server: "https://10.0.0.1:6443",
    tokenFile: "/pod/token",
    caData: CERT,
    caFile: "/pod/ca.crt",
  });
});

/** Kubeconfigs that choose no cluster: client-go 0.35 and kubectl use the service account with each of them, in a Pod. */
const WITHOUT_CLUSTER: readonly (readonly [what: string, text: string])[] = [
  ["an empty one", ""],
  ["one with blank lines", "   \n\n"],
  ["one with a comment", "# nothing\n"],
  ["one that is null", "null\n"],
  ["one with the start of a document", "---\n"],
  ["one without entries", "{}\n"],
  [
    "one whose contexts are unset",
    'apiVersion: v1\nclusters: null\ncontexts: null\ncurrent-context: ""\nkind: Config\npreferences: {}\nusers: null\n',
  ],
  [
    "one with a namespace only",
    'contexts:\n- context: { cluster: "", namespace: my-namespace, user: "" }\n  name: dask\ncurrent-context: dask\n',
  ],
  ["one with an empty context", "current-context: c\ncontexts: [{ name: c }]\n"],
  [
    "one with a user only",
    "current-context: c\ncontexts: [{ name: c, context: { user: u } }]\nusers: [{ name: u, user: { token: s3cr3t } }]\n",
  ],
  [
    "one without current context",
    'contexts: [{ name: c, context: { cluster: k } }]\nclusters: [{ name: k, cluster: { server: "https://k" } }]\n',
  ],
];

const POD_ENV = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
const POD = {
  server: "https://10.0.0.1",
  tokenFile: `${ACCOUNT}/token`,
  caData: CERT,
  caFile: `${ACCOUNT}/ca.crt`,
  namespace: "prod",
};

for (const [what, text] of WITHOUT_CLUSTER) {
  Deno.test(`loadConfig() uses the service account of the Pod beside a kubeconfig: ${what}`, async () => {
    const files = { ...IN_CLUSTER, "/kc": text, "/root/.kube/config": text };
    assertEquals(known(await load({}, { ...POD_ENV, KUBECONFIG: "/kc" }, files)), POD);
    assertEquals(known(await load({}, { ...POD_ENV, KUBECONFIG: "/no:/kc:/kc2" }, files)), POD);
    assertEquals(known(await load({}, { ...POD_ENV, HOME: "/root" }, files)), POD);
    assertEquals(known(await load({ kubeconfig: "/kc" }, POD_ENV, files)), POD);
    // A context that does not exist is an error, and a server gets nothing of the Pod's.
    await assertRejects(() => load({ kubeconfig: "/kc", context: "x" }, POD_ENV, files), Error);
    await assertRejects(() => load({ context: "x" }, { ...POD_ENV, HOME: "/root" }, files), Error);
    const server = "https://elsewhere";
    assertEquals(known(await load({ server, kubeconfig: "/kc" }, POD_ENV, files)), { server });
    // Outside of a Pod, the error names the file.
    const error = await assertRejects(() => load({ kubeconfig: "/kc" }, {}, files), Error);
    assert(error.message.startsWith("No Kubernetes configuration found ("), error.message);
    assert(error.message.includes('"/kc"'), error.message);
    assert(!/\n|s3cr3t/.test(error.message), error.message);
  });
}

Deno.test("loadConfig() warns if the service account takes the place of a cluster that does not exist", async () => {
  const files: Record<string, string> = {
    ...IN_CLUSTER,
    "/kc": "current-context: c\ncontexts: [{ name: c, context: { cluster: prdo } }]\n" +
      'clusters: [{ name: prod, cluster: { server: "https://k" } }]\n',
  };
  const lines: string[] = [];
  const env: Record<string, string> = { ...POD_ENV, KUBECONFIG: "/kc" };
  const config = await loadConfig({
    env: (name) => env[name],
    readFile: (path) => Promise.resolve(files[path]!),
    logger: { ...silentLogger, warn: (line: string) => void lines.push(line) },
  });
  assertEquals(known(config), POD);
  assertEquals(lines, [
    'Using the service account of the Pod: Kubeconfig "/kc" cannot be used: context "c" refers to cluster "prdo", ' +
    'which does not exist: the kubeconfig has "prod"',
  ]);
});

Deno.test("loadConfig() does not use the service account beside a kubeconfig with mistakes", async () => {
  const mistakes = [
    "current-context: gone\nclusters: []\n",
    "current-context: c\ncontexts: [{ name: c, context: { cluster: k } }]\nclusters: [{ name: k, cluster: {} }]\n",
    "[]\n",
    "kind: Pod\n",
    "contexts: {}\n",
  ];
  for (const text of mistakes) {
    const files = { ...IN_CLUSTER, "/kc": text };
    await assertRejects(() => load({ kubeconfig: "/kc" }, POD_ENV, files), TypeError, '"/kc"');
  }
});

Deno.test("loadConfig() reports everything that it tried", async () => {
  const error = await assertRejects(() => load({}, { HOME: "/nobody" }), Error);
  for (const part of ["KUBECONFIG is not set", "/nobody/.kube/config", "KUBERNETES_SERVICE_HOST"]) {
    assert(error.message.includes(part), error.message);
  }
});

const FAILURES: [string, LoadConfigOptions, string][] = [
  [
    "a kubeconfig that is missing",
    { kubeconfig: "/nope" },
    'Cannot read kubeconfig, "/nope": ENOENT',
  ],
  [
    "an empty kubeconfig",
    { kubeconfig: "/empty" },
    'kubeconfig "/empty", which is empty; in-cluster: ',
  ],
  ["a context without a kubeconfig", { context: "dev" }, 'there is no context "dev"'],
  [
    "a context of an empty kubeconfig",
    { kubeconfig: "/empty", context: "dev" },
    'no context "dev"',
  ],
  [
    "a manifest instead of a kubeconfig",
    { kubeconfig: "/pod" },
    'it has kind "Pod": expected "Config"',
  ],
  [
    "a kubeconfig of another version",
    { kubeconfig: "/v2" },
    'it has apiVersion "v2": expected "v1"',
  ],
  ["a kubeconfig that is not a mapping", { kubeconfig: "/text" }, "not a mapping"],
  ["a kubeconfig that is not YAML", { kubeconfig: "/not-yaml" }, '"/not-yaml" is not YAML (line'],
  ["a kubeconfig without current context", { kubeconfig: "/no-context" }, 'one of "a", "b"'],
  [
    "a context that does not exist",
    { kubeconfig: "/kc", context: "x" },
    'no context "x", only "dev"',
  ],
  [
    "a cluster that does not exist",
    { kubeconfig: "/kc", context: "dangling-cluster" },
    'cluster "nowhere"',
  ],
  ["a user that does not exist", { kubeconfig: "/kc", context: "dangling-user" }, 'user "nobody"'],
  [
    "a plugin without version",
    { kubeconfig: "/kc", context: "exec" },
    'exec of user "exec" has no apiVersion: expected "client.authentication.k8s.io/v1" or',
  ],
  ["a cluster without server", { kubeconfig: "/kc", context: "serverless" }, "has no server"],
  ["a token that is a number", { kubeconfig: "/kc", context: "odd-token" }, "is not a string"],
  ["a token of two lines", { kubeconfig: "/kc", context: "two-lines" }, "line break"],
  ["data that is not base64", { kubeconfig: "/kc", context: "odd-ca" }, "is not base64"],
  [
    "a token file that is missing",
    { server: "https://h", tokenFile: "/nope" },
    'token file, "/nope"',
  ],
  ["a CA file that is missing", { server: "https://h", caFile: "/nope" }, 'CA file, "/nope"'],
  ["a CA that is not PEM", { server: "https://h", caFile: "/tok" }, "Invalid caData"],
  ["a token over plain http", { server: "http://10.0.0.1", token: "s3cr3t" }, "unencrypted"],
];

for (const [what, options, message] of FAILURES) {
  Deno.test(`loadConfig() reports in one line: ${what}`, async () => {
    const error = await assertRejects(() => load(options), Error, message);
    assert(!/\n|s3cr3t|12345/.test(error.message), error.message);
  });
}

testOn(
  ["deno"],
  "only Deno's test runner gives this test its folder",
  "loadConfig() reads real files",
  async () => {
    const path = await Deno.makeTempFile();
    try {
      await Deno.writeTextFile(path, KUBECONFIG);
      assertEquals(known(await loadConfig({ kubeconfig: path })), DEV);
    } finally {
      await Deno.remove(path);
    }
  },
);
