import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client, loadConfig, type LoadConfigOptions } from "../../../src/client/mod.ts";
import { silentLogger } from "../../../src/base/mod.ts";
import { Namespaces } from "../../../src/types/mod.ts";

const CERT = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
const KEY = "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n";

/** Returns a kubeconfig with one context, which has this cluster and user. */
const kubeconfig = (cluster: object, user: object, extra: object = {}): string =>
  JSON.stringify({
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: "https://10.0.0.1", ...cluster } }],
    users: [{ name: "u", user }],
    ...extra,
  });

function load(
  files: Record<string, string>,
  env: Record<string, string> = { KUBECONFIG: "/dir/kc" },
  options: LoadConfigOptions = {},
) {
  return loadConfig({
    logger: silentLogger,
    ...options,
    env: (name) => env[name],
    readFile: (path) =>
      files[path] === undefined
        ? Promise.reject(Object.assign(new Error("No such file"), { code: "ENOENT" }))
        : Promise.resolve(files[path]),
  });
}

/** Returns a copy without undefined fields. */
const known = (config: object) => JSON.parse(JSON.stringify(config));

Deno.test("loadConfig() reads all fields of a cluster", async () => {
  const cluster = {
    "certificate-authority-data": btoa(CERT),
    "certificate-authority": "not-read.crt",
    "tls-server-name": "kube.test",
    "proxy-url": "http://u:s3cr3t@proxy:3128",
    "insecure-skip-tls-verify": false,
  };
  assertEquals(known(await load({ "/dir/kc": kubeconfig(cluster, {}) })), {
    server: "https://10.0.0.1",
    caData: CERT,
    tlsServerName: "kube.test",
    proxyUrl: "http://u:s3cr3t@proxy:3128",
  });
});

Deno.test("loadConfig() reads insecure-skip-tls-verify, and options override it", async () => {
  const files = { "/dir/kc": kubeconfig({ "insecure-skip-tls-verify": true }, {}) };
  assertEquals((await load(files)).insecureSkipTlsVerify, true);
  const strict = await load(files, undefined, { caData: CERT });
  assertEquals([strict.insecureSkipTlsVerify, strict.caData], [undefined, CERT]);
  const trusting = { "/dir/kc": kubeconfig({ "certificate-authority-data": btoa(CERT) }, {}) };
  const loose = await load(trusting, undefined, { insecureSkipTlsVerify: true });
  assertEquals([loose.insecureSkipTlsVerify, loose.caData], [true, undefined]);
});

Deno.test("loadConfig() reads impersonation with several groups", async () => {
  const user = {
    token: "t",
    as: "jane",
    "as-uid": "7",
    "as-groups": ["a", "b"],
    "as-user-extra": { scopes: ["x", "y"] },
  };
  assertEquals((await load({ "/dir/kc": kubeconfig({}, user) })).impersonate, {
    user: "jane",
    uid: "7",
    groups: ["a", "b"],
    extra: { scopes: ["x", "y"] },
  });
});

Deno.test("Client sends basic authentication in UTF-8, and impersonation headers", async () => {
  const user = {
    username: "jürgen",
    password: "s3cr3t:",
    as: "jane",
    "as-user-extra": { "a/B": ["x"] },
  };
  const config = await load({ "/dir/kc": kubeconfig({}, user) });
  let headers = new Headers();
  await using client = new Client({
    ...config,
    logger: silentLogger,
    fetch: (request) => {
      headers = request.headers;
      return Promise.resolve(Response.json({}));
    },
  });
  await client.get(Namespaces, "n");
  assertEquals(headers.get("authorization"), "Basic asO8cmdlbjpzM2NyM3Q6");
  assertEquals(headers.get("impersonate-user"), "jane");
  assertEquals(headers.get("impersonate-extra-a%2fb"), "x");
});

const EXEC = { apiVersion: "client.authentication.k8s.io/v1", command: "./bin/login" };

Deno.test("loadConfig() reads a plugin and the information about the cluster for it", async () => {
  const exec = {
    ...EXEC,
    args: ["-x"],
    env: [{ name: "A", value: "1" }, { name: "B", value: "" }],
    installHint: "get it",
    provideClusterInfo: true,
    interactiveMode: "Never",
  };
  const extensions = [
    { name: "other", extension: {} },
    { name: "client.authentication.k8s.io/exec", extension: { audience: "me" } },
  ];
  const cluster = { "certificate-authority": "ca.crt", "tls-server-name": "kube.test", extensions };
  const files = { "/dir/kc": kubeconfig(cluster, { exec }), "/dir/ca.crt": CERT };
  assertEquals(known((await load(files)).exec!), {
    ...exec,
    command: "/dir/bin/login",
    cluster: {
      server: "https://10.0.0.1",
      "tls-server-name": "kube.test",
      "certificate-authority-data": btoa(CERT),
      config: { audience: "me" },
    },
  });
});

