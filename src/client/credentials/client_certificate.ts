import { requireCa, requireCertificate, requireKey } from "../config/mod.ts";

const END = "-----END CERTIFICATE-----";

/** Imports `node:crypto`, only when there is a certificate to check: the module takes several MiB. */
const importCrypto = () => import("node:crypto");

/** A client certificate and its key, both as PEM text, and their sources, for messages. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly certSource: string;
  readonly keySource: string;
}

/**
 * Checks that a client certificate and its key are valid and match. The runtimes report an invalid one with a
 * misleading error, or not at all.
 *
 * @returns The time at which the certificate expires, in milliseconds since the Unix epoch.
 * @throws {TypeError} If the certificate or the key cannot be parsed, or they do not match.
 */
export async function checkClientCertificate(certificate: ClientCertificate): Promise<number> {
  const { cert, key, certSource, keySource } = certificate;
  requireCertificate(cert, certSource);
  requireKey(key, keySource);
  const { createPrivateKey, X509Certificate } = await importCrypto();
  const parsed = parse(() => new X509Certificate(cert));
  if (parsed === undefined) {
    throw new TypeError(
      `Client certificate is damaged (${certSource}): its PEM text does not hold a certificate, get a new one`,
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
      `Client key (${keySource}) does not belong to the certificate (${certSource}): give a key and a certificate that match`,
    );
  }
  return Date.parse(parsed.validTo);
}

/**
 * Checks the CA certificates to trust.
 *
 * @throws {TypeError} If one of them cannot be parsed.
 */
export async function checkCa(caData: string, source: string): Promise<void> {
  requireCa(caData, source);
  const { X509Certificate } = await importCrypto();
  for (const block of blocksOf(caData)) {
    const parsed = parse(() => new X509Certificate(block));
    if (parsed === undefined && !/BEGIN TRUSTED/.test(caData)) {
      throw new TypeError(
        `Certificate authority is damaged (${source}): its PEM text does not hold a certificate, get a new one`,
      );
    }
  }
}

/** Returns the certificates in PEM text; an empty text if there are none. */
function blocksOf(pem: string): string[] {
  const blocks: string[] = [];
  let end = 0;
  while (true) {
    const begin = pem.indexOf("-----BEGIN CERTIFICATE-----", end);
    const last = begin < 0 ? -1 : pem.indexOf(END, begin);
    if (last < 0) return blocks.length === 0 ? [""] : blocks;
    end = last + END.length;
    blocks.push(pem.slice(begin, end));
  }
}

function parse<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
