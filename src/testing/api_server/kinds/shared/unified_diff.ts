import { stringifyJson } from "@kubeloop/controller/base";
import type { Json } from "../../values/mod.ts";

/** The number of equal lines that a unified diff shows around a difference. */
const CONTEXT = 3;

/** From this number of lines on, lines that occur often do not begin a match. */
const MANY_LINES = 200;

/** A run of lines that are equal in both texts. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** One difference: lines of the first text that stand against lines of the second one; both are equal, or not. */
interface Edit {
  readonly equal: boolean;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/**
 * Returns the unified diff of two values, indented as the real server does it: with the algorithm of Python's difflib,
 * which decides where equal lines are found.
 */
export function unifiedDiff(left: Json, right: Json): string {
  const [a, b] = [linesOf(left), linesOf(right)];
  return groups(edits(matches(a, b), a.length, b.length)).map((group) => {
    const first = group[0]!;
    const last = group.at(-1)!;
    const head = `@@ -${range(first.from[0], last.from[1])} +${range(first.to[0], last.to[1])} @@`;
    const lines = group.flatMap(({ equal, from, to }) => {
      const taken = a.slice(...from);
      if (equal) return taken.map((line) => ` ${line}`);
      return [
        ...taken.map((line) => `-${line}`),
        ...b.slice(...to).map((line) => `+${line}`),
      ];
    });
    return [head, ...lines].map((line) => `${line}\n`).join("");
  }).join("");
}

function linesOf(value: Json): string[] {
  const escaped = (char: string) => `\\u00${char.charCodeAt(0).toString(16)}`;
  return stringifyJson(value, { indent: 1 }).replace(/[<>&]/g, escaped).split("\n");
}

function range(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

function matches(a: readonly string[], b: readonly string[]): Match[] {
  const places = new Map<string, number[]>();
  b.forEach((line, index) => {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  });
  if (b.length >= MANY_LINES) {
    const most = Math.floor(b.length / 100) + 1;
    for (const [line, known] of places) if (known.length > most) places.delete(line);
  }
  const found: Match[] = [];
  const open: (readonly [number, number, number, number])[] = [[0, a.length, 0, b.length]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const match = longest(a, b, places, part);
    if (match.size === 0) continue;
    found.push(match);
    const [aLow, aHigh, bLow, bHigh] = part;
    open.push([aLow, match.a, bLow, match.b]);
    open.push([match.a + match.size, aHigh, match.b + match.size, bHigh]);
  }
  return found.sort((one, other) => one.a - other.a);
}

/** Returns the longest run of equal lines within a part of both texts; of several, the first. */
function longest(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aLow, aHigh, bLow, bHigh]: readonly [number, number, number, number],
): Match {
  let best = { a: aLow, b: bLow, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < bLow || j >= bHigh) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: start, b: other, size } = best;
  while (start > aLow && other > bLow && a[start - 1] === b[other - 1]) {
    start--;
    other--;
    size++;
  }
  while (start + size < aHigh && other + size < bHigh && a[start + size] === b[other + size]) {
    size++;
  }
  return { a: start, b: other, size };
}

function edits(found: readonly Match[], aLength: number, bLength: number): Edit[] {
  const result: Edit[] = [];
  let [a, b] = [0, 0];
  for (const match of [...found, { a: aLength, b: bLength, size: 0 }]) {
    if (a < match.a || b < match.b) {
      result.push({ equal: false, from: [a, match.a], to: [b, match.b] });
    }
    [a, b] = [match.a + match.size, match.b + match.size];
    const before = result.at(-1);
    if (match.size === 0) continue;
    if (before?.equal && before.from[1] === match.a && before.to[1] === match.b) {
      result[result.length - 1] = {
        equal: true,
        from: [before.from[0], a],
        to: [before.to[0], b],
      };
    } else result.push({ equal: true, from: [match.a, a], to: [match.b, b] });
  }
  return result;
}

/** Returns the edits in groups that are far from each other, each with a few equal lines around it. */
function groups(all: readonly Edit[]): Edit[][] {
  const result: Edit[][] = [];
  let group: Edit[] = [];
  all.forEach((edit, index) => {
    if (!edit.equal) {
      group.push(edit);
      return;
    }
    const [start, end] = edit.from;
    const shift = edit.to[0] - start;
    const part = (from: number, to: number): Edit => ({
      equal: true,
      from: [from, to],
      to: [from + shift, to + shift],
    });
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    if (isFirst) group = isLast ? [] : [part(Math.max(start, end - CONTEXT), end)];
    else if (isLast) group.push(part(start, Math.min(end, start + CONTEXT)));
    else if (end - start > 2 * CONTEXT) {
      result.push([...group, part(start, start + CONTEXT)]);
      group = [part(end - CONTEXT, end)];
    } else group.push(edit);
  });
  if (group.some(({ equal }) => !equal)) result.push(group);
  return result;
}
