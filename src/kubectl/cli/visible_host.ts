import { oneLine, type Redact, visibleText } from "@kubeloop/controller/internal/base";
import type { CommandHost, ProcessHost } from "./host.ts";
import { COLORS } from "./terminal/mod.ts";

/** The longest line on standard output, in characters. */
const MAX_LINE = 40_000;

/** The longest line on standard error, in characters. */
const MAX_WARNING = 2_000;

/** The longest text that is redacted at once, in characters: a redactor shortens longer ones. */
const MAX_BLOCK = 32_768;

/**
 * Returns the environment of a command in a process: the one door for text to people. Whatever a server, a file or another
 * program has put into a line, it does not act on the terminal and does not forge another line.
 */
export function visibleHost(process: ProcessHost): CommandHost {
  let redact: Redact = (text) => text;
  return {
    ...process,
    print: (text) => process.print(blocksOf(text).map((block) => shown(redact(block))).join("\n")),
    printData: process.print,
    warn: (line) => process.warn(visibleText(oneLine(redact(line)), MAX_WARNING)),
    draw: (text) => process.draw(redact(text)),
    redact: (text) => redact(text),
    hide: (by) => redact = by,
  };
}

/** Returns the lines of a text in blocks. A longer line is a block of its own. */
function blocksOf(text: string): string[] {
  if (text.length <= MAX_BLOCK) return [text];
  const blocks: string[] = [];
  for (const line of text.split("\n")) {
    const last = blocks.at(-1);
    if (last !== undefined && last.length + line.length < MAX_BLOCK) {
      blocks[blocks.length - 1] = `${last}\n${line}`;
    } else blocks.push(line);
  }
  return blocks;
}

function shown(block: string): string {
  return block.split("\n").map((line) =>
    line.split(COLORS)
      .map((part, index) => index % 2 === 1 ? part : visibleText(part, MAX_LINE))
      .join("")
  ).join("\n");
}
