/** How much of an unexpected answer an error shows. */
const EXCERPT_LENGTH = 200;

/**
 * The beginning of `text` on one line, in quotes, for an error message. Text that looks like JSON may be an object with
 * secrets in it and is not shown.
 */
export function excerpt(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (line === "") return "nothing";
  if (/^[{["]/.test(line)) return `${text.length} characters that begin like JSON`;
  return line.length <= EXCERPT_LENGTH ? `"${line}"` : `"${line.slice(0, EXCERPT_LENGTH)}…"`;
}

/** Whether an answer is a web page: a proxy, a login form, or another server altogether. */
export function isHtml(contentType: string, text: string): boolean {
  return contentType.startsWith("text/html") || /^\s*<(!doctype|html|\?xml)/i.test(text);
}
