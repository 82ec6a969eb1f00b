/** The place where a response body ends early. */
export interface Cut {
  /** The number of whole lines before the cut. Default: 0. */
  readonly afterLines?: number | undefined;
  /**
   * The number of bytes after these lines. Default: half of the rest of the chunk; in a watch, that is half of the next
   * event.
   */
  readonly afterBytes?: number | undefined;
}

const NEWLINE = 0x0a;

/** Passes `body` on up to the cut. Then it fails with `error`, or ends cleanly if `error` is undefined. */
export function cutBody(
  body: ReadableStream<Uint8Array>,
  cut: Cut,
  error: Error | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let linesLeft = cut.afterLines ?? 0;
  let bytesLeft = cut.afterBytes;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await reader.read();
      if (next.done) {
        controller.close();
        return;
      }
      const chunk = next.value;
      const start = afterLines(chunk);
      if (start === undefined) {
        controller.enqueue(chunk);
        return;
      }
      // Half of the rest of the chunk: the middle of a line or, in a long text, the middle of a word.
      bytesLeft ??= Math.floor((chunk.length - start) / 2);
      const end = start + bytesLeft;
      if (end > chunk.length) {
        bytesLeft = end - chunk.length;
        controller.enqueue(chunk);
        return;
      }
      if (end > 0) controller.enqueue(chunk.slice(0, end));
      await reader.cancel();
      if (error === undefined) controller.close();
      else controller.error(error);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });

  /** Returns the index in `chunk` after the last whole line to pass; undefined if more of the body must pass. */
  function afterLines(chunk: Uint8Array): number | undefined {
    let start = 0;
    while (linesLeft > 0) {
      const at = chunk.indexOf(NEWLINE, start);
      if (at < 0) return undefined;
      linesLeft--;
      start = at + 1;
    }
    return start < chunk.length || start === 0 ? start : undefined;
  }
}

/** Calls a function in a turn of the event loop of its own, or at once. One turn then wakes up one reader only. */
export type Soon = (callback: () => void) => void;

/**
 * Returns a body that sends `text` and then stays open until the reader cancels it, `signal` aborts, or the function
 * that `onOpen` receives is called. `onOpen` returns a function, which is called when the reader cancels or `signal`
 * aborts. The reader learns of the end `soon`.
 */
export function openBody(
  text: string,
  { signal, soon }: { readonly signal: AbortSignal; readonly soon: Soon },
  onOpen: (close: () => void) => () => void,
): ReadableStream<Uint8Array> {
  let state: "open" | "ending" | "ended" = "open";
  let release = () => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (finish: () => void) => {
        if (state !== "open") return;
        state = "ending";
        release();
        soon(() => {
          if (state === "ending") finish();
          state = "ended";
        });
      };
      const abort = () => end(() => controller.error(signal.reason));
      const forget = onOpen(() => end(() => controller.close()));
      signal.addEventListener("abort", abort, { once: true });
      release = () => {
        signal.removeEventListener("abort", abort);
        forget();
      };
      if (text !== "") controller.enqueue(new TextEncoder().encode(text));
    },
    cancel() {
      state = "ended";
      release();
    },
  });
}
