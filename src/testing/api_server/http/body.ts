import { type ApiError, failure } from "../values/mod.ts";

/** The most a body may have, as in the API server. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;

/**
 * Reads a request's body as text.
 *
 * @throws {ApiError} 413, when it is longer than 3 MiB.
 */
export async function readBody(request: Request): Promise<string> {
  // A byte order mark is part of the text: the server refuses it.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await readBytes(request));
}

/**
 * Reads a request's body.
 *
 * @throws {ApiError} 413, when it is longer than 3 MiB.
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? "0") > MAX_BODY_BYTES) throw tooLarge();
  if (request.body === null) return new Uint8Array();
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

/** The media type of a Content-Type header, without parameters, in lower case; empty when there is none. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/**
 * Refuses a media type that no decoder takes, be there a body or not: discovery is routed by it.
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

/** 415 for a body that no decoder takes. */
export function unknownBodyFormat(accepted: string): ApiError {
  return failure(
    415,
    `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
    { reason: "UnsupportedMediaType" },
  );
}
