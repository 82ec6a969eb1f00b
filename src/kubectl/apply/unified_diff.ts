/** The number of unchanged lines around a change. */
const CONTEXT = 3;
/** The number of edits after which the rest counts as replaced: the search takes time in proportion to its square. */
const MAX_EDITS = 2_000;

/** A line of a comparison. */
interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/**
 * Compares two texts line by line, in the unified format of `diff -u`.
 *
 * @returns The hunks; empty if the texts are equal.
 */
export function unifiedDiff(before: string, after: string): string {
  const lines = compare(linesOf(before), linesOf(after));
  const hunks: string[] = [];
  for (let at = 0; at < lines.length;) {
    const first = lines.findIndex(({ sign }, index) => index >= at && sign !== " ");
    if (first < 0) break;
    const start = Math.max(at, first - CONTEXT);
    let end = first;
    for (let i = first; i < lines.length && i <= end + 2 * CONTEXT; i++) {
      if (lines[i]!.sign !== " ") end = i;
    }
    end = Math.min(lines.length, end + CONTEXT + 1);
    hunks.push(hunkOf(lines, start, end));
    at = end;
  }
  return hunks.join("");
}

function hunkOf(lines: readonly Line[], start: number, end: number): string {
  const count = (part: readonly Line[], without: Line["sign"]) =>
    part.filter(({ sign }) => sign !== without).length;
  const range = (without: Line["sign"]) => {
    const length = count(lines.slice(start, end), without);
    const from = count(lines.slice(0, start), without) + (length === 0 ? 0 : 1);
    return length === 1 ? `${from}` : `${from},${length}`;
  };
  const head = `@@ -${range("+")} +${range("-")} @@\n`;
  return head + lines.slice(start, end).map(({ sign, text }) => `${sign}${text}\n`).join("");
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Finds a shortest way from one list of lines to the other (Myers 1986, "An O(ND) difference algorithm"). */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  // The furthest line of `before` that is reached on each diagonal, after each number of edits.
  const trace: Map<number, number>[] = [];
  let furthest = new Map([[1, 0]]);
  for (let edits = 0; edits <= MAX_EDITS; edits++) {
    trace.push(furthest);
    const next = new Map(furthest);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isInsertion = goesDown(furthest, diagonal, edits);
      let x = isInsertion ? furthest.get(diagonal + 1)! : furthest.get(diagonal - 1)! + 1;
      while (
        x < before.length && before[x] === after[x - diagonal] && x - diagonal < after.length
      ) {
        x++;
      }
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return walkBack(trace, before, after);
    }
    furthest = next;
  }
  return [
    ...before.map((text) => ({ sign: "-", text } as const)),
    ...after.map((text) => ({ sign: "+", text } as const)),
  ];
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): Line[] {
  const lines: Line[] = [];
  let x = before.length;
  let y = after.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits]!;
    const diagonal = x - y;
    const isInsertion = goesDown(furthest, diagonal, edits);
    const from = isInsertion ? diagonal + 1 : diagonal - 1;
    const fromX = furthest.get(from) ?? 0;
    const fromY = fromX - from;
    while (x > Math.max(0, fromX) && y > Math.max(0, fromY)) {
      lines.push({ sign: " ", text: before[--x]! });
      y--;
    }
    if (edits === 0) break;
    if (isInsertion) lines.push({ sign: "+", text: after[--y]! });
    else lines.push({ sign: "-", text: before[--x]! });
  }
  return lines.reverse();
}

/** Reports whether the way to a diagonal comes by an insertion rather than a deletion. */
function goesDown(
  furthest: ReadonlyMap<number, number>,
  diagonal: number,
  edits: number,
): boolean {
  return diagonal === -edits ||
    (diagonal !== edits && furthest.get(diagonal - 1)! < furthest.get(diagonal + 1)!);
}
