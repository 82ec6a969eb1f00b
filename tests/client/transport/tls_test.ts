import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client, type ClientOptions, loadConfig } from "../../../src/client/mod.ts";
import { Namespaces } from "../../../src/types/mod.ts";
import { CertificateAuthority } from "../../support/certificates.ts";
import { TlsWorld, traditionalKey } from "../_tls_world.ts";
import { testOn, type TestRuntime } from "../../support/kinds_of_tests.ts";

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "Client shows its certificate with a key in any form",
  async () => {
    await using world = await TlsWorld.create();
    const ec = world.me;
    const rsa = await world.authority.issue({ name: "CN=rsa", keyType: "RSA" });
    const forms: [string, string, string][] = [
      ["me", ec.cert, ec.key],
      ["me", ec.cert, traditionalKey(ec.key, "sec1")],
      [
        "me",
        ec.cert,
        `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${
          traditionalKey(ec.key, "sec1")
        }`,
      ],
      ["rsa", rsa.cert, rsa.key],
      ["rsa", rsa.cert, traditionalKey(rsa.key, "pkcs1")],
    ];
    for (const [name, certData, keyData] of forms) {
      await using client = world.client({ certData, keyData });
      assertEquals(await world.whoAmI(client), name);
    }
  },
);

Deno.test("Client uses one TLS session for 23 requests and another for a concurrent watch", async () => {
  await using world = await TlsWorld.create();
  await using client = world.client({ certData: world.me.cert, keyData: world.me.key });
  const watch = await client.watch(Namespaces);
  for (let i = 0; i < 23; i++) await world.whoAmI(client);
  assertEquals(world.server.sessions, 2);
  await watch.close();
});

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "Client shares no TLS session with another client",
  async () => {
    await using world = await TlsWorld.create();
    const you = await world.authority.issue({ name: "CN=you" });
    await using a = world.client({ certData: world.me.cert, keyData: world.me.key });
    await using b = world.client({ certData: you.cert, keyData: you.key });
    await using c = world.client();
    await using d = world.client();
    for (let i = 0; i < 2; i++) {
      const names = [];
      for (const client of [a, b, c, d]) names.push(await world.whoAmI(client));
      assertEquals(names, ["me", "you", "anonymous", "anonymous"]);
    }
    assertEquals(world.server.sessions, 4);
  },
);

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "Client reads certificate files again, while watches with the old certificate continue",
  async () => {
    await using world = await TlsWorld.create();
    const files: Record<string, string> = {
      "/ca": world.authority.cert,
      "/cert": world.me.cert,
      "/key": world.me.key,
    };
    await using client = world.client({
      caData: undefined,
      caFile: "/ca",
      certFile: "/cert",
      keyFile: "/key",
      readFile: (path) => Promise.resolve(files[path]!),
    });
    assertEquals(await world.whoAmI(client), "me");
    const watch = await client.watch(Namespaces);
    const events = watch[Symbol.asyncIterator]();
    await events.next();
    const next = events.next();

    const renewed = await world.authority.issue({ name: "CN=renewed" });
    files["/cert"] = renewed.cert;
    // For a moment, the key does not match the new certificate.
    world.clock.skip(60_000);
    assertEquals(await world.whoAmI(client), "me");
    files["/key"] = renewed.key;
    world.clock.skip(60_000);
    assertEquals(await world.whoAmI(client), "renewed");
    assertEquals(await world.whoAmI(client), "renewed");
    assertEquals(world.server.sessions, 3);

    const open = Symbol("open");
    assertEquals(await Promise.race([next, Promise.resolve(open)]), open);
    await watch.close();
    await next.catch(() => {});
  },
);

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "Client reads certificate files again once when its certificate is rejected",
  async () => {
    await using world = await TlsWorld.create({
      status: ({ clientName }) => clientName === "renewed" ? 200 : 401,
    });
    const renewed = await world.authority.issue({ name: "CN=renewed" });
    let pair = world.me;
    await using client = world.client({
      certFile: "/cert",
      keyFile: "/key",
      readFile: (path) => Promise.resolve(path === "/cert" ? pair.cert : pair.key),
    });
    await assertRejects(() => world.whoAmI(client), Error, "Says 401");
    assertEquals(world.server.requests.length, 1);
    pair = renewed;
    assertEquals(await world.whoAmI(client), "renewed");
    assertEquals(world.server.requests.length, 3);
  },
);

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "Client does not send a request with a certificate that has expired",
  async () => {
    await using world = await TlsWorld.create();
    const short = await world.authority.issue({ name: "CN=short", endsInMs: 3_600_000 });
    let pair = short;
    await using client = world.client({
      certFile: "/cert",
      keyFile: "/key",
      readFile: (path) => Promise.resolve(path === "/cert" ? pair.cert : pair.key),
    });
    assertEquals(await world.whoAmI(client), "short");
    world.clock.skip(3_600_000);
    await assertRejects(() => world.whoAmI(client), Error, "Client certificate expired at 20");
    assertEquals(world.server.requests.length, 1);
    pair = world.me;
    assertEquals(await world.whoAmI(client), "me");
  },
);

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "Client expects the configured server name, and connects to the URL",
  async () => {
    await using world = await TlsWorld.create({ hosts: ["localhost"] });
    await using client = world.client({
      tlsServerName: "localhost",
      certData: world.me.cert,
      keyData: world.me.key,
    });
    for (let i = 0; i < 23; i++) assertEquals(await world.whoAmI(client), "me");
    assertEquals([world.server.requests[0]!.serverName, world.server.sessions], ["localhost", 1]);
    const host = world.server.requests[0]!.lines.find(([name]) => name === "host");
    assertEquals(host, ["host", new URL(world.server.url).host]);
    const watch = await client.watch(Namespaces);
    assertEquals((await watch[Symbol.asyncIterator]().next()).value?.type, "ADDED");
    await watch.close();
  },
);

