import { Buffer } from "node:buffer";

/** A block of a PEM text. */
export interface PemBlock {
  /** The word after BEGIN. */
  readonly type: string;
  /** Whether the block has headers. */
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const BLOCK = /-----BEGIN ([^\n-]+)-----[ \t]*\r?\n([^-]*)-----END ([^\n-]+)-----/g;

/** Returns the blocks of a PEM text that is given in base64. What is no block is skipped, as Go does. */
export function pemBlocks(base64: string): PemBlock[] {
  const text = Buffer.from(base64, "base64").toString("latin1");
  return [...text.matchAll(BLOCK)].flatMap(([, type = "", body = "", end]) => {
    if (end !== type) return [];
    const hasHeaders = body.includes(":");
    return [{ type, hasHeaders, bytes: Buffer.from(hasHeaders ? "" : body, "base64") }];
  });
}
