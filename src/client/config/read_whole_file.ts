import { delay } from "../../base/mod.ts";

/** Far more than a kubeconfig of thousands of clusters. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The time between two attempts to read from a pipe. */
const POLL_MS = 20;

const CHUNK_BYTES = 64 * 1024;

/** Reads a file, or a pipe, to its end. */
export async function readWholeFile(path: string, signal: AbortSignal): Promise<string> {
  const { constants, open } = await import("node:fs/promises");
  signal.throwIfAborted();
  // Windows has no O_NONBLOCK.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const isPipe = (await file.stat()).isFIFO();
    const decoder = new TextDecoder();
    const parts: string[] = [];
    let size = 0;
    while (true) {
      signal.throwIfAborted();
      const buffer = new Uint8Array(CHUNK_BYTES);
      const count = await orUndefined(file.read(buffer, 0, CHUNK_BYTES, null));
      // The pipe is empty, or its other end is not open.
      if (count === undefined || (count === 0 && isPipe && size === 0)) {
        await delay(POLL_MS, { signal });
        continue;
      }
      if (count === 0) return parts.join("") + decoder.decode();
      size += count;
      if (size > MAX_FILE_BYTES) {
        throw new Error(`it holds more than ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
      }
      parts.push(decoder.decode(buffer.subarray(0, count), { stream: true }));
    }
  } finally {
    await file.close();
  }
}

/** Returns the number of bytes of a read; undefined if there is nothing to read yet. */
async function orUndefined(
  reading: Promise<{ readonly bytesRead: number }>,
): Promise<number | undefined> {
  try {
    return (await reading).bytesRead;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "EAGAIN") return undefined;
    throw error;
  }
}