Deno.test("loadConfig() does not resolve a plugin name without a path", async () => {
  const user = { exec: { ...EXEC, command: "aws", apiVersion: EXEC.apiVersion + "beta1" } };
  const { exec } = await load({ "/dir/kc": kubeconfig({}, user) });
  assertEquals([exec!.command, exec!.cluster], ["aws", undefined]);
});

const FIRST = `
contexts: [{ name: a, context: { cluster: one, user: one } }]
clusters: [{ name: one, cluster: { server: "https://first", certificate-authority: ca.crt } }]
users: [{ name: one, user: { client-certificate: me.crt, client-key: me.key } }]
`;
const SECOND = `
current-context: b
contexts:
- { name: a, context: { cluster: two, user: one, namespace: discarded } }
- { name: b, context: { cluster: two, user: one } }
clusters:
- { name: one, cluster: { server: "https://discarded", tls-server-name: discarded } }
- { name: two, cluster: { server: "https://second", certificate-authority: ca.crt } }
users: [{ name: one, user: { token: discarded } }]
`;
const MERGED = {
  "/1/kc": FIRST,
  "/2/kc": SECOND,
  "/3/kc": "current-context: a",
  "/empty": "",
  "/1/ca.crt": CERT,
  "/1/me.crt": CERT,
  "/1/me.key": KEY,
  "/2/ca.crt": `2 ${CERT}`,
};

Deno.test("loadConfig() merges files like kubectl, with paths relative to their own file", async () => {
  const env = { KUBECONFIG: "/missing:/1/kc:/empty:/1/kc:/2/kc:/3/kc" };
  const me = { certData: CERT, certFile: "/1/me.crt", keyData: KEY, keyFile: "/1/me.key" };
  assertEquals(known(await load(MERGED, env)), {
    server: "https://second",
    caData: `2 ${CERT}`,
    caFile: "/2/ca.crt",
    ...me,
  });
  assertEquals(known(await load(MERGED, env, { context: "a" })), {
    server: "https://first",
    caData: CERT,
    caFile: "/1/ca.crt",
    ...me,
  });
});

Deno.test("loadConfig() reports every file in KUBECONFIG that does not exist", async () => {
  const error = await assertRejects(
    () => load({}, { KUBECONFIG: "C:\\a;D:\\b", HOME: "/me" }),
    Error,
  );
  for (const part of ['"C:\\a", which does not exist', '"D:\\b", which', "in-cluster: "]) {
    assert(error.message.includes(part), error.message);
  }
  assert(!error.message.includes("/me"), error.message);
});

Deno.test("loadConfig() rejects if it may not read a file in KUBECONFIG", async () => {
  const forbidden = () => Promise.reject(new Error("Requires read access"));
  const env = (name: string) => name === "KUBECONFIG" ? "/a:/b" : undefined;
  await assertRejects(
    () => loadConfig({ env, readFile: forbidden }),
    Error,
    'Cannot read kubeconfig, "/a", named by KUBECONFIG: Requires read access',
  );
});

Deno.test("loadConfig() drops all replaced credentials, including their files", async () => {
  const env = { KUBECONFIG: "/1/kc:/2/kc" };
  const config = await load(MERGED, env, { username: "u", password: "p" });
  assertEquals(known(config), {
    server: "https://second",
    caData: `2 ${CERT}`,
    caFile: "/2/ca.crt",
    username: "u",
    password: "p",
  });
});

