import {
  bits,
  der,
  derTime,
  derValues,
  objectId,
  pem,
  sequence,
  time,
  unpem,
  unsigned,
  utf8,
} from "./der.ts";
import { alternativeNames } from "./alternative_names.ts";
import {
  isDelay,
  isFlag,
  isList,
  isObject,
  isText,
  type OptionChecks,
  requireFinite,
  requireOptions,
} from "../base/mod.ts";
import type { TlsMaterial } from "./tls.ts";

const HOUR_MS = 3_600_000;

const ECDSA = { name: "ECDSA", namedCurve: "P-256" };
const ECDSA_WITH_SHA256 = sequence(objectId("1.2.840.10045.4.3.2"));

/** Options of {@linkcode createCertificate}. */
export interface CertificateOptions {
  /** The common name of the subject. */
  readonly commonName: string;
  /** The current time, in milliseconds since the Unix epoch. The certificate is valid from an hour before. */
  readonly nowMs: number;
  /** How long the certificate is valid from now on, in milliseconds. */
  readonly validMs: number;
  /** The host names and IP addresses of a server certificate. */
  readonly hosts?: readonly string[] | undefined;
  /** Whether the certificate is an authority that issues others. Default false. */
  readonly authority?: boolean | undefined;
  /** The authority that issues the certificate. Default: the certificate is self-signed. */
  readonly issuer?: TlsMaterial | undefined;
}

const CHECKS: OptionChecks<CertificateOptions> = {
  commonName: isText,
  nowMs: (name, value) => requireFinite(name, value as number),
  validMs: isDelay,
  hosts: isList,
  authority: isFlag,
  issuer: isObject,
};

/** The parts of a certificate that decide when to replace it. */
export interface ReadCertificate {
  /** The start of the validity, in milliseconds since the Unix epoch. */
  readonly notBeforeMs: number;
  /** The end of the validity, in milliseconds since the Unix epoch. */
  readonly notAfterMs: number;
  /** The DER of the subject. */
  readonly subject: Uint8Array;
  /** The DER of the issuer: the subject of the certificate that has signed this one. */
  readonly issuer: Uint8Array;
  /** The identifier of the subject's key: the SHA-1 of the key; empty if the certificate does not say. */
  readonly subjectKeyId: string;
  /** The identifier of the issuer's key; empty if the certificate does not say. */
  readonly authorityKeyId: string;
  /** The bytes of the extension with the alternative names, as text; empty if there is none. */
  readonly alternativeNames: string;
}

const AUTHORITY_KEY_ID = "2.5.29.35";
const BASIC_CONSTRAINTS = "2.5.29.19";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const KEY_USAGE = "2.5.29.15";
const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
const SUBJECT_KEY_ID = "2.5.29.14";

/**
 * Creates an ECDSA P-256 key and its certificate: one of a server, for `hosts`, or an authority.
 *
 * @param options The names, the validity and the issuer.
 * @returns The certificate and the private key in PEM. The certificate of the issuer is not among them.
 * @throws {TypeError} If the issuer is not PEM, a host is neither a name nor an address, or an option cannot be used.
 * @throws {RangeError} If a time is not a number.
 *
 * @example An authority, and a server certificate of it
 * ```ts
 * import { createCertificate, readCertificate } from "@kubeloop/controller/serving";
 * import { assertEquals } from "@std/assert";
 *
 * const nowMs = Date.UTC(2026, 0, 1);
 * const validMs = 365 * 86_400_000;
 * const issuer = await createCertificate({ commonName: "ca", authority: true, nowMs, validMs });
 * const { cert } = await createCertificate({
 *   commonName: "web",
 *   hosts: ["web.default.svc"],
 *   issuer,
 *   nowMs,
 *   validMs,
 * });
 * assertEquals(readCertificate(cert).authorityKeyId, readCertificate(issuer.cert).subjectKeyId);
 * ```
 */
