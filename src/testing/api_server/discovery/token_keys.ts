import { requireRoutableAs, type ResponseWriter } from "../http/mod.ts";
import {
  encodeJson,
  getString,
  type Json,
  type JsonObject,
  methodNotAllowed,
} from "../../values/mod.ts";

/** The path of the public keys. */
const KEYS = "/openid/v1/jwks";

/** The issuer and signing key of the tokens of service accounts. */
export interface TokenIssuer {
  /** The name in the tokens. */
  readonly issuer: string;
  /** The public key. */
  readonly jwk: JsonObject;
}

/**
 * Answers a request about the keys that sign the tokens of service accounts. Returns undefined for other paths.
 *
 * @throws {ApiError} 405, for a method other than GET; 406 or 415, for another media type.
 */
export function tokenKeysAnswer(
  path: string,
  request: Request,
  writer: ResponseWriter,
  source: () => TokenIssuer,
): Response | undefined {
  const trimmed = path.replace(/\/$/, "");
  if (trimmed !== KEYS && trimmed !== "/.well-known/openid-configuration") return undefined;
  const { issuer, jwk } = source();
  if (trimmed === KEYS) return answer(request, "application/jwk-set+json", { keys: [jwk] }, writer);
  const configuration = {
    issuer,
    jwks_uri: `https://${new URL(request.url).host}${KEYS}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [getString(jwk, "alg")],
  };
  return answer(request, "application/json", configuration, writer);
}

function answer(request: Request, type: string, value: Json, writer: ResponseWriter): Response {
  if (request.method !== "GET") throw methodNotAllowed();
  requireRoutableAs(request.headers, type);
  const response = writer.bare(200);
  response.headers.set("Content-Type", type);
  response.headers.set("Cache-Control", "public, max-age=3600");
  return new Response(encodeJson(value), { status: 200, headers: response.headers });
}
