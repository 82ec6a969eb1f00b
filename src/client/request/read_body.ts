import {
  ByteParts,
  type Clock,
  keptBody,
  onAbort,
  stringifyJson,
  withTimeLimit,
} from "../../base/mod.ts";
import { AnswerTooLargeError } from "../../types/mod.ts";
import { isProtobuf } from "./accept.ts";
import type { ApiRequest } from "./api_request.ts";
import { blocksOf } from "./body_blocks.ts";
import { type ChunkReader, chunkReader } from "./chunk_reader.ts";

/** The number of bytes of an error's body that are read. A Status is much shorter. */
const MAX_ERROR_BYTES = 65_536;

/** How long the rest of an error's body is awaited, in milliseconds. What has arrived by then is used. */
const ERROR_BODY_LIMIT_MS = 10_000;

/** Options of {@linkcode readBody}. */
export interface ReadBodyOptions {
  /** The largest body, in bytes. */
  readonly maxBytes: number;
  /** Ends the reading. */
  readonly signal: AbortSignal;
  /** Called with the number of bytes of each part that arrives. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/**
 * Reads a whole body, after decompression.
 *
 * @param response The response. Its body is cancelled if it is not read to its end.
 * @param options The bounds of the reading.
 * @throws {AnswerTooLargeError} If the body has more bytes. No more than one chunk, or block, beyond them has been read.
 * @throws The error of the body.
 */
export async function readBody(
  response: Response,
  { maxBytes, signal, onBytes }: ReadBodyOptions,
): Promise<Uint8Array> {
  const kept = keptBody(response);
  if (kept !== undefined && kept.length <= maxBytes) {
    signal.throwIfAborted();
    if (kept.length > 0) onBytes?.(kept.length);
    return kept;
  }
  const reader = blocksOf(response, maxBytes, onBytes);
  const { parts, isWhole } = await readUpTo(reader, maxBytes, signal);
  if (isWhole) return parts.join();
  signal.throwIfAborted();
  throw new AnswerTooLargeError(maxBytes);
}

/**
 * Reads the body of an error: at most 64 KiB of it, and for at most ten seconds.
 *
 * @returns The text that has been read.
 * @throws The error of the body.
 */
export async function readErrorBody(
  response: Response,
  clock: Clock,
  signal: AbortSignal,
  readStatus?: ApiRequest["readStatus"],
): Promise<string> {
  const kept = keptBody(response);
  const isKept = kept !== undefined && kept.length <= MAX_ERROR_BYTES;
  const bytes = isKept ? kept : await readErrorBytes(response, clock, signal);
  // The answer to a request for protobuf. As JSON, it is read like any other.
  const status = isProtobuf(response) ? readStatus?.(bytes) : undefined;
  return status === undefined ? new TextDecoder().decode(bytes) : stringifyJson(status);
}

async function readErrorBytes(
  { body }: Response,
  clock: Clock,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const reader = body === null ? undefined : chunkReader(body);
  const { parts } = await withTimeLimit(
    { clock, signal, limitMs: ERROR_BODY_LIMIT_MS, late: () => "The body did not end in time" },
    (signal) => readUpTo(reader, MAX_ERROR_BYTES, signal),
  );
  return parts.join();
}

/** Reads a body until it has more than `maxBytes`, or `signal` aborts. */
async function readUpTo(
  reader: ChunkReader | undefined,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly parts: ByteParts; readonly isWhole: boolean }> {
  const parts = new ByteParts();
  if (reader === undefined) return { parts, isWhole: true };
  // Not awaited: a body may never confirm it. A read that is pending then ends.
  const cancel = () => void reader.cancel().catch(() => {});
  const release = onAbort(signal, cancel);
  try {
    while (parts.length <= maxBytes) {
      const { done, value } = await reader.read();
      if (value !== undefined) parts.push(value);
      if (done) return { parts, isWhole: !signal.aborted };
    }
  } finally {
    release();
  }
  cancel();
  return { parts, isWhole: false };
}
