import type { Cause } from "./cause.ts";
import { findRepeats, type Repeat } from "./repeats.ts";
import { type StoryLine, storyLines } from "./story_lines.ts";
import { timeOf } from "./words.ts";

/** The maximum number of lines of a story. */
const MAX_LINES = 60;

/** A line that can be left out, or that is shown once if it is repeated. */
export type Line = Pick<StoryLine, "atMs" | "isFocus" | "key" | "mark"> & { readonly kind: string };

/** Lines of a story, or the number of lines that were left out. */
export type StoryPart<L> = Repeat<L> | number;

/** Returns the `max` lines that matter most, each repetition once. */
export function partsOf<L extends Line>(lines: readonly L[], max: number): StoryPart<L>[] {
  return shortened(lines, max).flatMap((part): StoryPart<L>[] =>
    typeof part === "number" ? [part] : findRepeats(part, keyOf)
  );
}

/** Returns the story in words, at most 60 lines and the notes between them. */
export function storyOf(cause: Cause): string[] {
  const out: string[] = [];
  for (const part of partsOf(storyLines(cause), MAX_LINES)) {
    if (typeof part === "number") {
      out.push(`            … ${part} ${part === 1 ? "line" : "lines"} left out`);
      continue;
    }
    const { items, times } = part;
    for (const item of items) out.push(...textOf(item));
    if (times > 1) out.push(`            … ${describeRepeat(part)}`);
  }
  return out;
}

/** Describes a repetition: `the last 3 lines 12 times more, until 66 s`. */
export function describeRepeat({ items, last, times }: Repeat<Line>): string {
  const what = items.length === 1 ? "the last line" : `the last ${items.length} lines`;
  return `${what} ${times - 1} times more, until ${timeOf(last.atMs)}`;
}

function keyOf({ key, mark }: Line): string {
  return key + (mark ?? "");
}

const MARKS: Readonly<Partial<Record<StoryLine["kind"], string>>> = {
  step: "# ",
  fault: "! ",
  wrong: "X ",
};

function textOf({ atMs, kind, knew, mark, more, text }: StoryLine): string[] {
  const time = timeOf(atMs).padStart(10);
  const again = more === undefined ? "" : ` (${more} times more)`;
  const out = [
    `${time} ${MARKS[kind] ?? ""}${text}${again}${mark === undefined ? "" : `   <== ${mark}`}`,
  ];
  if (knew !== undefined) out.push(`             ${knew}`);
  return out;
}

/** Leaves out the lines that matter least, if there are too many. A number is the number of lines that were left out. */
function shortened<L extends Line>(lines: readonly L[], max: number): (readonly L[] | number)[] {
  // Repeated lines are shown once.
  const shown = findRepeats(lines, keyOf)
    .reduce((sum, { items }) => sum + items.length, 0);
  if (shown <= max) return [lines];
  const byRank = lines
    .map((line, index) => ({ line, rank: rankOf(line) * lines.length + lines.length - index }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, max)
    .map(({ line }) => line);
  const kept = new Set(byRank);
  const out: (L[] | number)[] = [];
  for (const line of lines) {
    const last = out.at(-1);
    if (kept.has(line)) {
      if (Array.isArray(last)) last.push(line);
      else out.push([line]);
    } else if (typeof last === "number") out[out.length - 1] = last + 1;
    else out.push(1);
  }
  return out;
}

/** The lower, the more a line matters. */
export function rankOf({ isFocus, kind, mark }: Line): number {
  if (mark !== undefined || kind === "wrong" || kind === "fault") return 0;
  if (kind === "step" || kind === "process") return 1;
  return isFocus ? 2 : 3;
}
