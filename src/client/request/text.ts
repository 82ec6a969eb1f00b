import { describeValue, type Redact, visibleText } from "../../base/mod.ts";

/** The maximum length of an excerpt in an error message, in characters. */
const EXCERPT_LENGTH = 200;

/**
 * Returns the beginning of `text` for an error message, in quotes and on one line. Text that looks like JSON is not
 * shown, because it may be an object that contains secrets.
 */
export function excerpt(text: string, redact: Redact): string {
  const line = redact(text).replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (line === "") return "nothing";
  if (/^[{["]/.test(line)) return `${text.length} characters that begin like JSON`;
  const shown = visibleText(line.slice(0, EXCERPT_LENGTH), EXCERPT_LENGTH);
  return line.length <= EXCERPT_LENGTH ? `"${shown}"` : `"${shown}…"`;
}

/** Returns a value of an answer that should be a short text, such as a kind, for an error message. */
export function shownValue(value: unknown, redact: Redact): string {
  if (typeof value !== "string") return describeValue(value);
  return `"${visibleText(redact(value), EXCERPT_LENGTH)}"`;
}

/** Reports whether a response is a web page, for example of a proxy, a login form or another server. */
export function isHtml(contentType: string, text: string): boolean {
  return contentType.startsWith("text/html") || /^\s*<(!doctype|html|\?xml)/i.test(text);
}
