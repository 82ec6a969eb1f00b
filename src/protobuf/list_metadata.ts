import { textAt } from "./text.ts";
import { after, readInt64, readLength, readVarint, skipValue, WIRE } from "./wire.ts";

/** Reads the metadata of a list as the JSON value. Returns undefined if it is malformed. */
export function listMetadata(bytes: Uint8Array, at: number, end: number): object | undefined {
  const metadata: Record<string, unknown> = {};
  while (at < end) {
    const tag = readVarint(bytes, at, end);
    if (tag < 8) return undefined;
    const name = ["", "selfLink", "resourceVersion", "continue"][Math.floor(tag / 8)];
    if (tag === 0x20) {
      const count = readInt64(bytes, after, end);
      if (count === undefined) return undefined;
      metadata.remainingItemCount = count;
      at = after;
    } else if (name === undefined) {
      if ((at = skipValue(bytes, after, end, tag % 8)) < 0) return undefined;
    } else {
      const length = tag % 8 === WIRE.BYTES ? readLength(bytes, after, end) : -1;
      if (length < 0) return undefined;
      at = after + length;
      if (length > 0) metadata[name] = textAt(bytes, at - length, at);
    }
  }
  return metadata;
}
