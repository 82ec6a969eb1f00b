import { byteReader, type ChunkReader } from "./chunk_reader.ts";

/** The first block of a body of unknown length. Each next one is as large as all before it. */
const MIN_BLOCK = 65_536;
/** The largest block. A longer body is put together from several. */
const MAX_BLOCK = 16_777_216;

/**
 * Returns a reader of a body in few large blocks, which the body is read into: a body of known length arrives in a
 * single one. In chunks, a list would leave as much garbage as it has bytes; and Deno's decompression gives chunks of
 * 4 KiB in buffers of 64 KiB.
 *
 * On other runtimes, and if the body is made from a stream, it is read in its own chunks.
 *
 * @returns The reader, or undefined if the response has no body.
 */
export function blocksOf({ body, headers }: Response, maxBytes: number): ChunkReader | undefined {
  const reader = body === null ? undefined : byteReader(body);
  if (reader === undefined) return body?.getReader();
  let length = 0;
  // One byte more than the body has, so that the same read notices its end.
  let next = knownLength(headers) + 1;
  return {
    async read() {
      const min = Math.min(next, MAX_BLOCK, maxBytes + 1 - length);
      const result = await reader.read(new Uint8Array(min), { min });
      length += result.value?.length ?? 0;
      next = Math.max(length, MIN_BLOCK);
      return result;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Returns the length of a body, or one less than the first block if the length before compression is not known. */
function knownLength(headers: Headers): number {
  const length = headers.has("content-encoding") ? NaN : Number(headers.get("content-length"));
  return length > 0 ? Math.trunc(length) : MIN_BLOCK - 1;
}
