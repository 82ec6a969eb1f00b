import { type DiffLine, diffLines, foldLines } from "../kit/mod.ts";

/** A line of both sides; undefined where a side has none. */
export interface SidePair {
  readonly left?: DiffLine | undefined;
  readonly right?: DiffLine | undefined;
}

/** Returns the lines of two values; the lines of one field are beside each other. A value that is undefined has no lines. */
export function sidePairs(left: unknown, right: unknown): SidePair[] {
  if (left === undefined || right === undefined) {
    const lines = diffLines(undefined, left ?? right ?? {});
    return lines.map((line) => left === undefined ? { right: line } : { left: line });
  }
  const pairs: SidePair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (const left of removed) {
      const at = added.findIndex(({ path }) => path === left.path);
      for (const right of added.splice(0, Math.max(0, at))) pairs.push({ right });
      pairs.push(at < 0 ? { left } : { left, right: added.shift() });
    }
    for (const right of added) pairs.push({ right });
    removed = [];
    added = [];
  };
  for (const line of foldLines(diffLines(left, right))) {
    // A removed line after added ones begins another change.
    if (
      line.kind === "same" || line.kind === "fold" || (line.kind === "removed" && added.length > 0)
    ) {
      flush();
    }
    if (line.kind === "removed") removed.push(line);
    else if (line.kind === "added") added.push(line);
    else pairs.push({ left: line, right: line });
  }
  flush();
  return pairs;
}