testOn(
  ["deno"],
  "the server of the test is Deno's",
  "Client follows no redirect, so that credentials do not reach another server",
  async () => {
    await using elsewhere = await TlsWorld.create();
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => Response.redirect(`${elsewhere.server.url}/`, 307),
    );
    const url = `http://127.0.0.1:${server.addr.port}`;
    await using client = elsewhere.client({ server: url, token: "s3cr3t" });
    await assertRejects(() => elsewhere.whoAmI(client), Error);
    assertEquals(elsewhere.server.requests, []);
  },
);

const other = await CertificateAuthority.create("CN=other CA");
const theirs = await other.issue({ name: "CN=theirs" });
const expired = await other.issue({ name: "CN=expired", endsInMs: -1000 });
const garbage = (label: string) => `-----BEGIN ${label}-----\nczNjcjN0\n-----END ${label}-----\n`;

const REFUSED: [string, (world: TlsWorld) => Partial<ClientOptions>, string][] = [
  [
    "a client certificate that has expired",
    () => ({ certData: expired.cert, keyData: expired.key }),
    "(certData): renew it",
  ],
  [
    "a certificate that does not match its key",
    () => ({ certData: theirs.cert, keyData: expired.key }),
    "Client key (keyData) does not belong to the certificate (certData)",
  ],
  [
    "a damaged certificate",
    () => ({ certData: garbage("CERTIFICATE"), keyData: theirs.key }),
    "Client certificate is damaged (certData)",
  ],
  [
    "a damaged key",
    () => ({ certData: theirs.cert, keyData: garbage("EC PRIVATE KEY") }),
    "Client key is damaged, or of a kind that is not supported (keyData)",
  ],
  [
    "a damaged authority",
    () => ({ caData: garbage("CERTIFICATE") }),
    "Certificate authority is damaged (caData)",
  ],
  [
    "an authority that did not sign the server's certificate",
    () => ({ caData: other.cert }),
    "is the certificate authority given (caData) the one that signed",
  ],
  [
    "no authority",
    () => ({ caData: undefined }),
    "is the cluster's certificate authority given (caFile)?",
  ],
  [
    "insecureSkipTlsVerify",
    () => ({ caData: undefined, insecureSkipTlsVerify: true }),
    "--unsafely-ignore-certificate-errors=127.0.0.1",
  ],
  [
    "a tlsServerName that is not in the server's certificate",
    () => ({ tlsServerName: "localhost" }),
    'the server\'s certificate is not for "localhost" (tlsServerName)',
  ],
  [
    "a tlsServerName and a server that is not running",
    () => ({ tlsServerName: "localhost", server: "https://127.0.0.1:2" }),
    "is the API server running, and the address right?",
  ],
  [
    "a host that is not in the server's certificate",
    (world) => ({ server: world.server.url.replace("127.0.0.1", "localhost") }),
    "the server's certificate is not for the host of the server URL",
  ],
];

for (const [what, options, message] of REFUSED) {
  // Other runtimes do without the check.
  const runtimes: TestRuntime[] = what === "insecureSkipTlsVerify"
    ? ["deno"]
    : ["deno", "node", "bun"];
  testOn(
    runtimes,
    "the flag is Deno's",
    `Client says in one line what is wrong with ${what}`,
    async () => {
      await using world = await TlsWorld.create();
      await using client = world.client({ token: "s3cr3t", ...options(world) });
      const error = await assertRejects(() => world.whoAmI(client), Error, message);
      assert(!/\n|s3cr3t|czNjcjN0|BEGIN/.test(error.message), error.message);
      assertEquals(world.server.requests, []);
    },
  );
}

Deno.test("Client fails if the server rejects a missing or untrusted client certificate", async () => {
  await using world = await TlsWorld.create({ rejectUnauthorized: true });
  await using none = world.client();
  await assertRejects(() => world.whoAmI(none), Error, "failed:");
  await using wrong = world.client({ certData: theirs.cert, keyData: theirs.key });
  await assertRejects(() => world.whoAmI(wrong), Error, "failed:");
});

