import { stripEnd } from "@kubeloop/controller/internal/base";
import {
  badRequest,
  getOwn,
  isObject,
  type Json,
  jsonTypeName,
  parseJson,
  quote,
} from "../../values/mod.ts";

/** The decoded `continue` token of a list: where the next page starts. */
export interface ContinueToken {
  /** The revision of the first page. -1 lists the newest state instead (an "inconsistent continue"). */
  readonly revision: number;
  /** The first key of the next page, relative to the prefix of the listed range. */
  readonly start: string;
}

/** The only token version that the API server accepts. */
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
function misfit(value: Json, literals: ReadonlyMap<string, string>): string | undefined {
  if (!isObject(value)) {
    return value === null
      ? undefined
      : `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type storage.continueToken`;
  }
  for (const [name, type] of Object.entries(FIELDS)) {
    const field = getOwn(value, name) ?? null;
    if (field === null) continue;
    const isNumber = typeof field === "number" && type === "int64";
    const literal = isNumber ? literals.get(name) ?? String(field) : undefined;
    const fits = literal === undefined
      ? type === "string" && typeof field === "string"
      : isInt64(literal);
    if (fits) continue;
    const shown = literal === undefined ? jsonTypeName(field) : `number ${literal}`;
    return `json: cannot unmarshal ${shown} into Go struct field continueToken.${name} of type ${type}`;
  }
  return undefined;
}

function isInt64(literal: string): boolean {
  return /^-?[0-9]+$/.test(literal) && BigInt.asIntN(64, BigInt(literal)) === BigInt(literal);
}

function parse(token: string): { v?: string; rv?: number; start?: string } {
  const wrong = token.search(/[^A-Za-z0-9_\r\n-]/);
  const letters = token.replace(/[\r\n]/g, "");
  // A single letter after groups of four does not encode a byte.
  const at = wrong >= 0 || letters.length % 4 !== 1 ? wrong : token.length - 1;
  if (at >= 0) throw invalid(`illegal base64 data at input byte ${at}`);
  const binary = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  let parsed: ReturnType<typeof parseJson>;
  try {
    parsed = parseJson(new TextDecoder().decode(bytes), true);
  } catch (error) {
    // Go shows the first byte, which may be part of no character.
    const first = quote(String.fromCharCode(bytes[0] ?? 0)).slice(1, -1);
    throw invalid(
      bytes[0]! > 0x7f
        ? `invalid character '${first}' looking for beginning of value`
        : (error as SyntaxError).message,
    );
  }
  const { value, literals } = parsed;
  const why = misfit(value, literals);
  if (why !== undefined) throw invalid(why);
  return isObject(value) ? value : {};
}

function invalid(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
