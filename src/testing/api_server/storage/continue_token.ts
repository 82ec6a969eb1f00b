import { badRequest } from "../values/mod.ts";

/** Where a list goes on. */
export interface ContinueToken {
  /** The revision of the first page; -1 lists whatever is newest ("inconsistent continue"). */
  readonly revision: number;
  /** The first key of the next page, relative to the listed range. */
  readonly start: string;
}

/** The only layout the API server knows. */
const VERSION = "meta.k8s.io/v1";

/** Writes a token as the API server does: base64url of a small JSON object, without padding. */
export function encodeContinue(token: ContinueToken): string {
  const text = JSON.stringify({ v: VERSION, rv: token.revision, start: token.start });
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Reads a token.
 *
 * @throws {ApiError} 400, when it is none.
 */
export function decodeContinue(token: string): ContinueToken {
  const value = parse(token);
  if (value.v !== VERSION) {
    throw invalid(`server does not recognize this encoded version ${value.v ?? ""}`);
  }
  if (value.rv === 0 || value.rv === undefined) {
    throw invalid(`incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (!value.start) throw invalid(`encoded start key is empty (version ${VERSION})`);
  if (value.start.includes("..")) {
    throw invalid(`Invalid continue key ${JSON.stringify(value.start)}`);
  }
  return { revision: value.rv, start: value.start.replace(/^\//, "") };
}

function parse(token: string): { v?: string; rv?: number; start?: string } {
  let bytes: Uint8Array;
  try {
    const binary = atob(token.replaceAll("-", "+").replaceAll("_", "/"));
    bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  } catch {
    throw invalid(
      `illegal base64 data at input byte ${Math.max(0, token.search(/[^A-Za-z0-9_-]/))}`,
    );
  }
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Told below, by its first byte.
  }
  const first = bytes[0];
  if (first === undefined) throw invalid("unexpected end of JSON input");
  const shown = first < 0x20 || first > 0x7e
    ? "\\u" + first.toString(16).padStart(4, "0")
    : String.fromCharCode(first);
  throw invalid(`invalid character '${shown}' looking for beginning of value`);
}

function invalid(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
