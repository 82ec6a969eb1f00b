import { oneLine, visibleText } from "../base/mod.ts";

const MARK = "…";
const MARK_BYTES = 3;

/**
 * Returns text for a field of at most `maxBytes` bytes: on one line, with invisible characters escaped as in JSON. Text that
 * is too long ends with `…`.
 */
export function fittingText(text: string, maxBytes: number): string {
  // Bounds the work for a note of megabytes.
  const isCut = text.length > maxBytes;
  const shown = visibleText(oneLine(isCut ? text.slice(0, maxBytes) : text), Infinity);
  const encoder = new TextEncoder();
  if (!isCut && encoder.encode(shown).length <= maxBytes) return shown;
  // encodeInto() stops before the character that does not fit.
  const { read } = encoder.encodeInto(shown, new Uint8Array(maxBytes - MARK_BYTES));
  return shown.slice(0, read) + MARK;
}
