/** One entry of a `Warning` header (RFC 7234). */
export interface Warning {
  /** 299 for what the API server has to say. */
  readonly code: number;
  /** Who warns; usually `-`. */
  readonly agent: string;
  /** The warning, for people. */
  readonly text: string;
}

/** Where warnings of the API server go: deprecated versions, unknown fields, admission policies. */
export type WarningHandler = (warning: Warning) => void;

// code SP agent SP "text" [SP "date"], with any quoted character after a backslash.
const ENTRY = /\s*(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,|$)/y;

/**
 * The entries of a `Warning` header, several being separated by commas. What is not one is skipped, and so are texts with
 * control characters; encoded words (RFC 2047) are decoded.
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

/** RFC 2047's `=?charset?B|Q?…?=`, which Go uses for texts that are not ASCII. */
function decodeWords(text: string): string {
  return text.replace(
    /=\?([^?]+)\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi,
    (word, charset: string, encoding: string, data: string) => {
      try {
        const binary = encoding.toLowerCase() === "b"
          ? atob(data)
          : data.replaceAll("_", " ").replace(
            /=([0-9a-f]{2})/gi,
            (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
          );
        const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
        return new TextDecoder(charset).decode(bytes);
      } catch {
        return word;
      }
    },
  );
}

/** Hands the warnings of an answer to `handler`: those of code 299 that have a text. */
export function handleWarnings(header: string, handler: WarningHandler): void {
  for (const warning of parseWarnings(header)) {
    if (warning.code === 299 && warning.text !== "") handler(warning);
  }
}

/** How many different texts are remembered; after that, the oldest may be shown again. */
const MAX_REMEMBERED = 1000;

/** A handler that passes each text on once, however often the server repeats it: for logs. */
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
