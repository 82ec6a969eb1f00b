import type { Chunks } from "./wire.ts";

/** Options of {@linkcode watchedBody}. */
export interface WatchedBodyOptions {
  /** Ends the body, as it ends the body of the runtime's own `fetch`. */
  readonly signal: AbortSignal;
  /** Called for each chunk. */
  readonly step: () => void;
  readonly chunks: Chunks | undefined;
  /** Called once when the body has ended, has failed or is cancelled. */
  readonly close: () => void;
}

/** Returns the same body, whose end is noticed. */
export function watchedBody(
  body: ReadableStream<Uint8Array>,
  { signal, step, chunks, close }: WatchedBodyOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const waiting: Uint8Array[] = [];
  let controller: ReadableStreamDefaultController | undefined;
  const end = () => {
    signal.removeEventListener("abort", abort);
    close();
  };
  const abort = () => {
    end();
    controller?.error(signal.reason);
    reader.cancel(signal.reason).catch(() => {});
  };
  return new ReadableStream({
    start(own) {
      controller = own;
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    },
    async pull(own) {
      try {
        while (waiting.length === 0) {
          const { value } = await reader.read();
          if (signal.aborted) return;
          if (value === undefined) {
            end();
            return own.close();
          }
          waiting.push(...chunks?.(value) ?? [value]);
        }
        step();
        if (!signal.aborted) own.enqueue(waiting.shift() as Uint8Array<ArrayBuffer>);
      } catch (error) {
        if (signal.aborted) return;
        end();
        own.error(error);
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
    // Nothing is read ahead: the program under test takes the steps.
  }, { highWaterMark: 0 });
}
