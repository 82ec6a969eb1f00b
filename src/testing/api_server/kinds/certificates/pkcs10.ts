import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { Buffer } from "node:buffer";
import { pemBlocks } from "../shared/mod.ts";

const SEQUENCE = 0x30;
const OBJECT_ID = 0x06;
const BIT_STRING = 0x03;

const TRUNCATED = "asn1: syntax error: data truncated";

/** An element of a DER text. */
interface Element {
  readonly tag: number;
  /** The whole element. */
  readonly all: Uint8Array;
  /** The content of the element. */
  readonly content: Uint8Array;
}

/** The hash of a signature, and Go's error for a wrong one, by the object id of the algorithm in hexadecimal. */
const ALGORITHMS: Readonly<Record<string, readonly [hash: string | null, wrong: string]>> = {
  "2a864886f70d01010b": ["sha256", "crypto/rsa: verification error"],
  "2a864886f70d01010c": ["sha384", "crypto/rsa: verification error"],
  "2a864886f70d01010d": ["sha512", "crypto/rsa: verification error"],
  "2a8648ce3d040302": ["sha256", "x509: ECDSA verification failure"],
  "2a8648ce3d040303": ["sha384", "x509: ECDSA verification failure"],
  "2a8648ce3d040304": ["sha512", "x509: ECDSA verification failure"],
  "2b6570": [null, "x509: Ed25519 verification failure"],
};

/** Returns the error of a PKCS #10 request in base64; undefined if it is valid and its signature matches. */
export function requestError(base64: string): string | undefined {
  const [block] = pemBlocks(Buffer.from(base64, "base64"));
  if (block?.type !== "CERTIFICATE REQUEST") return "PEM block type must be CERTIFICATE REQUEST";
  if (block.bytes.length === 1) return "asn1: syntax error: truncated tag or length";
  const request = readRequest(block.bytes);
  return request === undefined ? TRUNCATED : request.error;
}

/** A PKCS #10 request. */
export interface Pkcs10Request {
  /** The public key; undefined if its algorithm is unknown. */
  readonly publicKey: KeyObject | undefined;
  /** The error of the signature; undefined if it matches. */
  readonly error: string | undefined;
}

/** Reads a PKCS #10 request in DER; undefined if the bytes are not one. */
export function readRequest(bytes: Uint8Array): Pkcs10Request | undefined {
  const [request] = elements(bytes) ?? [];
  const [info, algorithm, signature] = inner(request);
  const [, , key] = inner(info);
  const [id] = inner(algorithm);
  if (key === undefined || id?.tag !== OBJECT_ID || signature?.tag !== BIT_STRING) return undefined;
  const publicKey = readPublicKey(key.all);
  const known = ALGORITHMS[Buffer.from(id.content).toString("hex")];
  if (known === undefined) {
    return { publicKey, error: "x509: cannot verify signature: algorithm unimplemented" };
  }
  const [hash, wrong] = known;
  const signed = signature.content.subarray(1);
  return { publicKey, error: isSigned(hash, info!.all, publicKey, signed) ? undefined : wrong };
}

/** Reads a public key in DER; undefined if the bytes are not one. */
export function readPublicKey(bytes: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(bytes), format: "der", type: "spki" });
  } catch {
    return undefined;
  }
}

function isSigned(
  hash: string | null,
  bytes: Uint8Array,
  key: KeyObject | undefined,
  signature: Uint8Array,
): boolean {
  try {
    return key !== undefined && verify(hash, bytes, key, signature);
  } catch {
    return false;
  }
}

/** Returns the elements of a sequence. */
function inner(element: Element | undefined): Element[] {
  return element?.tag === SEQUENCE ? elements(element.content) ?? [] : [];
}

/** Returns the elements of DER bytes; undefined if they are not DER. */
function elements(bytes: Uint8Array): Element[] | undefined {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at + 1] ?? 0;
    const longer = first < 0x80 ? 0 : first & 0x7f;
    if (longer > 3) return undefined;
    let length = longer === 0 ? first : 0;
    for (let i = 0; i < longer; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
    const start = at + 2 + longer;
    const end = start + length;
    if (end > bytes.length) return undefined;
    const all = bytes.subarray(at, end);
    found.push({ tag: bytes[at]!, all, content: bytes.subarray(start, end) });
    at = end;
  }
  return found;
}
