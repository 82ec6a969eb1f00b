import { decodeBase64, encodeBase64, LruMap } from "../../base/mod.ts";
/** The text that replaces a credential. */
const HIDDEN = "(hidden)";

/** Shorter passwords are not looked for: they are part of too many words. */
const MIN_LENGTH = 3;

/** The number of credentials that are remembered. A client has one at a time; those before it may still be echoed. */
const MAX_SECRETS = 16;

/** The longest beginning of a text that is searched, in characters. What follows is never shown. */
const MAX_TEXT_LENGTH = 65_536;

/**
 * The beginning of a text that may be shown after it was cut to {@linkcode MAX_TEXT_LENGTH}. A credential that begins
 * in it has its end before the cut, so that it is found.
 */
const SAFE_LENGTH = 49_152;

const encoder = new TextEncoder();

/**
 * Replaces the credentials of a client in text that comes from a server: errors, log lines and warnings. A server, or a
 * proxy before it, may repeat the request that it was sent, headers included.
 *
 * It finds a credential unchanged, in base64 (alone or within other text), URL-encoded, and escaped for JSON and HTML.
 * It does not find what a server has split or encrypted.
 */
export class Redactor {
  /** The forms of each credential, longest first. */
  readonly #secrets = new LruMap<string, readonly string[]>(MAX_SECRETS);
  /** The last header, while all of its credentials are remembered: most requests repeat it. */
  #lastHeader: string | undefined;

  /** Remembers a token or a password. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret.length < MIN_LENGTH || this.#secrets.has(secret)) return;
    const removed = this.#secrets.set(secret, formsOf(secret));
    if (removed !== undefined) this.#lastHeader = undefined;
  }

  /** Remembers the credentials in the value of an `Authorization` header. */
  addHeader(authorization: string | undefined): void {
    if (authorization === undefined || authorization === this.#lastHeader) return;
    this.#lastHeader = authorization;
    const space = authorization.indexOf(" ");
    const credentials = authorization.slice(space + 1);
    this.add(credentials);
    if (!authorization.startsWith("Basic ")) return;
    let pair: string;
    try {
      pair = decodeBase64(credentials);
    } catch {
      return;
    }
    this.add(pair);
    this.add(pair.slice(pair.indexOf(":") + 1));
  }

  /** Returns `text` without the credentials, and not more than its first 64 Ki characters. */
  readonly redact = (text: string): string => {
    const isCut = text.length > MAX_TEXT_LENGTH;
    let redacted = isCut ? text.slice(0, MAX_TEXT_LENGTH) : text;
    for (const forms of this.#secrets.values()) {
      for (const form of forms) redacted = redacted.replaceAll(form, HIDDEN);
    }
    return isCut ? redacted.slice(0, SAFE_LENGTH) : redacted;
  };
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const everyByte = [...encoder.encode(secret)]
    .map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const inJson = JSON.stringify(secret).slice(1, -1);
  const forms = new Set([
    secret,
    ...bothCases(encoded),
    ...bothCases(encoded.replaceAll("%20", "+")),
    ...bothCases(everyByte),
    inJson,
    inJson.replaceAll("/", "\\/"),
    inJson.replace(/[<>&+=]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
    escapeHtml(secret, "&#34;", "&#39;"),
    escapeHtml(secret, "&quot;", "&apos;"),
    ...base64Forms(secret),
  ]);
  return [...forms].sort((a, b) => b.length - a.length);
}

/** Returns percent-encoded text with upper-case and with lower-case digits. */
function bothCases(encoded: string): string[] {
  const escapes = /%[0-9a-f]{2}/gi;
  return [
    encoded.replace(escapes, (escape) => escape.toUpperCase()),
    encoded.replace(escapes, (escape) => escape.toLowerCase()),
  ];
}

function escapeHtml(text: string, quote: string, apostrophe: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', quote).replaceAll("'", apostrophe);
}

/**
 * Returns the characters of a secret in base64, wherever in the encoded text it begins: base64 encodes three
 * bytes at once, so there are three forms. Characters that depend on the bytes around the secret are left out.
 */
function base64Forms(secret: string): string[] {
  const bytes = encoder.encode(secret);
  const forms: string[] = [];
  for (let before = 0; before < 3; before++) {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const encoded = encodeBase64(padded);
    const form = encoded.slice(Math.ceil(before * 8 / 6), Math.floor(padded.length * 8 / 6));
    if (form.length < MIN_LENGTH) continue;
    forms.push(form, form.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}
