import { compareLines, type LineChange } from "./line_diff.ts";

/** The number of unchanged lines around a change. */
const CONTEXT = 3;

/**
 * Compares two texts line by line, in the unified format of `diff -u`.
 *
 * @returns The hunks; empty if the texts are equal.
 */
export function unifiedDiff(before: string, after: string): string {
  const beforeLines = linesOf(before);
  const afterLines = linesOf(after);
  return hunksOf(compareLines(beforeLines, afterLines))
    .map((changes) => hunkOf(changes, beforeLines, afterLines))
    .join("");
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Groups changes whose context lines overlap or touch. */
function hunksOf(changes: readonly LineChange[]): LineChange[][] {
  const hunks: LineChange[][] = [];
  let end = -Infinity;
  for (const change of changes) {
    if (change.beforeStart - end > 2 * CONTEXT) hunks.push([change]);
    else hunks.at(-1)!.push(change);
    end = change.beforeEnd;
  }
  return hunks;
}

function hunkOf(
  changes: readonly LineChange[],
  before: readonly string[],
  after: readonly string[],
): string {
  const [first, last] = [changes[0]!, changes.at(-1)!];
  // Context lines are the same on both sides.
  const lead = Math.min(CONTEXT, first.beforeStart);
  const tail = Math.min(CONTEXT, before.length - last.beforeEnd);
  const range = (start: number, end: number) => {
    const length = end - start;
    const from = length === 0 ? start : start + 1;
    return length === 1 ? `${from}` : `${from},${length}`;
  };
  const head = `@@ -${range(first.beforeStart - lead, last.beforeEnd + tail)} +${
    range(first.afterStart - lead, last.afterEnd + tail)
  } @@\n`;
  const lines = [head];
  let at = first.beforeStart - lead;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of changes) {
    for (; at < beforeStart; at++) lines.push(` ${before[at]}\n`);
    for (; at < beforeEnd; at++) lines.push(`-${before[at]}\n`);
    for (let added = afterStart; added < afterEnd; added++) lines.push(`+${after[added]}\n`);
  }
  for (const end = at + tail; at < end; at++) lines.push(` ${before[at]}\n`);
  return lines.join("");
}
