import { type Redact, visibleText } from "../../base/mod.ts";

/** An entry of a `Warning` header (RFC 7234). */
export interface Warning {
  /** The warning code: 299 for warnings of the API server. */
  readonly code: number;
  /** The agent that added the warning, usually `-`. */
  readonly agent: string;
  /** The human-readable warning. */
  readonly text: string;
}

/** Handles warnings of the API server, for example about deprecated versions, unknown fields or admission policies. */
export type WarningHandler = (warning: Warning) => void;

// code SP agent SP "text" [SP "date"]. In quotes, a backslash escapes any character.
const ENTRY = /\s*(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,|$)/y;

/**
 * Parses the comma-separated entries of a `Warning` header. Malformed entries and texts with control characters are
 * skipped. Encoded words (RFC 2047) are decoded.
 *
 * @example
 * ```ts
 * import { parseWarnings } from "@kubeloop/controller/client";
 * import { assertEquals } from "@std/assert";
 *
 * const [warning] = parseWarnings('299 - "v1 ComponentStatus is deprecated in v1.19+"');
 * assertEquals(warning?.text, "v1 ComponentStatus is deprecated in v1.19+");
 * ```
 */
export function parseWarnings(header: string): Warning[] {
  const warnings: Warning[] = [];
  let position = 0;
  while (position < header.length) {
    ENTRY.lastIndex = position;
    const match = ENTRY.exec(header);
    if (match === null) {
      const comma = header.indexOf(",", position);
      if (comma < 0) break;
      position = comma + 1;
      continue;
    }
    position = ENTRY.lastIndex;
    const [, code = "", agent = "", quoted = ""] = match;
    const text = decodeWords(quoted.replace(/\\(.)/g, "$1"));
    if (!/\p{Cc}/u.test(text)) warnings.push({ code: Number(code), agent, text });
  }
  return warnings;
}

/** Decodes encoded words of RFC 2047, `=?charset?B|Q?…?=`, in which Go encodes text that is not ASCII. */
function decodeWords(text: string): string {
  return text.replace(
    /=\?([^?]+)\?([bq])\?([^?]*)\?=(\s*)/gi,
    (word, charset: string, encoding: string, data: string, blanks: string, at: number) => {
      try {
        const binary = encoding.toLowerCase() === "b"
          ? atob(data)
          : data.replaceAll("_", " ").replace(
            /=([0-9a-f]{2})/gi,
            (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
          );
        const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
        // Blanks between two encoded words do not count.
        const isLast = !text.startsWith("=?", at + word.length);
        return new TextDecoder(charset).decode(bytes) + (isLast ? blanks : "");
      } catch {
        return word;
      }
    },
  );
}

/** The longest text of a warning, in characters. */
const MAX_TEXT_LENGTH = 4_096;

/** Passes the warnings with code 299 and a text to `handler`. Their texts are redacted and bounded. */
export function handleWarnings(header: string, redact: Redact, handler: WarningHandler): void {
  for (const { code, agent, text } of parseWarnings(header)) {
    if (code !== 299 || text === "") continue;
    handler({
      code,
      agent: visibleText(redact(agent), MAX_TEXT_LENGTH),
      text: visibleText(redact(text), MAX_TEXT_LENGTH),
    });
  }
}

/** The maximum number of remembered texts. When it is reached, the oldest text is forgotten and may be shown again. */
const MAX_REMEMBERED = 1000;

/** Returns a handler that passes each distinct text to `handler` once, for logs. */
export function onceEach(handler: WarningHandler): WarningHandler {
  const seen = new Set<string>();
  return (warning) => {
    if (seen.has(warning.text)) return;
    seen.add(warning.text);
    if (seen.size > MAX_REMEMBERED) {
      for (const oldest of seen) {
        seen.delete(oldest);
        break;
      }
    }
    handler(warning);
  };
}
