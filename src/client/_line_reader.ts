import { TextLineStream } from "@std/streams/text-line-stream";

/** Hands out the lines of a text: as many as it finds fit, at least one. */
export interface LineReader {
  /** The next lines; undefined at the end of the text. What follows the last line break is a line, unless it is empty. */
  read(): Promise<readonly string[] | undefined>;
  /** Lets the text go. */
  cancel(reason: unknown): Promise<void>;
}

/** One line at a time. */
export function singleLines(text: ReadableStream<string>): LineReader {
  const lines = text.pipeThrough(new TextLineStream()).getReader();
  return {
    async read() {
      const { done, value } = await lines.read();
      return done ? undefined : [value];
    },
    cancel: (reason) => lines.cancel(reason),
  };
}

/** All lines that are at hand: one wait for each chunk of the text, where TextLineStream makes some for each line. */
export function lineBatches(text: ReadableStream<string>): LineReader {
  const chunks = text.getReader();
  let rest = "";
  return {
    async read() {
      while (true) {
        const { done, value } = await chunks.read();
        if (done) {
          const last = rest;
          rest = "";
          return last === "" ? undefined : [last];
        }
        rest += value;
        // A long line comes in many chunks: look into the new one only, so that they are put together once.
        if (!value.includes("\n")) continue;
        const lines = rest.split("\n");
        rest = lines.pop() as string;
        return lines;
      }
    },
    cancel: (reason) => chunks.cancel(reason),
  };
}