export async function createCertificate(options: CertificateOptions): Promise<TlsMaterial> {
  requireOptions("createCertificate()", options, CHECKS);
  const { commonName, nowMs, validMs, hosts = [], authority = false, issuer } = options;
  for (const [name, value] of Object.entries({ commonName, nowMs, validMs })) {
    if (value === undefined) throw new TypeError(`createCertificate() needs the option ${name}`);
  }
  const keys = await crypto.subtle.generateKey(ECDSA, true, ["sign", "verify"]);
  const spki = new Uint8Array(await crypto.subtle.exportKey("spki", keys.publicKey));
  const keyId = await keyIdOf(spki);
  const name = sequence(der(0x31, sequence(objectId("2.5.4.3"), utf8(commonName))));
  const signer = issuer === undefined ? undefined : partsOf(issuer.cert);
  const signingKey = issuer === undefined ? keys.privateKey : await importKey(issuer.key);
  const signerKeyId = signer === undefined ? keyId : await keyIdOf(signer.spki);
  const body = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    unsigned(crypto.getRandomValues(new Uint8Array(16))),
    ECDSA_WITH_SHA256,
    signer?.subject ?? name,
    // Valid from one hour ago, for clients whose clock is slow.
    sequence(time(nowMs - HOUR_MS), time(nowMs + validMs)),
    name,
    spki,
    der(
      0xa3,
      sequence(
        ...(authority ? authorityExtensions() : serverExtensions(hosts)),
        // Some clients would apply these to a self-signed server certificate as if it were an authority.
        ...(authority || signer === undefined ? [] : issuedExtensions()),
        extension(SUBJECT_KEY_ID, der(0x04, keyId)),
        extension(AUTHORITY_KEY_ID, sequence(der(0x80, signerKeyId))),
      ),
    ),
  );
  const signature = new Uint8Array(
    await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, signingKey, ownBytes(body)),
  );
  const half = signature.length / 2;
  const signed = sequence(
    body,
    ECDSA_WITH_SHA256,
    bits(sequence(unsigned(signature.subarray(0, half)), unsigned(signature.subarray(half)))),
  );
  const key = new Uint8Array(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  return { cert: pem("CERTIFICATE", signed), key: pem("PRIVATE KEY", key) };
}

/**
 * Reads the first certificate of a PEM text.
 *
 * @throws {TypeError} If the text has no certificate that can be read.
 */
export function readCertificate(text: string): ReadCertificate {
  const { validity, issuer, subject, extensions } = partsOf(text);
  const [notBefore, notAfter] = validity;
  const [authorityKeyId] = valuesIn(extensions.get(AUTHORITY_KEY_ID)).filter(({ tag }) =>
    tag === 0x80
  );
  const subjectKeyId = extensions.get(SUBJECT_KEY_ID);
  return {
    notBeforeMs: notBefore,
    notAfterMs: notAfter,
    subject,
    issuer,
    subjectKeyId: hex(subjectKeyId === undefined ? undefined : derValues(subjectKeyId)[0]?.content),
    authorityKeyId: hex(authorityKeyId?.content),
    alternativeNames: hex(extensions.get(SUBJECT_ALTERNATIVE_NAME)),
  };
}

/** Returns the alternative names of `hosts`, in the form of `ReadCertificate.alternativeNames`. */
export function alternativeNamesOf(hosts: readonly string[]): string {
  return hex(sequence(...alternativeNames(hosts)));
}

interface CertificateParts {
  readonly issuer: Uint8Array;
  readonly validity: readonly [number, number];
  readonly subject: Uint8Array;
  readonly spki: Uint8Array;
  /** The values of the extensions by their object identifier. */
  readonly extensions: ReadonlyMap<string, Uint8Array>;
}

const EXTENSIONS = [AUTHORITY_KEY_ID, SUBJECT_ALTERNATIVE_NAME, SUBJECT_KEY_ID];
const EXTENSION_IDS: ReadonlyMap<string, string> = new Map(
  EXTENSIONS.map((id) => [hex(objectId(id)), id]),
);

