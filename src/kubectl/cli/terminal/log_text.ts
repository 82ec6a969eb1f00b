import { visibleText } from "@kubeloop/controller/internal/base";

/** Matches a tab or a colour sequence. */
// deno-lint-ignore no-control-regex
const HARMLESS = /(\t|\u001b\[[0-9;]{0,32}m)/;

/** Returns a line of a log for a terminal. Colours are kept; all other control characters are shown as escapes. */
export function logText(line: string): string {
  const parts = line.split(HARMLESS);
  if (parts.length === 1) return visibleText(line, Infinity);
  const text = parts.map((part, index) => index % 2 === 1 ? part : visibleText(part, Infinity))
    .join("");
  // Reset the colour, so that it does not affect the prompt.
  return line.includes("\u001b[") ? `${text}\u001b[0m` : text;
}
