import type { Cause } from "./cause.ts";
import type { StoryKind } from "./story_lines.ts";
import { describeRepeat, storyParts } from "./story.ts";
import { timeOf } from "./words.ts";

/** One row of a timeline. */
export interface Row {
  /** The upper edge, in pixels. */
  readonly y: number;
  readonly height: number;
  /** `gap` is time in which nothing happens, `note` is about the rows above it. */
  readonly kind: StoryKind | "gap" | "note";
  /** The time; empty for a gap and a note. */
  readonly time: string;
  readonly text: string;
  readonly knew?: string | undefined;
  readonly mark?: string | undefined;
  readonly process?: string | undefined;
  readonly who: string;
  readonly versions: readonly number[];
}

const ROW = 30;
const ROW_WITH_KNOWLEDGE = 48;
const GAP = 22;
/** The minimum time without an event that is shown as a gap, in milliseconds. */
const GAP_MS = 1000;

/** Returns the rows of a timeline: the lines of the story, and the gaps between them. */
export function timelineRows(cause: Cause): Row[] {
  const rows: Row[] = [];
  let y = 0;
  let lastMs = 0;
  const add = (row: Omit<Row, "y">) => {
    rows.push({ y, ...row });
    y += row.height;
  };
  const note = (kind: "gap" | "note", text: string) =>
    add({ kind, height: GAP, time: "", text, who: "", versions: [] });
  for (const part of storyParts(cause)) {
    if (typeof part === "number") {
      note("note", `${part} ${part === 1 ? "row" : "rows"} left out`);
      continue;
    }
    for (const { atMs, knew, more, versions = [], ...line } of part.items) {
      if (atMs - lastMs >= GAP_MS) note("gap", `${timeOf(atMs - lastMs)} later`);
      lastMs = atMs;
      add({
        ...line,
        height: knew === undefined ? ROW : ROW_WITH_KNOWLEDGE,
        time: timeOf(atMs),
        text: more === undefined ? line.text : `${line.text} (${more} times more)`,
        knew,
        versions,
      });
    }
    if (part.times > 1) note("note", describeRepeat(part));
    lastMs = part.last.atMs;
  }
  return rows;
}
