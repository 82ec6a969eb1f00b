import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { Buffer } from "node:buffer";
import { pemBlocks } from "../shared/mod.ts";

/** The types of keys that Go's TLS knows. */
const KEY_TYPES = ["rsa", "ec", "ed25519"];

/**
 * Returns the error of a certificate and a private key, given as PEM in base64; undefined if they are a pair. The texts
 * are the same as in Go's `tls.X509KeyPair`.
 */
export function keyPairError(certificate: string, key: string): string | undefined {
  const blocks = pemBlocks(Buffer.from(certificate, "base64"));
  const leaf = blocks.find(({ type }) => type === "CERTIFICATE");
  if (leaf === undefined) return noCertificate(blocks.map(({ type }) => type));
  const keyBlocks = pemBlocks(Buffer.from(key, "base64"));
  const secret = keyBlocks.find(({ type }) => /^(?:.* )?PRIVATE KEY$/.test(type));
  if (secret === undefined) return noKey(keyBlocks.map(({ type }) => type));
  const wanted = attempt(() => new X509Certificate(Buffer.from(leaf.bytes)).publicKey);
  if (wanted === undefined) return "x509: malformed certificate";
  const found = privateKey(secret.bytes);
  if (found === undefined) return "tls: failed to parse private key";
  const type = String(wanted.asymmetricKeyType);
  if (!KEY_TYPES.includes(String(found.asymmetricKeyType))) {
    return "tls: found unknown private key type in PKCS#8 wrapping";
  }
  if (!KEY_TYPES.includes(type)) return "tls: unknown public key algorithm";
  if (found.asymmetricKeyType !== type) {
    return "tls: private key type does not match public key type";
  }
  return publicBytes(createPublicKey(found)) === publicBytes(wanted)
    ? undefined
    : "tls: private key does not match public key";
}

function noCertificate(types: readonly string[]): string {
  if (types.length === 0) return "tls: failed to find any PEM data in certificate input";
  if (types.length === 1 && types[0]!.endsWith("PRIVATE KEY")) {
    return "tls: failed to find certificate PEM data in certificate input, " +
      "but did find a private key; PEM inputs may have been switched";
  }
  return 'tls: failed to find "CERTIFICATE" PEM block in certificate input ' +
    `after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

function noKey(types: readonly string[]): string {
  if (types.length === 0) return "tls: failed to find any PEM data in key input";
  if (types.length === 1 && types[0] === "CERTIFICATE") {
    return "tls: found a certificate rather than a key in the PEM for the private key";
  }
  return 'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input ' +
    `after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

/** Reads a private key in any of the forms that Go takes, whatever the name of its block says. */
function privateKey(bytes: Uint8Array): KeyObject | undefined {
  const key = Buffer.from(bytes);
  for (const type of ["pkcs1", "pkcs8", "sec1"] as const) {
    const found = attempt(() => createPrivateKey({ key, format: "der", type }));
    if (found !== undefined) return found;
  }
  return undefined;
}

function publicBytes(key: KeyObject): string {
  return key.export({ type: "spki", format: "der" }).toString("hex");
}

/** Returns the result of `read`; undefined if it throws. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
