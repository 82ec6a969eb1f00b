/** Matches characters that a terminal draws over the previous character. */
const COMBINING = /^[\p{Mn}\p{Me}]$/u;

/** Matches characters that take two columns: East Asian scripts, full-width forms and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

/** Returns the width of a line, in terminal columns. */
export function textWidth(text: string): number {
  // In ASCII text, each character takes one column.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += widthOf(char);
  return width;
}

/** Cuts a line to at most `columns` terminal columns, with an ellipsis if it was longer. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let width = 1;
  let cut = "";
  for (const char of text) {
    width += widthOf(char);
    if (width > columns) break;
    cut += char;
  }
  return columns < 1 ? "" : `${cut}…`;
}

function widthOf(char: string): number {
  if (COMBINING.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}
