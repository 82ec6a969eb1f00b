import { TextLineStream } from "@std/streams/text-line-stream";
import { LineTooLongError } from "./body_lines.ts";
import type { TextSource } from "./text_source.ts";

/** Reads the lines of a body in batches. */
export interface LineReader<L> {
  /**
   * Whether the lines of the last batch may have integers that a number cannot represent, by `mayHaveBigInteger()`;
   * undefined if this is unknown.
   */
  readonly mayHaveBigInteger?: boolean | undefined;
  /**
   * Reads the next lines.
   *
   * @returns At least one line, or undefined at the end of the body. Text after the last line break is a line too.
   */
  read(): Promise<readonly L[] | undefined>;
  /** Cancels the body. */
  cancel(reason: unknown): Promise<void>;
}

/**
 * The source of lines. If the source fails, the lines end without an error, so that the received lines can still be
 * read.
 */
export interface LineSource {
  /** The reason of a failure. It is set when the failed source ends. */
  readonly failure: { readonly reason: unknown } | undefined;
  /** Whether the source has ended without a line break at its end. */
  readonly endedInLine: boolean;
}

/** Returns a reader of one line at a time. */
export function singleLines(text: TextSource): LineReader<string> {
  const lines = text.stream().pipeThrough(new TextLineStream()).getReader();
  return {
    get mayHaveBigInteger() {
      // Further chunks may have been read since that of the line.
      return text.hadBigInteger;
    },
    async read() {
      const { done, value } = await lines.read();
      return done ? undefined : [value];
    },
    cancel: (reason) => lines.cancel(reason),
  };
}

/** The number of pieces of a line that are joined only at its end. */
const FEW_PIECES = 1_024;

/**
 * Returns a reader of all lines that have arrived. It awaits once per chunk, whereas TextLineStream awaits for each
 * line.
 */
export function lineBatches(text: TextSource): LineReader<string> {
  let rest = "";
  let pieces = 0;
  let restMayHaveBigInteger = false;
  let mayHaveBigInteger = false;
  return {
    get mayHaveBigInteger() {
      return mayHaveBigInteger;
    },
    async read() {
      while (true) {
        const chunk = await text.read();
        if (chunk === undefined) {
          const last = rest;
          rest = "";
          mayHaveBigInteger = restMayHaveBigInteger;
          // A line that is too long is not an event, and parsing it would take long.
          const isTooLong = text.failure?.reason instanceof LineTooLongError;
          return last === "" || isTooLong ? undefined : [last];
        }
        // Only the first line continues the rest of the chunks before. The other lines are not copied.
        const lines = chunk.split("\n");
        lines[0] = rest + lines[0];
        rest = lines.pop() as string;
        pieces = lines.length > 0 ? 0 : pieces + 1;
        // An engine keeps a text of many pieces as a tree, which takes 32 bytes per piece, until a character is read.
        if (pieces > FEW_PIECES + rest.length / 8) {
          rest.charCodeAt(0);
          pieces = 0;
        }
        restMayHaveBigInteger ||= text.mayHaveBigInteger;
        if (lines.length === 0) continue;
        mayHaveBigInteger = restMayHaveBigInteger;
        restMayHaveBigInteger = text.mayHaveBigInteger;
        return lines;
      }
    },
    cancel: (reason) => text.cancel(reason),
  };
}