const secret = "s3cr3t";
const dangling = { contexts: [{ name: "x", context: { cluster: "c", user: "gone" } }] };
const WRONG: [string, string, string][] = [
  [
    "a user that does not exist",
    kubeconfig({}, {}, dangling),
    'context "x" refers to user "gone", which does not exist: the kubeconfig has "u"',
  ],
  [
    "a context without cluster",
    kubeconfig({}, {}, { contexts: [{ name: "x", context: {} }] }),
    'context "x" names no cluster',
  ],
  [
    "a current context that does not exist",
    kubeconfig({}, {}, { "current-context": "y" }),
    'no context "y", only "x"',
  ],
  [
    "a context that contains itself",
    "&a\ncurrent-context: x\ncontexts: [{ name: x, context: *a }]\n",
    "is not YAML (line 3, column 32: this alias (*) stands for a value that contains itself)",
  ],
  [
    "clusters that contain themselves",
    "current-context: x\ncontexts: [{ name: x, context: { cluster: c } }]\nclusters: &a [*a]\n",
    "this alias (*) stands for a value that contains itself",
  ],
  [
    "gcp",
    kubeconfig({}, { "auth-provider": { name: "gcp", config: { "access-token": secret } } }),
    "gke-gcloud-auth-plugin",
  ],
  ["azure", kubeconfig({}, { "auth-provider": { name: "azure" } }), "kubelogin convert-kubeconfig"],
  [
    "another provider",
    kubeconfig({}, { "auth-provider": { name: "x" } }),
    'user "u" needs auth-provider "x", which is not supported: use an exec plugin or a token',
  ],
  [
    "OpenID Connect",
    kubeconfig({}, { "auth-provider": { name: "oidc", config: { "id-token": secret } } }),
    'needs auth-provider "oidc", which is not supported: use an exec plugin such as kubectl oidc-login, or a token',
  ],
  [
    "a provider without a name",
    kubeconfig({}, { "auth-provider": { config: { "id-token": secret } } }),
    "needs an auth-provider without a name, which is not supported",
  ],
  [
    "a token and a username",
    kubeconfig({}, { token: secret, username: secret }),
    'user "u" has a token and a username',
  ],
  [
    "groups without a user",
    kubeconfig({}, { "as-groups": [secret] }),
    'has as-groups without "as"',
  ],
  [
    "groups that are not a list",
    kubeconfig({}, { as: "u", "as-groups": secret }),
    'as-groups of user "u" is not a list of strings',
  ],
  [
    "a plugin with an old API version",
    kubeconfig({}, { exec: { ...EXEC, apiVersion: "client.authentication.k8s.io/v1alpha1" } }),
    'has apiVersion "client.authentication.k8s.io/v1alpha1": expected',
  ],
  [
    "a plugin without command",
    kubeconfig({}, { exec: { ...EXEC, command: "" } }),
    "has no command",
  ],
  [
    "a plugin with an unknown interactive mode",
    kubeconfig({}, { exec: { ...EXEC, interactiveMode: "Maybe" } }),
    'has interactiveMode "Maybe": expected "Never" or',
  ],
  [
    "an environment variable without a name",
    kubeconfig({}, { exec: { ...EXEC, env: [{ value: secret }] } }),
    "has no name",
  ],
  [
    "a SOCKS proxy",
    kubeconfig({ "proxy-url": `socks5://u:${secret}@p` }, {}),
    'SOCKS proxies are not supported (proxy-url of cluster "c" in kubeconfig "/dir/kc" begins',
  ],
  [
    "insecure-skip-tls-verify that is not a boolean",
    kubeconfig({ "insecure-skip-tls-verify": "no" }, {}),
    "is not true or false",
  ],
  [
    "a CA and insecure-skip-tls-verify",
    kubeconfig({ "insecure-skip-tls-verify": true, "certificate-authority-data": btoa(CERT) }, {}),
    '(certificate-authority-data of cluster "c" in kubeconfig "/dir/kc") exclude each other',
  ],
  [
    "a key that is not PEM",
    kubeconfig({}, { "client-certificate-data": btoa(CERT), "client-key-data": btoa(secret) }),
    'Invalid keyData (client-key-data of user "u" in kubeconfig "/dir/kc"): expected PEM',
  ],
  [
    "a key file that is missing",
    kubeconfig({}, { "client-key": "k" }),
    'Cannot read client-key of user "u" in kubeconfig "/dir/kc", "/dir/k"',
  ],
  [
    "a token of two lines",
    kubeconfig({}, { token: `${secret}\n` }),
    'Bearer token from token of user "u" in kubeconfig "/dir/kc" holds a line break',
  ],
];

for (const [what, text, message] of WRONG) {
  Deno.test(`loadConfig() reports in one line, with the place: ${what}`, async () => {
    const error = await assertRejects(() => load({ "/dir/kc": text }), Error, message);
    assert(!/\n|s3cr3t/.test(error.message), error.message);
  });
}

Deno.test("loadConfig() takes a server without a scheme as kubectl does", async () => {
  const pair = { "client-certificate-data": btoa(CERT), "client-key-data": btoa(KEY) };
  const cases: [object, object, string][] = [
    [{ server: "localhost:8080" }, {}, "http://localhost:8080"],
    [{ server: "10.0.0.1" }, {}, "http://10.0.0.1"],
    [
      { server: "api.example:6443/k8s", "certificate-authority-data": btoa(CERT) },
      {},
      "https://api.example:6443/k8s",
    ],
    [{ server: "10.0.0.1:6443", "insecure-skip-tls-verify": true }, {}, "https://10.0.0.1:6443"],
    [{ server: "[fd00::1]:6443" }, pair, "https://[fd00::1]:6443"],
    [{ server: "HTTPS://api.example" }, {}, "https://api.example"],
  ];
  for (const [cluster, user, server] of cases) {
    const config = await load({ "/dir/kc": kubeconfig(cluster, { token: undefined, ...user }) });
    assertEquals(config.server, server);
  }
  const unsafe = kubeconfig({ server: "10.0.0.1:6443" }, { token: secret });
  await assertRejects(() => load({ "/dir/kc": unsafe }), TypeError, "unencrypted");
  for (const server of ["ftp://10.0.0.1", "http://", "a b", "hunter2", "eyJh.bGci.OiJS"]) {
    await assertRejects(
      () => load({ "/dir/kc": kubeconfig({ server }, {}) }),
      TypeError,
      "server URL",
    );
  }
});
