/** Tests of the certificates that a client trusts, and of PEM files as Kubernetes writes them. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { Namespaces } from "../../../src/types/mod.ts";
import { CertificateAuthority, type KeyPair, selfSigned } from "../../support/certificates.ts";
import { TlsServer } from "../../support/tls_server.ts";
import { TlsWorld, traditionalKey } from "../_tls_world.ts";
import { testOn } from "../../support/kinds_of_tests.ts";

const isDeno = "Deno" in globalThis;
const HOSTS = ["127.0.0.1"];

/** Lists and gets an object from a server with the certificate `serving`, and trusts `caData`. */
async function ask(serving: KeyPair, caData: string): Promise<unknown> {
  await using server = await TlsServer.start({ ...serving, ca: caData });
  await using client = new Client({ server: server.url, caData, logger: silentLogger });
  // Bun lists over its own `fetch`. The answer of the server is an object.
  await assertRejects(() => client.list(Namespaces), TypeError, "expected a list")
    .catch(() => client.get(Namespaces, "n"));
  return (await client.get(Namespaces, "n")).metadata.name;
}

Deno.test("Client trusts an intermediate authority without its root, as Go does", async () => {
  const root = await CertificateAuthority.create("CN=root");
  const authority = await root.intermediate();
  const leaf = await authority.issue({ name: "CN=server", hosts: HOSTS });
  const serving = { cert: leaf.cert + authority.cert, key: leaf.key };
  assertEquals(await ask(serving, authority.cert), "anonymous");
  assertEquals(await ask(serving, root.cert), "anonymous");
  // Among others, and between other text.
  const other = await CertificateAuthority.create("CN=other");
  assertEquals(
    await ask(serving, `subject=CN=other\n${other.cert}# more\r\n${authority.cert}`),
    "anonymous",
  );
  await assertRejects(() => ask(serving, other.cert), Error, "the one that signed");
});

Deno.test("Client trusts the certificate of the server itself, as Go does, or says that Deno cannot", async () => {
  const authority = await CertificateAuthority.create();
  const leaf = await authority.issue({ name: "CN=server", hosts: HOSTS });
  const cases: { what: string; serving: KeyPair; onDeno: boolean }[] = [
    { what: "signed by itself", serving: await selfSigned(HOSTS), onDeno: true },
    { what: "signed by an authority", serving: leaf, onDeno: false },
    {
      what: "an authority",
      serving: await selfSigned(HOSTS, { isAuthority: true }),
      onDeno: false,
    },
  ];
  for (const { what, serving, onDeno } of cases) {
    if (onDeno || !isDeno) {
      assertEquals(await ask(serving, serving.cert), "anonymous", what);
      continue;
    }
    const { message } = await assertRejects(() => ask(serving, serving.cert), Error, "", what);
    const advice = "given (caData) the one that signed the server's certificate? If it is the " +
      "server's own: Deno trusts that only if it signed itself with CA:FALSE, Node and Bun trust it";
    assert(message.endsWith(advice), `${what}: ${message}`);
    assert(!message.includes("\n"), message);
  }
});

Deno.test("Client trusts a certificate of the server only for its names", async () => {
  const serving = await selfSigned(["localhost"]);
  const { message } = await assertRejects(() => ask(serving, serving.cert), Error);
  if (!isDeno) assert(message.includes("the server's certificate is not for the host"), message);
});

Deno.test("Client does not trust another certificate of the same name", async () => {
  const serving = await selfSigned(HOSTS);
  await assertRejects(async () => ask(serving, (await selfSigned(HOSTS)).cert), Error);
});

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "Client shows its certificate from one file with certificate and key, as the kubelet's",
  async () => {
    await using world = await TlsWorld.create();
    const { cert, key } = world.me;
    const attributes = "Bag Attributes\n    friendlyName: me\nsubject=CN=me\n";
    const files: Record<string, string> = {
      "certificate first": cert + key,
      "key first": key + cert,
      "with text of OpenSSL": attributes + key + attributes + cert,
      "lines of Windows": (cert + key).replaceAll("\n", "\r\n"),
      "with the certificate of the authority": cert + world.authority.cert + key,
      "the key as SEC 1, with parameters":
        `${cert}-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n` +
        traditionalKey(key, "sec1"),
    };
    for (const [what, text] of Object.entries(files)) {
      await using client = world.client({
        certFile: "/current.pem",
        keyFile: "/current.pem",
        readFile: () => Promise.resolve(text),
      });
      assertEquals(await world.whoAmI(client), "me", what);
      await using inline = world.client({ certData: text, keyData: text });
      assertEquals(await world.whoAmI(inline), "me", what);
    }
  },
);

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "Client sends its certificate with its intermediate certificate",
  async () => {
    await using world = await TlsWorld.create();
    const between = await world.authority.intermediate();
    const { cert, key } = await between.issue({ name: "CN=below" });
    await using client = world.client({ certData: cert + between.cert, keyData: key });
    assertEquals(await world.whoAmI(client), "below");
  },
);

Deno.test("Client leaves out certificates to trust that cannot be parsed, and warns once", async () => {
  const damaged = "-----BEGIN CERTIFICATE-----\nczNjcjN0\n-----END CERTIFICATE-----\n";
  await using world = await TlsWorld.create();
  const lines: string[] = [];
  let text = damaged + world.authority.cert;
  await using client = world.client({
    caData: undefined,
    caFile: "/ca.crt",
    readFile: () => Promise.resolve(text),
    logger: { ...silentLogger, warn: (line: string) => void lines.push(line) },
  });
  for (let i = 0; i < 3; i++) {
    assertEquals(await world.whoAmI(client), "anonymous");
    world.clock.skip(60_000);
  }
  assertEquals(lines, [
    'Ignoring 1 of the certificates to trust, which cannot be parsed (caFile "/ca.crt")',
  ]);
  // Go ignores other blocks as well.
  text = world.me.key + world.authority.cert;
  assertEquals(await world.whoAmI(client), "anonymous");
});

Deno.test("Client refuses an encrypted key, whatever else its file has", async () => {
  await using world = await TlsWorld.create();
  const { cert, key } = world.me;
  const encrypted = [
    key.replaceAll("PRIVATE", "ENCRYPTED PRIVATE"),
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n",
  ];
  for (const text of encrypted) {
    await assertRejects(
      // Refused by the constructor.
      async () => await world.whoAmI(world.client({ certData: cert, keyData: cert + text })),
      TypeError,
      "Client key is encrypted",
    );
  }
});
