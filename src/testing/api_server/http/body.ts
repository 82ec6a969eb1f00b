import { ByteParts, keepBody, keptBody } from "@kubeloop/controller/internal/base";
import { type ApiError, failure } from "../../values/mod.ts";

/** The maximum size of a request body, as in the API server. */
export const MAX_BODY_BYTES: number = 3 * 1024 * 1024;

/**
 * Reads the body of a request before it is handled. The readers of this file then return what was read.
 *
 * @returns The body as text.
 */
export async function readAhead(request: Request): Promise<string> {
  const known = keptBody(request);
  if (known === undefined && request.body === null) return "";
  const bytes = known ?? new Uint8Array(await request.arrayBuffer());
  keepBody(request, bytes);
  return new TextDecoder().decode(bytes);
}

/**
 * Reads the body of a request as text.
 *
 * @throws {ApiError} 413, if it is longer than 3 MiB.
 */
export async function readBody(request: Request): Promise<string> {
  // A byte order mark stays part of the text, so that the decoder refuses it as the API server does.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await readBytes(request));
}

/**
 * Reads the body of a request.
 *
 * @throws {ApiError} 413, if it is longer than 3 MiB.
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? "0") > MAX_BODY_BYTES) throw tooLarge();
  const known = keptBody(request);
  if (known !== undefined) {
    if (known.length > MAX_BODY_BYTES) throw tooLarge();
    return known;
  }
  if (request.body === null) return new Uint8Array();
  const bytes = new ByteParts();
  const reader = request.body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes.push(next.value);
      if (bytes.length > MAX_BODY_BYTES) {
        await reader.cancel();
        throw tooLarge();
      }
    }
  } finally {
    reader.releaseLock();
  }
  return bytes.join();
}

function tooLarge(): ApiError {
  return failure(413, `Request entity too large: limit is ${MAX_BODY_BYTES}`, {
    reason: "RequestEntityTooLarge",
  });
}

/** A token of a header. */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

const MEDIA_TYPE = new RegExp(`^${TOKEN}(/${TOKEN})?$`);

const PARAMETER = new RegExp(`^\\s*;\\s*(${TOKEN})\\s*=\\s*(${TOKEN}|"([^"\\\\\r\n]|\\\\.)*")`);

/**
 * Returns the media type of the Content-Type header, in lower case and without parameters; empty without such a header.
 * A malformed header is returned unchanged: no decoder accepts it.
 */
export function mediaType(request: Request): string {
  const header = request.headers.get("content-type") ?? "";
  if (header === "") return "";
  const end = header.indexOf(";");
  const type = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  let rest = end < 0 ? "" : header.slice(end);
  const names = new Set<string>();
  while (rest.trim() !== "" && rest.trim() !== ";") {
    const [parameter, name = ""] = PARAMETER.exec(rest) ?? [];
    if (parameter === undefined || names.has(name.toLowerCase())) return header;
    names.add(name.toLowerCase());
    rest = rest.slice(parameter.length);
  }
  return MEDIA_TYPE.test(type) ? type : header;
}

/** The media types of discovery requests and of objects. */
export const OBJECT_TYPES: readonly string[] = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
];

/**
 * Refuses a request that the router of the real server does not pass on because of its media type, even without a body.
 * Of a list of media types, the router accepts any.
 *
 * @param types The media types that the route consumes.
 * @throws {ApiError} 415
 */
export function requireConsumed(request: Request, types: Iterable<string>): void {
  const header = request.headers.get("content-type") ?? "";
  if (header === "" && request.method === "GET") return;
  const given = header.split(",").map((type) => type.split(";")[0]!.trim());
  for (const type of types) if (given.includes(type)) return;
  throw failure(415, "415: Unsupported Media Type", {
    reason: "UnsupportedMediaType",
    details: {},
  });
}

/** Returns the 415 for a body that no decoder accepts. */
export function unknownBodyFormat(accepted: string): ApiError {
  return failure(
    415,
    `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
    { reason: "UnsupportedMediaType" },
  );
}
