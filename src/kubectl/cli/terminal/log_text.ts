import { visibleText } from "@kubeloop/controller/internal/base";

/** A tab, or a sequence that does no more than colour the text after it. */
// deno-lint-ignore no-control-regex
const HARMLESS = /(\t|\u001b\[[0-9;]{0,32}m)/;

/** Returns a line of a log for a terminal: with its colours, and with everything else that a terminal acts on visible. */
export function logText(line: string): string {
  const parts = line.split(HARMLESS);
  if (parts.length === 1) return visibleText(line, Infinity);
  const text = parts.map((part, index) => index % 2 === 1 ? part : visibleText(part, Infinity))
    .join("");
  // A colour ends with its line, and does not reach the prompt.
  return line.includes("\u001b[") ? `${text}\u001b[0m` : text;
}
