import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { X509Certificate } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { alternativeNamesOf, createCertificate, readCertificate } from "../../src/serving/mod.ts";

const NOW_MS = Date.UTC(2026, 0, 1);
const YEAR_MS = 365 * 86_400_000;
const HOSTS = ["hook.default.svc", "10.0.0.1", "[::1]", "hook.default.svc"];

async function chain(nowMs = NOW_MS) {
  const at = { nowMs, validMs: YEAR_MS };
  const issuer = await createCertificate({ ...at, commonName: "ca", authority: true });
  const leaf = await createCertificate({ ...at, commonName: "hook", hosts: HOSTS, issuer });
  return { issuer, leaf };
}

Deno.test("createCertificate() creates an authority and a server certificate that it has signed", async () => {
  x509.cryptoProvider.set(crypto);
  const { issuer, leaf } = await chain();
  const ca = new x509.X509Certificate(issuer.cert);
  const cert = new x509.X509Certificate(leaf.cert);
  assert(await ca.verify({ date: new Date(NOW_MS) }));
  assert(await cert.verify({ publicKey: ca.publicKey, date: new Date(NOW_MS) }));
  assertEquals([cert.issuer, cert.subject], ["CN=ca", "CN=hook"]);
  const constraints = ca.getExtension(x509.BasicConstraintsExtension)!;
  assertEquals([constraints.ca, constraints.pathLength, constraints.critical], [true, 0, true]);
  assertEquals(cert.getExtension(x509.BasicConstraintsExtension)!.ca, false);
  const isCritical = (one: x509.X509Certificate) =>
    Array.from(one.extensions, ({ critical, type }) => critical ? type : "").filter(Boolean).sort();
  // The extensions of the constraints and of the key usage.
  assertEquals(isCritical(ca), ["2.5.29.15", "2.5.29.19"]);
  assertEquals(isCritical(cert), ["2.5.29.15", "2.5.29.19"]);
  const usages = (one: x509.X509Certificate) => one.getExtension(x509.KeyUsagesExtension)!.usages;
  assertEquals(usages(ca), x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign);
  assertEquals(usages(cert), x509.KeyUsageFlags.digitalSignature);
  assertEquals([...cert.getExtension(x509.ExtendedKeyUsageExtension)!.usages], [
    x509.ExtendedKeyUsage.serverAuth,
  ]);
  const names = cert.getExtension(x509.SubjectAlternativeNameExtension)!.names.toJSON();
  assertEquals(names.map(({ type }) => type), ["dns", "ip", "ip"]);
  const hexOf = ({ rawData }: x509.X509Certificate) =>
    Array.from(new Uint8Array(rawData), (byte) => byte.toString(16).padStart(2, "0")).join("");
  // The usages as bits, with the number of unused bits.
  assert(hexOf(ca).includes("040403020106") && hexOf(cert).includes("040403020780"));
  const keyId = ca.getExtension(x509.SubjectKeyIdentifierExtension)!.keyId;
  const sha1 = new Uint8Array(await ca.publicKey.getKeyIdentifier());
  assertEquals(keyId, Array.from(sha1, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  assertEquals(cert.getExtension(x509.AuthorityKeyIdentifierExtension)!.keyId, keyId);
  assertEquals(readCertificate(leaf.cert).authorityKeyId, keyId);
  // A self-signed server certificate has no constraints.
  const own = await createCertificate({ nowMs: NOW_MS, validMs: YEAR_MS, commonName: "own" });
  assertEquals(isCritical(new x509.X509Certificate(own.cert)), []);
});

Deno.test("createCertificate() creates what the runtime's own library reads", async () => {
  const { issuer, leaf } = await chain();
  const ca = new X509Certificate(issuer.cert);
  const cert = new X509Certificate(leaf.cert);
  assertEquals(ca.ca, true);
  assertEquals(cert.ca, false);
  assert(cert.checkIssued(ca));
  assertEquals(cert.subject, "CN=hook");
});

for (const nowMs of [NOW_MS, Date.UTC(2049, 11, 31, 12)]) {
  Deno.test(`readCertificate() reads back a certificate of ${new Date(nowMs).getUTCFullYear()}`, async () => {
    const { issuer, leaf } = await chain(nowMs);
    const ca = readCertificate(issuer.cert);
    const cert = readCertificate(`${leaf.cert}${issuer.cert}`);
    assertEquals(cert.notBeforeMs, nowMs - 3_600_000);
    assertEquals(cert.notAfterMs, nowMs + YEAR_MS);
    assertEquals(cert.issuer, ca.subject);
    assertEquals(cert.authorityKeyId, ca.subjectKeyId);
    assertEquals(cert.alternativeNames, alternativeNamesOf(HOSTS));
    assert(cert.alternativeNames !== alternativeNamesOf(["other.svc"]));
    // A library with its own reader agrees.
    assertEquals(new x509.X509Certificate(leaf.cert).notAfter.getTime(), nowMs + YEAR_MS);
  });
}

Deno.test("readCertificate() refuses every text that was cut off or changed to no certificate", async () => {
  const { leaf } = await chain();
  assertThrows(() => readCertificate(""), TypeError, "CERTIFICATE");
  assertThrows(() => readCertificate(leaf.key), TypeError, "found none");
  const body = leaf.cert.split("\n").slice(1, -2).join("");
  const bytes = Uint8Array.from(atob(body), (char) => char.charCodeAt(0));
  const encoded = (part: Uint8Array) =>
    `-----BEGIN CERTIFICATE-----\n${
      btoa(String.fromCharCode(...part))
    }\n-----END CERTIFICATE-----\n`;
  for (let length = 0; length < bytes.length; length++) {
    assertThrows(() => readCertificate(encoded(bytes.subarray(0, length))), TypeError);
  }
  for (let at = 0; at < bytes.length; at++) {
    const changed = Uint8Array.from(bytes);
    changed[at]! ^= 0xff;
    try {
      readCertificate(encoded(changed));
    } catch (error) {
      assert(error instanceof TypeError, String(error));
    }
  }
});

Deno.test("alternativeNamesOf() encodes names and addresses", () => {
  for (
    const [host, encoded] of [
      ["a.b", "8203612e62"],
      ["*.b", "82032a2e62"],
      ["_a-1", "82045f612d31"],
      ["10.0.0.255", "87040a0000ff"],
      // No address.
      ["1.2.3", "8205312e322e33"],
      ["::", `8710${"00".repeat(16)}`],
      ["[::1]", `8710${"00".repeat(15)}01`],
      ["fe80::1:2ff", `8710fe80${"00".repeat(10)}000102ff`],
      ["1:2:3:4:5:6:7:8", "871000010002000300040005000600070008"],
      ["1:2:3:4:5:6:7::", "871000010002000300040005000600070000"],
    ] as const
  ) {
    const length = (encoded.length / 2).toString(16).padStart(2, "0");
    assertEquals(alternativeNamesOf([host, host]), `30${length}${encoded}`, host);
  }
  for (const host of ["", "-a", "a b", "ä"]) {
    assertThrows(() => alternativeNamesOf([host]), TypeError, `Cannot certify "${host}"`);
  }
});

Deno.test("createCertificate() refuses hosts and keys that it cannot use, without showing a key", async () => {
  const at = { nowMs: NOW_MS, validMs: YEAR_MS, commonName: "x" };
  await assertRejects(
    () => createCertificate({ ...at, hosts: ["a b"] }),
    TypeError,
    'Cannot certify "a b": expected a host name or an IP address',
  );
  for (
    const [changed, problem] of [
      [{ host: ["a"] }, 'createCertificate() has no option "host": did you mean "hosts"?'],
      [{ validMs: undefined }, "createCertificate() needs the option validMs"],
      [{ nowMs: NaN }, "nowMs must be a finite number of milliseconds: received NaN"],
      [{ hosts: "a" }, "hosts must be an array"],
    ] as const
  ) {
    await assertRejects(() => createCertificate({ ...at, ...changed } as never), Error, problem);
  }
  const { issuer } = await chain();
  const damaged = issuer.key.replace(/\n\w{8}/, "\nAAAAAAAA");
  for (
    const [key, problem] of [
      [damaged, "The private key of the issuer must be an ECDSA key on the curve P-256"],
      ["secret", "Expected a PEM block PRIVATE KEY"],
    ] as const
  ) {
    const error = await assertRejects(
      () => createCertificate({ ...at, issuer: { cert: issuer.cert, key } }),
      TypeError,
      problem,
    );
    assert(!`${error.stack}${error.cause}`.includes(damaged.split("\n")[1]!));
    assert(!error.message.includes("secret"));
  }
});
