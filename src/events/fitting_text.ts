import { oneLine, visibleText } from "../base/mod.ts";

const MARK = "…";
const MARK_BYTES = 3;

/**
 * Returns text for a field that the server limits to `maxBytes`: on one line, with invisible characters written as in JSON,
 * and with `…` in place of what is too much.
 */
export function fittingText(text: string, maxBytes: number): string {
  // No more than this can fit: it bounds the work for a note of megabytes.
  const isCut = text.length > maxBytes;
  const shown = visibleText(oneLine(isCut ? text.slice(0, maxBytes) : text), Infinity);
  const encoder = new TextEncoder();
  if (!isCut && encoder.encode(shown).length <= maxBytes) return shown;
  // encodeInto() stops before the character that does not fit.
  const { read } = encoder.encodeInto(shown, new Uint8Array(maxBytes - MARK_BYTES));
  return shown.slice(0, read) + MARK;
}
