import { isPrivateKey, pemBlocks } from "./pem.ts";
import { showPath } from "./shown.ts";
import { type Sourced, sourcesOf } from "./sources.ts";
import type { PartialConfig } from "./config.ts";

/** The settings of a transport: certificates and keys as text, not as files. */
export interface TransportSettings {
  readonly caData?: string | undefined;
  readonly certData?: string | undefined;
  readonly keyData?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly proxyUrl?: string | undefined;
}

/** Returns the source of `caData`, `certData` or `keyData`, for messages: the field, and the file if there is one. */
export function pemSource(config: PartialConfig, part: "ca" | "cert" | "key"): string {
  const file = config[`${part}File`];
  return sourcesOf(config)[part] ??
    (file === undefined ? `${part}Data` : `${part}File ${showPath(file)}`);
}

/** Returns the recorded source of a part of a configuration, for messages, or else `field`. */
export function sourceOf(config: PartialConfig, part: Sourced, field: string): string {
  return sourcesOf(config)[part] ?? field;
}

/**
 * Checks the labels of the certificates and keys in PEM text, but does not parse them, and does not read files.
 *
 * @throws {TypeError} If a text is not PEM, a certificate has no key, a key has no certificate, or two settings exclude
 *   each other.
 */
export function requireTlsSettings(config: PartialConfig): void {
  const { caData, certData, keyData, caFile, certFile, keyFile } = config;
  if (caData !== undefined) requireCa(caData, pemSource(config, "ca"));
  if (certData !== undefined) requireCertificate(certData, pemSource(config, "cert"));
  if (keyData !== undefined) requireKey(keyData, pemSource(config, "key"));
  const hasCert = (certData ?? certFile) !== undefined;
  if (hasCert !== ((keyData ?? keyFile) !== undefined)) {
    throw new TypeError(
      `Client certificate is incomplete: ${
        hasCert
          ? `a certificate without keyData (${pemSource(config, "cert")}): give its key`
          : `a key without certData (${pemSource(config, "key")}): give its certificate`
      }`,
    );
  }
  if (config.insecureSkipTlsVerify && (caData ?? caFile) !== undefined) {
    throw new TypeError(
      `Skipping TLS verification and a certificate authority (${
        pemSource(config, "ca")
      }) exclude each other: leave one out`,
    );
  }
}

/**
 * Checks that `text` contains a certificate to trust.
 *
 * @throws {TypeError} If it does not.
 */
export function requireCa(text: string, source: string): void {
  requirePem("caData", text, /-----BEGIN (TRUSTED )?CERTIFICATE-----/, source);
}

/**
 * Checks that `text` contains a certificate.
 *
 * @throws {TypeError} If it does not.
 */
export function requireCertificate(text: string, source: string): void {
  requirePem("certData", text, /-----BEGIN CERTIFICATE-----/, source);
}

/**
 * Checks that `text` contains a private key in a supported format.
 *
 * @throws {TypeError} If it does not.
 */
export function requireKey(text: string, source: string): void {
  const found = pemBlocks(text).find(isPrivateKey);
  // The first label, of a text that is cut off.
  const label = found?.label ?? /-----BEGIN ([A-Z]{1,20} PRIVATE KEY)-----/.exec(text)?.[1];
  if (found?.isEncrypted || label === "ENCRYPTED PRIVATE KEY") {
    throw new TypeError(
      `Client key is encrypted, which is not supported (${source}): give it decrypted`,
    );
  }
  if (label === "OPENSSH PRIVATE KEY") {
    throw new TypeError(
      `Client key is in OpenSSH's format (${source}): convert it with ssh-keygen -p -m PKCS8`,
    );
  }
  requirePem("keyData", text, /-----BEGIN ((EC|RSA) )?PRIVATE KEY-----/, source);
}

function requirePem(what: string, text: string, pattern: RegExp, source: string): void {
  if (pattern.test(text)) return;
  const found = /-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(text)?.[1];
  const origin = source === what ? "" : ` (${source})`;
  throw new TypeError(
    `Invalid ${what}${origin}: expected PEM text, which has a line "-----BEGIN …-----"; found ${
      found === undefined ? "no such line" : `"BEGIN ${found}"`
    }`,
  );
}
