import {
  isCertificate,
  isPrivateKey,
  pemBlocks,
  requireCa,
  requireCertificate,
  requireKey,
} from "../config/mod.ts";

/** Imports `node:crypto`, only when there is a certificate to check: the module takes several MiB. */
const importCrypto = () => import("node:crypto");

/** A client certificate and its key, both as PEM text, and their sources, for messages. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly certSource: string;
  readonly keySource: string;
}

/** A client certificate that has been checked. */
export interface CheckedCertificate {
  /** The certificate and its chain, as PEM text with nothing else in it. */
  readonly cert: string;
  /** The key, as PEM text with nothing else in it. */
  readonly key: string;
  /** The time at which the certificate expires, in milliseconds since the Unix epoch. */
  readonly expiresAtMs: number;
}

/**
 * Checks that a client certificate and its key are valid and match. The runtimes report an invalid one with a
 * misleading error, or not at all.
 *
 * As in Go, the certificate is made of the certificates in its text, and the key is the first key in its text: one
 * file may contain both, like the kubelet's own.
 *
 * @throws {TypeError} If the certificate or the key cannot be parsed, or they do not match.
 */
export async function checkClientCertificate(
  certificate: ClientCertificate,
): Promise<CheckedCertificate> {
  const { certSource, keySource } = certificate;
  requireCertificate(certificate.cert, certSource);
  requireKey(certificate.key, keySource);
  const { createPrivateKey, X509Certificate } = await importCrypto();
  const chain = pemBlocks(certificate.cert).filter(({ label }) => label === "CERTIFICATE")
    .map(({ text }) => text);
  const parsed = parse(() => new X509Certificate(chain[0]!));
  if (parsed === undefined) {
    throw new TypeError(
      `Client certificate is damaged (${certSource}): its PEM text does not hold a certificate, get a new one`,
    );
  }
  const key = pemBlocks(certificate.key).find(isPrivateKey)?.text;
  const privateKey = parse(() => createPrivateKey(key!));
  if (key === undefined || privateKey === undefined) {
    throw new TypeError(
      `Client key is damaged, or of a kind that is not supported (${keySource}): expected an EC or RSA key as PKCS#8, SEC 1 or PKCS#1`,
    );
  }
  if (!parsed.checkPrivateKey(privateKey)) {
    throw new TypeError(
      `Client key (${keySource}) does not belong to the certificate (${certSource}): give a key and a certificate that match`,
    );
  }
  return { cert: chain.join(""), key, expiresAtMs: Date.parse(parsed.validTo) };
}

/** The CA certificates to trust, which have been checked. */
export interface CheckedCa {
  /** The certificates, as PEM text with nothing else in it. */
  readonly ca: string;
  /** The number of certificates that cannot be parsed. As in Go, they are left out. */
  readonly damaged: number;
}

/**
 * Checks the CA certificates to trust.
 *
 * @throws {TypeError} If none of them can be parsed.
 */
export async function checkCa(caData: string, source: string): Promise<CheckedCa> {
  requireCa(caData, source);
  const { X509Certificate } = await importCrypto();
  const all = pemBlocks(caData).filter(isCertificate);
  const usable = all.filter(({ label, text }) =>
    // OpenSSL's own format, which not all runtimes parse.
    label === "TRUSTED CERTIFICATE" || parse(() => new X509Certificate(text)) !== undefined
  );
  if (usable.length === 0) {
    throw new TypeError(
      `Certificate authority is damaged (${source}): its PEM text does not hold a certificate, get a new one`,
    );
  }
  return { ca: usable.map(({ text }) => text).join(""), damaged: all.length - usable.length };
}

function parse<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
