import { byteReader, type ChunkReader } from "./chunk_reader.ts";

/** The first block of a body of unknown length. Each next one is as large as all before it. */
const MIN_BLOCK = 65_536;
/** The largest block. A longer body is put together from several. */
const MAX_BLOCK = 16_777_216;
/** The number of bytes that are awaited at once, so that a slow answer shows progress. */
const STEP = 262_144;

/**
 * Returns a reader of a body in few large blocks, which the body is read into: a body of known length arrives in a
 * single one. In chunks, a list would leave as much garbage as it has bytes; and Deno's decompression gives chunks of
 * 4 KiB in buffers of 64 KiB.
 *
 * On other runtimes, and if the body is made from a stream, it is read in its own chunks.
 *
 * @param response The response.
 * @param maxBytes The largest body. No block is larger by more than one byte.
 * @param onBytes Called with the number of bytes of each part that arrives.
 * @returns The reader, or undefined if the response has no body.
 */
export function blocksOf(
  { body, headers }: Response,
  maxBytes: number,
  onBytes: (bytes: number) => void = () => {},
): ChunkReader | undefined {
  const reader = body === null ? undefined : byteReader(body);
  if (reader === undefined) return body === null ? undefined : counting(body.getReader(), onBytes);
  let length = 0;
  // One byte more than the body has, so that the same read notices its end.
  let next = knownLength(headers) + 1;
  return {
    async read() {
      const block = await readBlock(
        reader,
        Math.min(next, MAX_BLOCK, maxBytes + 1 - length),
        onBytes,
      );
      length += block.value.length;
      next = Math.max(length, MIN_BLOCK);
      return block;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Reads a block of `size` bytes into one buffer, or up to the end of the body. */
async function readBlock(
  reader: ReadableStreamBYOBReader,
  size: number,
  onBytes: (bytes: number) => void,
): Promise<{ readonly done: boolean; readonly value: Uint8Array }> {
  let buffer = new ArrayBuffer(size);
  let filled = 0;
  while (filled < size) {
    const room = new Uint8Array(buffer, filled);
    const { done, value } = await reader.read(room, { min: Math.min(STEP, room.length) });
    // A cancelled body gives no buffer back.
    if (value === undefined) return { done: true, value: new Uint8Array(0) };
    buffer = value.buffer;
    filled += value.length;
    if (value.length > 0) onBytes(value.length);
    if (done) return { done, value: new Uint8Array(buffer, 0, filled) };
  }
  return { done: false, value: new Uint8Array(buffer) };
}

function counting(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onBytes: (bytes: number) => void,
): ChunkReader {
  return {
    async read() {
      const result = await reader.read();
      if (result.value !== undefined) onBytes(result.value.length);
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
