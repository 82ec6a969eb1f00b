import { Buffer } from "node:buffer";
import { X509Certificate } from "node:crypto";

/** Reads a certificate in DER; undefined if the bytes are not one. */
export function readCertificate(bytes: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(bytes));
  } catch {
    return undefined;
  }
}