function partsOf(text: string): CertificateParts {
  const [certificate] = derValues(unpem("CERTIFICATE", text));
  const [body] = valuesIn(certificate?.bytes);
  const fields = valuesIn(body?.bytes);
  // The version, which is tagged, may be left out.
  if (fields[0]?.tag === 0xa0) fields.shift();
  const [, , issuer, validity, subject, spki, ...rest] = fields;
  const [notBefore, notAfter] = valuesIn(validity?.bytes);
  // If one of these is there, so are those before it.
  if (notAfter === undefined || spki === undefined) {
    throw new TypeError("The certificate cannot be read: it is not X.509");
  }
  const extensions = new Map<string, Uint8Array>();
  const tagged = rest.find(({ tag }) => tag === 0xa3);
  for (const { content } of valuesIn(valuesIn(tagged?.bytes)[0]?.bytes)) {
    const [id, ...values] = derValues(content);
    const known = id && EXTENSION_IDS.get(hex(id.bytes));
    const value = values.at(-1);
    if (known !== undefined && value !== undefined) extensions.set(known, value.content);
  }
  return {
    issuer: issuer!.bytes,
    validity: [derTime(notBefore!), derTime(notAfter)],
    subject: subject!.bytes,
    spki: spki.bytes,
    extensions,
  };
}

/** Returns the values inside of a value. */
function valuesIn(bytes: Uint8Array | undefined): ReturnType<typeof derValues> {
  const [outer] = bytes === undefined ? [] : derValues(bytes);
  return outer === undefined ? [] : derValues(outer.content);
}

function extension(id: string, value: Uint8Array, critical = false): Uint8Array {
  const mark = critical ? [der(0x01, Uint8Array.of(0xff))] : [];
  return sequence(objectId(id), ...mark, der(0x04, value));
}

function authorityExtensions(): Uint8Array[] {
  return [
    // An authority, of servers only: it issues no other authorities.
    extension(
      BASIC_CONSTRAINTS,
      sequence(der(0x01, Uint8Array.of(0xff)), der(0x02, Uint8Array.of(0))),
      true,
    ),
    // keyCertSign and cRLSign.
    extension(KEY_USAGE, der(0x03, Uint8Array.of(1, 0x06)), true),
  ];
}

function serverExtensions(hosts: readonly string[]): Uint8Array[] {
  return [
    extension(EXTENDED_KEY_USAGE, sequence(objectId(SERVER_AUTH))),
    extension(SUBJECT_ALTERNATIVE_NAME, sequence(...alternativeNames(hosts))),
  ];
}

/** The extensions of a server certificate that an authority has issued: it cannot issue others. */
function issuedExtensions(): Uint8Array[] {
  return [
    extension(BASIC_CONSTRAINTS, sequence(), true),
    // digitalSignature.
    extension(KEY_USAGE, der(0x03, Uint8Array.of(7, 0x80)), true),
  ];
}

/** Returns the SHA-1 of a public key, which names it in certificates. */
async function keyIdOf(spki: Uint8Array): Promise<Uint8Array> {
  const [, key] = valuesIn(spki);
  // A BIT STRING starts with the number of its unused bits.
  const bytes = key?.content.subarray(1) ?? new Uint8Array();
  return new Uint8Array(await crypto.subtle.digest("SHA-1", ownBytes(bytes)));
}

async function importKey(text: string): Promise<CryptoKey> {
  const bytes = unpem("PRIVATE KEY", text);
  try {
    return await crypto.subtle.importKey("pkcs8", bytes, ECDSA, false, ["sign"]);
  } catch {
    // The error of the runtime is left out: the key must not get into a log.
    throw new TypeError("The private key of the issuer must be an ECDSA key on the curve P-256");
  }
}

function hex(bytes: Uint8Array | undefined): string {
  return Array.from(bytes ?? [], (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Copies the bytes into an ArrayBuffer of their own, the type that Web Crypto accepts. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
