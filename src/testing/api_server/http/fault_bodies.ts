/** How a body ends before its time. */
export interface Cut {
  /** How many whole lines pass before. Default: 0. */
  readonly afterLines?: number | undefined;
  /** How many bytes pass after them. Default: half of the next chunk's line. */
  readonly afterBytes?: number | undefined;
}

const NEWLINE = 0x0a;

/** Passes `body` on up to the cut, then ends it: with `error`, or cleanly without one. */
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
      // Half of what follows in this chunk: the middle of a line, and for long texts the middle of a word.
      bytesLeft ??= Math.floor((chunk.length - start) / 2);
      const end = start + bytesLeft;
      if (end > chunk.length || (end === chunk.length && bytesLeft > 0 && start === chunk.length)) {
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

  /** Where in `chunk` the last whole line ends; undefined when more lines are to pass. */
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

/** A body that begins with `text` and says nothing more until it is cancelled, or `onOpen`'s function is called. */
export function openBody(
  text: string,
  signal: AbortSignal,
  onOpen: (close: () => void) => () => void,
): ReadableStream<Uint8Array> {
  let forget = () => {};
  let done = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const abort = () => {
        if (done) return;
        done = true;
        forget();
        controller.error(signal.reason);
      };
      const release = onOpen(() => {
        if (done) return;
        done = true;
        signal.removeEventListener("abort", abort);
        controller.close();
      });
      forget = () => {
        signal.removeEventListener("abort", abort);
        release();
      };
      signal.addEventListener("abort", abort, { once: true });
      if (text !== "") controller.enqueue(new TextEncoder().encode(text));
    },
    cancel() {
      done = true;
      forget();
    },
  });
}
