import { stripEnd } from "@kubeloop/controller/base";
import { badRequest, quote } from "../values/mod.ts";

/** The decoded `continue` token of a list: where the next page starts. */
export interface ContinueToken {
  /** The revision of the first page. -1 lists the newest state instead (an "inconsistent continue"). */
  readonly revision: number;
  /** The first key of the next page, relative to the prefix of the listed range. */
  readonly start: string;
}

/** The token version: the only one that the API server accepts. */
const VERSION = "meta.k8s.io/v1";

/** Encodes a token as the API server does: a small JSON object in base64url, without padding. */
export function encodeContinue(token: ContinueToken): string {
  const text = JSON.stringify({ v: VERSION, rv: token.revision, start: token.start });
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return stripEnd(btoa(binary).replaceAll("+", "-").replaceAll("/", "_"), "=");
}

/**
 * Decodes a token.
 *
 * @throws {ApiError} 400, if the text is not a valid token.
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
    // The error below names the first byte, as Go's JSON decoder does.
  }
  const first = bytes[0];
  if (first === undefined) throw invalid("unexpected end of JSON input");
  const shown = first > 0x7e
    ? "\\u" + first.toString(16).padStart(4, "0")
    : quote(String.fromCharCode(first)).slice(1, -1);
  throw invalid(`invalid character '${shown}' looking for beginning of value`);
}

function invalid(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
