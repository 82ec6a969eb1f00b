import { isMade } from "../../base/mod.ts";

/** The buffers of reads on Deno. The next one has room for twice as much as has just arrived. */
const MIN_BUFFER = 2_048;
const MAX_BUFFER = 65_536;

/** Reads the chunks of a body. The last one may come with `done`. */
export interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/**
 * Returns a reader of a body that may wait for hours for the next chunk, or be short. On Deno, a read has a buffer of
 * 64 KiB, which is most of the memory of an idle watch. So there, reads get buffers that follow the size of the chunks.
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

/**
 * Returns a reader into buffers of one's own: only on Deno, since it gains nothing elsewhere, and only for a stream of
 * bytes, as responses of the network are. Only the error tells the others, unless they are known.
 */
export function byteReader(
  body: ReadableStream<Uint8Array>,
): ReadableStreamBYOBReader | undefined {
  if (!("Deno" in globalThis) || isMade(body)) return undefined;
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}
