import type { ChunkReader } from "../request/mod.ts";

/** Shared code for reading the lines of a body as text and as bytes. */

export const LINE_FEED = 10;

/** The error for a line above the maximum length. */
export class LineTooLongError extends RangeError {
  override readonly name: string = "LineTooLongError";
}

/**
 * Checks the length in bytes of a line, or of the beginning of a line.
 *
 * @throws {LineTooLongError} If `lineBytes` exceeds `maxLineBytes`.
 */
export function requireLineWithin(lineBytes: number, maxLineBytes: number): void {
  if (lineBytes <= maxLineBytes) return;
  throw new LineTooLongError(`a line is longer than the maximum of ${maxLineBytes} bytes`);
}

/** Cancels a body in any state, and ignores the error of a body that has already failed. */
export async function cancelQuietly(
  body: ChunkReader,
  reason: unknown,
): Promise<void> {
  try {
    await body.cancel(reason);
  } catch {
    // cancel() of a failed body rejects with the reason of the failure. There is nothing left to release.
  }
}
