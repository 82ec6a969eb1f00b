/**
 * A throw-away certificate authority for tests of TLS.
 *
 * @module
 */

import * as x509 from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const RSA = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const DAY_MS = 86_400_000;

/** A certificate and its private key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Options of {@linkcode CertificateAuthority.issue}. */
export interface IssueOptions {
  /** The distinguished name, such as `CN=admin,O=system:masters`. */
  readonly name: string;
  /** The host names and addresses of a server certificate; undefined for a client certificate. */
  readonly hosts?: readonly string[];
  /** The remaining validity, in milliseconds; negative for an expired certificate. Default: one day. */
  readonly endsInMs?: number;
  /** The type of the key. Default `EC`. */
  readonly keyType?: "EC" | "RSA";
}

async function pem(key: CryptoKey): Promise<string> {
  const der = new Uint8Array(await crypto.subtle.exportKey("pkcs8", key));
  return x509.PemConverter.encode(der, "PRIVATE KEY");
}

function generateKeys(
  algorithm: typeof ALGORITHM | typeof RSA = ALGORITHM,
): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
}

let serial = 1;

/** A certificate authority. */
export class CertificateAuthority {
  /** The certificate of the authority, as PEM. */
  readonly cert: string;
  readonly #certificate: x509.X509Certificate;
  readonly #keys: CryptoKeyPair;

  private constructor(certificate: x509.X509Certificate, keys: CryptoKeyPair) {
    this.cert = `${certificate.toString("pem")}\n`;
    this.#certificate = certificate;
    this.#keys = keys;
  }

  /** Creates a certificate authority. */
  static async create(name = "CN=kubeloop test CA"): Promise<CertificateAuthority> {
    x509.cryptoProvider.set(crypto);
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      ...nextValidity(10 * DAY_MS),
      name,
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: authorityExtensions(),
    });
    return new CertificateAuthority(certificate, keys);
  }

  /** Creates an authority whose certificate this authority signs. */
  async intermediate(name = "CN=kubeloop intermediate CA"): Promise<CertificateAuthority> {
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      ...nextValidity(10 * DAY_MS),
      subject: name,
      issuer: this.#certificate.subject,
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: authorityExtensions(),
    });
    return new CertificateAuthority(certificate, keys);
  }

  /** Issues a certificate. */
  async issue(options: IssueOptions): Promise<KeyPair> {
    const keys = await generateKeys(options.keyType === "RSA" ? RSA : ALGORITHM);
    const certificate = await x509.X509CertificateGenerator.create({
      ...nextValidity(options.endsInMs ?? DAY_MS),
      subject: options.name,
      issuer: this.#certificate.subject,
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: leafExtensions(options.hosts ?? []),
    });
    return pairOf(certificate, keys);
  }
}

/**
 * Returns a certificate of a server for `hosts` that is signed with its own key.
 *
 * @param options `isAuthority`: whether it may sign others too, as OpenSSL makes it by default.
 */
export async function selfSigned(
  hosts: readonly string[],
  { isAuthority = false }: { readonly isAuthority?: boolean } = {},
): Promise<KeyPair> {
  x509.cryptoProvider.set(crypto);
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...nextValidity(DAY_MS),
    name: "CN=self-signed",
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: isAuthority
      ? [new x509.BasicConstraintsExtension(true, undefined, true), namesOf(hosts)]
      : leafExtensions(hosts),
  });
  return pairOf(certificate, keys);
}

async function pairOf(certificate: x509.X509Certificate, keys: CryptoKeyPair): Promise<KeyPair> {
  return { cert: `${certificate.toString("pem")}\n`, key: `${await pem(keys.privateKey)}\n` };
}

function nextValidity(endsInMs: number) {
  return {
    serialNumber: String(serial++).padStart(2, "0"),
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + endsInMs),
  };
}

function authorityExtensions(): x509.Extension[] {
  const { keyCertSign, cRLSign, digitalSignature } = x509.KeyUsageFlags;
  return [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(keyCertSign | cRLSign | digitalSignature, true),
  ];
}

function leafExtensions(hosts: readonly string[]): x509.Extension[] {
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
  return [
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([hosts.length > 0 ? serverAuth : clientAuth]),
    ...(hosts.length === 0 ? [] : [namesOf(hosts)]),
  ];
}

function namesOf(hosts: readonly string[]): x509.Extension {
  return new x509.SubjectAlternativeNameExtension(
    hosts.map((host) => ({
      type: /^[\d.]+$|:/.test(host) ? "ip" as const : "dns" as const,
      value: host,
    })),
  );
}
