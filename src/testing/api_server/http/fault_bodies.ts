/** The place where a response body ends early. */
export interface Cut {
  /** The number of whole lines before the cut; of a watch in protobuf, the number of whole events. Default: 0. */
  readonly afterLines?: number | undefined;
  /**
   * The number of bytes after these lines. Default: half of the rest of the chunk; in a watch, that is half of the next
   * event.
   */
  readonly afterBytes?: number | undefined;
}

const NEWLINE = 0x0a;

/** Returns the index after a part of a body that starts before `start` or there; -1 if the part ends in another chunk. */
type PartEnd = (chunk: Uint8Array, start: number) => number;

const lineEnd: PartEnd = (chunk, start) => chunk.indexOf(NEWLINE, start) + 1 || -1;

/** Returns a function that finds the ends of frames, which begin with their length in four bytes. */
function frameEnds(): PartEnd {
  let headLeft = 4;
  let left = 0;
  return (chunk, start) => {
    let at = start;
    for (; headLeft > 0; headLeft--) {
      if (at === chunk.length) return -1;
      left = left * 256 + chunk[at++]!;
    }
    if (left > chunk.length - at) {
      left -= chunk.length - at;
      return -1;
    }
    at += left;
    [headLeft, left] = [4, 0];
    return at;
  };
}

/**
 * Passes `body` on up to the cut. Then it fails with `error`, or ends cleanly if `error` is undefined.
 *
 * @param isFramed Whether the body consists of frames and not of lines.
 */
export function cutBody(
  body: ReadableStream<Uint8Array>,
  cut: Cut,
  error: Error | undefined,
  isFramed: boolean = false,
): ReadableStream<Uint8Array> {
  const partEnd = isFramed ? frameEnds() : lineEnd;
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

  /** Returns the index in `chunk` after the last whole part to pass; undefined if more of the body must pass. */
  function afterLines(chunk: Uint8Array): number | undefined {
    let start = 0;
    while (linesLeft > 0) {
      const end = partEnd(chunk, start);
      if (end < 0) return undefined;
      linesLeft--;
      start = end;
    }
    return start < chunk.length || start === 0 ? start : undefined;
  }
}

/** Calls a function in a turn of the event loop of its own, or at once. One turn then wakes up one reader only. */
export type Soon = (callback: () => void) => void;

/**
 * Returns a body that sends `first` and then stays open until the reader cancels it, `signal` aborts, or the function
 * that `onOpen` receives is called. `onOpen` returns a function, which is called when the reader cancels or `signal`
 * aborts. The reader learns of the end `soon`.
 */
export function openBody(
  first: Uint8Array,
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
      if (first.length > 0) controller.enqueue(first);
    },
    cancel() {
      state = "ended";
      release();
    },
  });
}
