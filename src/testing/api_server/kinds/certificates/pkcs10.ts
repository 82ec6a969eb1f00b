import { createPublicKey, verify } from "node:crypto";
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
  const [block] = pemBlocks(base64);
  if (block?.type !== "CERTIFICATE REQUEST") return "PEM block type must be CERTIFICATE REQUEST";
  if (block.bytes.length === 1) return "asn1: syntax error: truncated tag or length";
  const [request] = elements(block.bytes) ?? [];
  const [info, algorithm, signature] = inner(request);
  const [, , key] = inner(info);
  const [id] = inner(algorithm);
  if (key === undefined || id?.tag !== OBJECT_ID || signature?.tag !== BIT_STRING) return TRUNCATED;
  const known = ALGORITHMS[Buffer.from(id.content).toString("hex")];
  if (known === undefined) return "x509: cannot verify signature: algorithm unimplemented";
  const [hash, wrong] = known;
  try {
    const der = Buffer.from(key.all);
    const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
    return verify(hash, info!.all, publicKey, signature.content.subarray(1)) ? undefined : wrong;
  } catch {
    return wrong;
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
