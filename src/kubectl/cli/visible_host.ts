import { oneLine, type Redact, visibleText } from "@kubeloop/controller/internal/base";
import type { CommandHost, ProcessHost } from "./host.ts";
import { COLORS } from "./terminal/mod.ts";

/** The maximum length of a line on standard output, in characters. */
const MAX_LINE = 40_000;

/** The maximum length of a line on standard error, in characters. */
const MAX_WARNING = 2_000;

/** The maximum length of a text that is redacted at once, in characters: a redactor truncates longer texts. */
const MAX_BLOCK = 32_768;

/**
 * Returns the environment of a command in a process. All text for people passes through it: text from a server, a file or
 * another program cannot control the terminal or add a line.
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

/** Splits a text into blocks of whole lines. A line longer than a block is a block of its own. */
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
