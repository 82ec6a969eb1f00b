import { Buffer } from "node:buffer";

/** A block of a PEM text. */
export interface PemBlock {
  /** The word after BEGIN. */
  readonly type: string;
  /** Whether the block has headers. */
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const BEGIN = "-----BEGIN ";
const END = "-----END ";
const DASHES = "-----";

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the blocks of a PEM text in UTF-8. Other text is skipped, as in Go. */
export function pemBlocks(pem: Buffer): PemBlock[] {
  const text = pem.toString("latin1");
  const blocks: PemBlock[] = [];
  let from = 0;
  for (let end = text.indexOf(END); end >= 0; end = text.indexOf(END, from)) {
    const begin = text.lastIndexOf(BEGIN, end);
    const after = end + END.length;
    const block = begin < from || (begin > 0 && text[begin - 1] !== "\n")
      ? undefined
      : blockOf(text.slice(begin + BEGIN.length, end), text.slice(after).split("\n", 1)[0]!);
    if (block !== undefined) blocks.push(block);
    from = after;
  }
  return blocks;
}

/** Reads a block from the text between its marks and the rest of its last line. */
function blockOf(content: string, last: string): PemBlock | undefined {
  const [first = "", ...lines] = content.split("\n");
  const type = first.trimEnd();
  if (!type.endsWith(DASHES) || last.trimEnd() !== type) return undefined;
  const headers = lines.findIndex((line) => !line.includes(":"));
  const data = lines.slice(headers).join("").replace(/[ \t\r]/g, "");
  if (data.length % 4 !== 0 || !BASE64.test(data)) return undefined;
  const bytes = Buffer.from(data, "base64");
  return { type: type.slice(0, -DASHES.length), hasHeaders: headers > 0, bytes };
}
