import { requireCount } from "./numbers.ts";

/** Options of {@linkcode parallelizeUntil}. */
export interface ParallelizeOptions {
  /** How many consecutive pieces a worker takes at a time. Values below 1 count as 1. Default 1. */
  readonly chunkSize?: number | undefined;
  /** Stops the work: after an abort, no further piece is started. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Processes `pieces` independent pieces of work, numbered from 0, each exactly once, with at most `workers` at the same
 * time. As in client-go, an abort stops the work early without an error: check the signal to learn whether every piece
 * was processed.
 *
 * @param workers How many pieces are processed at the same time. No more workers are started than there are chunks.
 * @param pieces The number of pieces.
 * @param doWorkPiece Processes one piece.
 * @param options The number of pieces that a worker takes at a time, and the signal that stops the work.
 * @returns Resolves when no piece is being processed any more.
 * @throws {RangeError} When `workers` is not a whole number above 0, or `pieces` is not a whole number of at least 0.
 * @throws The first error of `doWorkPiece`, after all other pieces have been tried.
 *
 * @example
 * ```ts
 * import { parallelizeUntil } from "@kubeloop/controller/extras";
 * import { assertEquals } from "@std/assert";
 *
 * const squares: number[] = [];
 * await parallelizeUntil(2, 4, async (piece) => {
 *   squares[piece] = await Promise.resolve(piece * piece);
 * });
 * assertEquals(squares, [0, 1, 4, 9]);
 * ```
 */
export async function parallelizeUntil(
  workers: number,
  pieces: number,
  doWorkPiece: (piece: number) => void | Promise<void>,
  options: ParallelizeOptions = {},
): Promise<void> {
  requireCount("workers", workers, 1);
  requireCount("pieces", pieces, 0);
  const { signal, chunkSize: wanted = 1 } = options;
  const chunkSize = wanted >= 1 ? Math.min(Math.floor(wanted), pieces) : 1;
  let failure: { readonly error: unknown } | undefined;
  let nextPiece = 0;

  async function work(): Promise<void> {
    while (nextPiece < pieces) {
      const start = nextPiece;
      nextPiece += chunkSize;
      const end = Math.min(nextPiece, pieces);
      for (let piece = start; piece < end; piece++) {
        if (signal?.aborted) return;
        try {
          await doWorkPiece(piece);
        } catch (error) {
          failure ??= { error };
        }
      }
    }
  }

  const running: Promise<void>[] = [];
  const chunks = Math.ceil(pieces / chunkSize);
  for (let i = 0; i < Math.min(workers, chunks); i++) running.push(work());
  await Promise.all(running);
  if (failure !== undefined) throw failure.error;
}
