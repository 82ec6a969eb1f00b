import { TextLineStream } from "@std/streams/text-line-stream";
import type { TextSource } from "./text_source.ts";

/** Hands out the lines of a text: as many as it finds fit, at least one. */
export interface LineReader<L> {
  /** The next lines; undefined at the end of the text. What follows the last line break is a line, unless it is empty. */
  read(): Promise<readonly L[] | undefined>;
  /** Lets the text go. */
  cancel(reason: unknown): Promise<void>;
}

/** What lines come from. When that breaks the lines just end: what has been received is still to be read. */
export interface LineSource {
  /** What ended it early, once it has ended. */
  readonly failure: { readonly reason: unknown } | undefined;
  /** Whether it has ended, and not at the end of a line. */
  readonly endedInLine: boolean;
}

/** One line at a time. */
export function singleLines(text: TextSource): LineReader<string> {
  const lines = text.stream().pipeThrough(new TextLineStream()).getReader();
  return {
    async read() {
      const { done, value } = await lines.read();
      return done ? undefined : [value];
    },
    cancel: (reason) => lines.cancel(reason),
  };
}

/** All lines that are at hand: one wait for each chunk of the text, where TextLineStream makes some for each line. */
export function lineBatches(text: TextSource): LineReader<string> {
  let rest = "";
  return {
    async read() {
      while (true) {
        const chunk = await text.read();
        if (chunk === undefined) {
          const last = rest;
          rest = "";
          return last === "" ? undefined : [last];
        }
        // Only the first line goes on with what is left of the chunks before; the others are not copied.
        const lines = chunk.split("\n");
        lines[0] = rest + lines[0];
        rest = lines.pop() as string;
        if (lines.length > 0) return lines;
      }
    },
    cancel: (reason) => text.cancel(reason),
  };
}
