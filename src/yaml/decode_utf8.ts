/**
 * Decodes UTF-8 as Go does: each byte that is not part of a character becomes U+FFFD, where a `TextDecoder` makes one of
 * several bytes.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    let text = "";
    for (let at = 0; at < bytes.length;) {
      const length = characterLength(bytes, at);
      text += length === 0 ? "\ufffd" : decodeCharacter(bytes.subarray(at, at + length));
      at += Math.max(length, 1);
    }
    return text;
  }
}

/** Returns the number of bytes of the character at an index; 0 if there is none. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // Neither a longer form than needed, nor a surrogate, nor a number beyond the last character.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let next = 1; next < length; next++) {
    const byte = bytes[at + next] ?? 0;
    if (byte < (next === 1 ? least : 0x80) || byte > (next === 1 ? most : 0xbf)) return 0;
  }
  return length;
}

function decodeCharacter([first = 0, ...more]: Uint8Array): string {
  if (more.length === 0) return String.fromCharCode(first);
  const start = first & (0x3f >> more.length);
  return String.fromCodePoint(more.reduce((code, byte) => code << 6 | (byte & 0x3f), start));
}
