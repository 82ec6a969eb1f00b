import { stripEnd } from "@kubeloop/controller/base";
import { badRequest, getOwn, isObject, type Json, jsonTypeName, quote } from "../values/mod.ts";

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
  if (!value.start) throw invalid(`encoded start key empty (version ${VERSION})`);
  const start = value.start.replace(/^\//, "");
  // Such a key could lead out of the listed range.
  const steps = start.split("/");
  if (steps.some((step) => step === "" || step === "." || step === "..")) {
    throw invalid(value.start);
  }
  return { revision: value.rv, start };
}

/** The fields of a token, with their types in Go. */
const FIELDS = { v: "string", rv: "int64", start: "string" } as const;

/** Returns why a parsed token does not fit Go's struct; undefined if it does. */
function misfit(value: Json): string | undefined {
  if (!isObject(value)) {
    return value === null
      ? undefined
      : `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type storage.continueToken`;
  }
  for (const [name, type] of Object.entries(FIELDS)) {
    const field = getOwn(value, name) ?? null;
    if (field === null) continue;
    const fits = type === "string" ? typeof field === "string" : isInt64(field);
    if (fits) continue;
    const shown = typeof field === "number" && type === "int64"
      ? `number ${BigInt(Math.trunc(field))}`
      : jsonTypeName(field);
    return `json: cannot unmarshal ${shown} into Go struct field continueToken.${name} of type ${type}`;
  }
  return undefined;
}

function isInt64(value: Json): boolean {
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 63;
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
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw invalid(syntaxError(bytes));
  }
  const wrong = misfit(value);
  if (wrong !== undefined) throw invalid(wrong);
  return isObject(value) ? value : {};
}

/** Returns the error of Go's JSON decoder about a text that is not JSON: it names the first byte, or says that more was expected. */
function syntaxError(bytes: Uint8Array): string {
  const first = bytes[0];
  const open = first !== undefined && '"[{'.includes(String.fromCharCode(first));
  if (first === undefined || open) return "unexpected end of JSON input";
  const shown = first > 0x7e
    ? "\\u" + first.toString(16).padStart(4, "0")
    : quote(String.fromCharCode(first)).slice(1, -1);
  return `invalid character '${shown}' looking for beginning of value`;
}

function invalid(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
