import { byteReader, type ChunkReader } from "../request/mod.ts";

/** The buffers of reads on Deno. The next one has room for twice as much as has just arrived. */
const MIN_BUFFER = 2_048;
const MAX_BUFFER = 65_536;

/**
 * Returns a reader of a body that may wait for hours for the next chunk. On Deno, a read that waits has a buffer of
 * 64 KiB, most of the memory of an idle watch. So there, reads get buffers that follow the size of the chunks.
 */
export function chunkReader(body: ReadableStream<Uint8Array>): ChunkReader {
  const reader = byteReader(body);
  if (reader === undefined) return body.getReader();
  let size = MIN_BUFFER;
  return {
    async read() {
      const result = await reader.read(new Uint8Array(size));
      size = Math.min(MAX_BUFFER, Math.max(MIN_BUFFER, 2 * (result.value?.length ?? 0)));
      return result;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}