const MALFORMED: [string, Partial<ClientOptions>, string][] = [
  [
    "a public key",
    { certData: theirs.cert, keyData: garbage("PUBLIC KEY") },
    'found "BEGIN PUBLIC KEY"',
  ],
  [
    "an OpenSSH key",
    { certData: theirs.cert, keyData: garbage("OPENSSH PRIVATE KEY") },
    "ssh-keygen",
  ],
  [
    "an encrypted key",
    { certData: theirs.cert, keyData: garbage("ENCRYPTED PRIVATE KEY") },
    "give it decrypted",
  ],
  [
    "certificate and key in the wrong fields",
    { certData: theirs.key, keyData: theirs.cert },
    "Invalid certData: expected PEM",
  ],
  ["a certificate without key", { certFile: "/c" }, 'without keyData (certFile "/c")'],
  ["a key without certificate", { keyFile: "/k" }, 'without certData (keyFile "/k")'],
  ["an authority together with insecureSkipTlsVerify", {
    caData: other.cert,
    insecureSkipTlsVerify: true,
  }, "exclude each other"],
  [
    "a SOCKS proxy",
    { proxyUrl: "socks5://u:s3cr3t@proxy:1080" },
    "SOCKS proxies are not supported (proxyUrl",
  ],
  [
    "a proxy of an unknown scheme",
    { proxyUrl: "ftp://proxy" },
    "expected http:// or https://, found ftp://",
  ],
  ["a proxy that is not a URL", { proxyUrl: "s3cr3t" }, "Invalid proxy URL (proxyUrl)"],
  ["a username with a colon", { username: "a:b", password: "s3cr3t" }, "holds a colon"],
  ["a token and a username", { token: "s3cr3t", username: "u" }, "has a token and a username"],
  [
    "impersonation without a user",
    { impersonate: { user: "", groups: ["g"] } },
    "Impersonation without a user",
  ],
  [
    "a group with a line break",
    { impersonate: { user: "u", groups: ["a\nb"] } },
    "groups contains a line break or NUL",
  ],
  [
    "a password over plain http",
    { server: "http://10.0.0.1", username: "u", password: "s3cr3t" },
    "Refusing to send a password",
  ],
];

for (const [what, options, message] of MALFORMED) {
  Deno.test(`new Client() refuses ${what}`, () => {
    let error: unknown;
    try {
      new Client({ server: "https://127.0.0.1", ...options });
    } catch (thrown) {
      error = thrown;
    }
    assert(error instanceof TypeError && error.message.includes(message), String(error));
    assert(!/\n|s3cr3t|czNjcjN0/.test(error.message), error.message);
  });
}

const BLAMED: [string, { cluster?: object; user?: object }, string][] = [
  [
    "a certificate that has expired",
    {
      user: {
        "client-certificate-data": btoa(expired.cert),
        "client-key-data": btoa(expired.key),
      },
    },
    'client-certificate-data of user "u" in kubeconfig "/dir/kc"',
  ],
  [
    "an authority that did not sign the server's certificate",
    { cluster: { "certificate-authority": "other.crt" } },
    'certificate-authority of cluster "c" in kubeconfig "/dir/kc", file "/dir/other.crt"',
  ],
  [
    "a server name that is not in the certificate",
    { cluster: { "tls-server-name": "localhost" } },
    '"localhost" (tls-server-name of cluster "c" in kubeconfig "/dir/kc")',
  ],
  [
    "a proxy that is not running",
    { cluster: { "proxy-url": "http://me:s3cr3t@127.0.0.1:2" } },
    'http://127.0.0.1:2 (proxy-url of cluster "c" in kubeconfig "/dir/kc")',
  ],
  [
    "a missing plugin",
    { user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "./no" } } },
    'Exec plugin "/dir/no" (exec of user "u" in kubeconfig "/dir/kc") was not found',
  ],
  [
    "a missing token file",
    { user: { tokenFile: "no" } },
    'Cannot read token file "/dir/no" (tokenFile of user "u" in kubeconfig "/dir/kc")',
  ],
];

for (const [what, { cluster, user }, message] of BLAMED) {
  Deno.test(`Client names the kubeconfig field of ${what}`, async () => {
    await using world = await TlsWorld.create();
    const kubeconfig = {
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      clusters: [{
        name: "c",
        cluster: {
          server: world.server.url,
          "certificate-authority": "ca.crt",
          ...cluster,
        },
      }],
      users: [{ name: "u", user: { token: user === undefined ? "s3cr3t" : undefined, ...user } }],
    };
    const files: Record<string, string> = {
      "/dir/kc": JSON.stringify(kubeconfig),
      "/dir/ca.crt": world.authority.cert,
      "/dir/other.crt": other.cert,
    };
    const readFile = (path: string) =>
      files[path] === undefined
        ? Promise.reject(new Error("ENOENT"))
        : Promise.resolve(files[path]);
    const config = await loadConfig({ kubeconfig: "/dir/kc", readFile });
    await using client = world.client({ caData: undefined, ...config, readFile });
    const error = await assertRejects(() => world.whoAmI(client), Error);
    assert(error.message.includes(message), error.message);
    assert(!/\n|s3cr3t/.test(error.message), error.message);
  });
}
