import { type ApiError, failure } from "../values/mod.ts";

/** The maximum size of a request body, as in the API server. */
export const MAX_BODY_BYTES: number = 3 * 1024 * 1024;

/** The bodies that {@linkcode readAhead} has read. */
const ahead = new WeakMap<Request, Uint8Array>();

/**
 * Reads the body of a request before it is handled. The readers of this file then return what was read.
 *
 * @returns The body as text.
 */
export async function readAhead(request: Request): Promise<string> {
  if (request.body === null) return "";
  const bytes = new Uint8Array(await request.arrayBuffer());
  ahead.set(request, bytes);
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
  if (request.body === null) return new Uint8Array();
  const known = ahead.get(request);
  if (known !== undefined) {
    if (known.length > MAX_BODY_BYTES) throw tooLarge();
    return known;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > MAX_BODY_BYTES) {
        await reader.cancel();
        throw tooLarge();
      }
      chunks.push(next.value);
    }
  } finally {
    reader.releaseLock();
  }
  return join(chunks, size);
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function tooLarge(): ApiError {
  return failure(413, `Request entity too large: limit is ${MAX_BODY_BYTES}`, {
    reason: "RequestEntityTooLarge",
  });
}

/**
 * Returns the media type of the Content-Type header, in lower case and without parameters; empty without such a header.
 */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/**
 * Refuses a media type that no decoder accepts, even without a body: the API server routes discovery requests by it.
 *
 * @throws {ApiError} 415
 */
export function requireReadableBody(request: Request): void {
  if (/^$|^application\/(json|yaml|vnd\.kubernetes\.protobuf)$/.test(mediaType(request))) return;
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
