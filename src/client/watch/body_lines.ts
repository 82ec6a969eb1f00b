/** What the two ways to read a body's lines, as text and as bytes, have in common. */

export const LINE_FEED = 10;

/** A line was longer than allowed. */
export class LineTooLongError extends RangeError {
  override readonly name: string = "LineTooLongError";
}

/**
 * Checks the length of a line, be it whole or the beginning of one, in bytes.
 *
 * @throws {LineTooLongError} When it is too long.
 */
export function requireLineWithin(lineBytes: number, maxLineBytes: number): void {
  if (lineBytes <= maxLineBytes) return;
  throw new LineTooLongError(`a line is longer than the bound of ${maxLineBytes} bytes`);
}

/** Ends a body, whatever state it is in. */
export async function letGo(
  body: ReadableStreamDefaultReader<Uint8Array>,
  reason: unknown,
): Promise<void> {
  try {
    await body.cancel(reason);
  } catch {
    // A body that has failed already rejects with why; there is nothing left to let go.
  }
}
