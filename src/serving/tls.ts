import { describeError } from "../base/mod.ts";

/** A certificate and its private key, both in PEM, to serve TLS with. */
export interface TlsMaterial {
  /** The certificate, followed by the certificates of intermediate authorities, if there are any. */
  readonly cert: string;
  /** The private key of the certificate. */
  readonly key: string;
}

/**
 * Checks that a certificate and a key can be served.
 *
 * @throws {TypeError} If they are not text in PEM. The message has no part of them.
 */
export function requireTls(tls: TlsMaterial): void {
  const { cert, key }: { cert: unknown; key: unknown } = tls ?? {};
  if (typeof cert !== "string" || !cert.includes("-----BEGIN CERTIFICATE-----")) {
    throw new TypeError("Cannot serve TLS: tls.cert must be a certificate in PEM");
  }
  if (typeof key !== "string" || !key.includes("PRIVATE KEY-----")) {
    throw new TypeError("Cannot serve TLS: tls.key must be a private key in PEM");
  }
}

/** Returns the error for a certificate or a key that the runtime refuses. */
export function unusableTls(error: unknown): Error {
  // Without the error as its cause: what a runtime hangs on it is not known, and the key must not get into a log.
  return new Error(
    `Cannot serve TLS: the certificate and the private key cannot be used together: ${
      describeError(error)
    }`,
  );
}
