import { assertEquals } from "@std/assert";
import * as x509 from "@peculiar/x509";
import { servingCertificate } from "../../../src/testing/serve/serving_certificate.ts";

const NOW_MS = Date.UTC(2026, 0, 1);

for (const hostname of ["127.0.0.1", "::1", "fe80::1:2", "10.1.2.3", "pi.local"]) {
  Deno.test(`servingCertificate() creates a one-year certificate for ${hostname} and its authority`, async () => {
    const { authority, cert, key } = await servingCertificate([hostname], NOW_MS);
    const certificate = new x509.X509Certificate(cert);
    const issuer = new x509.X509Certificate(authority);
    const names = certificate.getExtension(x509.SubjectAlternativeNameExtension)!.names.toJSON()
      .map(({ value }) => value);
    const expected = new Set(["localhost", "127.0.0.1", "::1", hostname]);
    assertEquals(new Set(names.map(shorten)), expected);
    assertEquals(certificate.notBefore.getTime(), NOW_MS - 3_600_000);
    assertEquals(certificate.notAfter.getTime(), NOW_MS + 365 * 86_400_000);
    const signed = { date: new Date(NOW_MS), publicKey: issuer.publicKey };
    assertEquals(await certificate.verify(signed), true);
    assertEquals(await issuer.verify(signed), true);
    assertEquals(issuer.getExtension(x509.BasicConstraintsExtension)!.ca, true);
    assertEquals(certificate.getExtension(x509.BasicConstraintsExtension)!.ca, false);
    assertEquals(key.startsWith("-----BEGIN PRIVATE KEY-----\n"), true);
  });
}

/** Returns the short form of an IPv6 address. */
function shorten(name: string): string {
  return name.includes(":") ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name;
}
