import type { RunView } from "../../mod.ts";

/** Returns the row that shows best what went wrong: the wrong write, or else the last marked row, or the last step. */
export function firstRow({ rows }: RunView): number {
  const wrong = rows.findIndex(({ mark }) => mark?.startsWith("the wrong") ?? false);
  if (wrong >= 0) return wrong;
  const marked = rows.findLastIndex(({ mark }) => mark !== undefined);
  if (marked >= 0) return marked;
  return Math.max(0, rows.findLastIndex(({ step }) => step !== undefined));
}
