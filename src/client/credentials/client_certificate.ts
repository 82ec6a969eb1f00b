import { requireCa, requireCertificate, requireKey } from "../config/mod.ts";

/** Imported when there is a certificate to look at: it takes several MiB. */
const importCrypto = () => import("node:crypto");

/** A client certificate and its key, both PEM, and where they come from, for messages. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly certSource: string;
  readonly keySource: string;
}

/**
 * Checks that `certificate` can be used, since what a runtime says to one that cannot ranges from puzzling to nothing.
 *
 * @returns When it ends, in milliseconds since the Unix epoch.
 * @throws {TypeError} When certificate or key cannot be read, or do not belong together.
 */
export async function checkClientCertificate(certificate: ClientCertificate): Promise<number> {
  const { cert, key, certSource, keySource } = certificate;
  requireCertificate(cert, certSource);
  requireKey(key, keySource);
  const { createPrivateKey, X509Certificate } = await importCrypto();
  const parsed = parse(() => new X509Certificate(cert));
  if (parsed === undefined) {
    throw new TypeError(
      `Client certificate is damaged (${certSource}): its PEM text does not hold a certificate, get it anew`,
    );
  }
  const privateKey = parse(() => createPrivateKey(key));
  if (privateKey === undefined) {
    throw new TypeError(
      `Client key is damaged, or of a kind that is not supported (${keySource}): expected an EC or RSA key as PKCS#8, SEC 1 or PKCS#1`,
    );
  }
  if (!parsed.checkPrivateKey(privateKey)) {
    throw new TypeError(
      `Client key (${keySource}) does not belong to the certificate (${certSource}): give the two that were made together`,
    );
  }
  return Date.parse(parsed.validTo);
}

/**
 * Checks the certificates to trust.
 *
 * @throws {TypeError} When one cannot be read.
 */
export async function checkCa(caData: string, source: string): Promise<void> {
  requireCa(caData, source);
  const { X509Certificate } = await importCrypto();
  const blocks = caData.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g);
  for (const block of blocks ?? [""]) {
    const parsed = parse(() => new X509Certificate(block));
    if (parsed === undefined && !/BEGIN TRUSTED/.test(caData)) {
      throw new TypeError(
        `Certificate authority is damaged (${source}): its PEM text does not hold a certificate, get it anew`,
      );
    }
  }
}

function parse<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
