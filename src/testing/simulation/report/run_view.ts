import type {
  LaneView,
  LifeView,
  ReconcileView,
  RowKind,
  RowView,
  RunView,
  StepView,
} from "@kubeloop/controller/internal/see";
import type { Reconciling } from "../record/mod.ts";
import type { Cause } from "./cause.ts";
import type { Chronicle } from "./chronicle.ts";
import { stepOfAct, stepOfReconcile, stepOfVersion, type StepScene } from "./step_view.ts";
import { describeRepeat, partsOf, rankOf } from "./story.ts";
import { storyLines, type ToldLine } from "./story_lines.ts";
import { VersionsTable } from "./versions_table.ts";
import { lifeName, timeOf } from "./words.ts";

/** The maximum number of rows of a run. */
const MAX_ROWS = 160;
/** The minimum time without an event that is shown as a gap, in milliseconds. */
const GAP_MS = 1000;

/** A line of a story, or the start of a reconcile. */
interface PageLine extends Omit<ToldLine, "kind"> {
  readonly kind: Exclude<RowKind, "gap" | "note">;
  readonly reconcile?: Reconciling | undefined;
}

/** A row before its step is known. */
interface Draft extends Pick<RowView, "kind" | "time" | "text"> {
  readonly line?: PageLine;
}

/** Returns a run for a page, row by row up to the first error. */
export function runView(cause: Cause, title?: string): RunView {
  const { focus, run } = cause;
  const table = new VersionsTable(run);
  const drafts = draftsOf(cause);
  const lanes = lanesOf(drafts);
  const steps = stepsOf(drafts, { run, focus, table });
  const reconciles = new Reconciles(run, drafts, lanes);
  const written = new Map(
    drafts.flatMap(({ line }, index) =>
      line?.kind === "write" ? line.versions!.map((number) => [number, index] as const) : []
    ),
  );
  const rows = drafts.map(({ kind, line, text, time }, index): RowView => {
    const lane = line === undefined ? -1 : laneOf(line, lanes);
    const from = kind === "seen" ? written.get(line!.versions![0]!) : undefined;
    const seenBy = kind === "write" ? seenAtOnce(line!, cause, lanes) : [];
    const reconcile = reconciles.indexOf(index);
    const step = steps.get(index);
    return {
      kind,
      time,
      text,
      ...(lane >= 0 && { lane }),
      ...(line?.knew !== undefined && { knew: line.knew }),
      ...(line?.mark !== undefined && { mark: line.mark }),
      ...(line?.versions !== undefined && { numbers: line.versions }),
      ...(from !== undefined && { from }),
      ...(seenBy.length > 0 && { seenBy }),
      ...(reconcile !== undefined && { reconcile }),
      ...(step !== undefined && { step }),
    };
  });
  return {
    ...(title !== undefined && { title }),
    lanes,
    rows,
    lives: livesOf(drafts, lanes, run),
    reconciles: reconciles.views,
    versions: table.versions,
    leftOut: table.leftOut,
  };
}

/** Returns the lines of the story and the starts of reconciles that matter most, with the gaps between them. */
function draftsOf(cause: Cause): Draft[] {
  const lines: PageLine[] = [
    ...storyLines(cause).map((line) => ({ ...line, reconcile: line.act?.reconcile })),
    ...reconcileLines(cause),
  ].sort((a, b) => a.at - b.at);
  const out: Draft[] = [];
  let lastMs = 0;
  for (const part of partsOf(lines, MAX_ROWS)) {
    if (typeof part === "number") {
      out.push({ kind: "note", time: "", text: `${part} ${part === 1 ? "row" : "rows"} left out` });
      continue;
    }
    for (const line of part.items) {
      if (line.atMs - lastMs >= GAP_MS) {
        out.push({ kind: "gap", time: "", text: `${timeOf(line.atMs - lastMs)} later` });
      }
      lastMs = line.atMs;
      const again = line.more === undefined ? "" : ` (${line.more} times more)`;
      out.push({ kind: line.kind, time: timeOf(line.atMs), text: line.text + again, line });
    }
    if (part.times > 1) out.push({ kind: "note", time: "", text: describeRepeat(part) });
    lastMs = part.last.atMs;
  }
  return out;
}

function reconcileLines({ focus, run, untilAt }: Cause): PageLine[] {
  const acts = Map.groupBy(run.acts, ({ reconcile }) => reconcile);
  const controllers = Map.groupBy(
    new Map(run.reconciles.map((one) => [`${one.process} ${one.controller}`, one])).values(),
    ({ process }) => process,
  );
  return run.reconciles.filter(({ at }) => at <= untilAt).map((reconcile): PageLine => {
    const { atMs, controller, end, key, process } = reconcile;
    const name = controllers.get(process)!.length < 2 ? "" : ` (controller ${controller})`;
    const who = lifeName(process, run.lifeAt(process, reconcile.at));
    const isIdle = !acts.has(reconcile);
    const outcome = end?.error !== undefined ? ", and fails" : isIdle ? ", and writes nothing" : "";
    const text = `${who} reconciles ${key}${name}${outcome}`;
    const isFocus = [...focus].some((object) => object.endsWith(` ${key}`));
    // Before a repeated call, which is between two moments as well.
    const at = reconcile.at - 0.75;
    return { at, atMs, kind: "reconcile", who, process, text, key: text, isFocus, reconcile };
  });
}

function lanesOf(drafts: readonly Draft[]): LaneView[] {
  const lines = drafts.flatMap(({ line }) => line ?? []);
  const processes = new Set(lines.flatMap(({ process }) => process ?? []));
  const hasCluster = lines.some((line) => kindOfLane(line) === "cluster");
  const hasCalls = lines.some(({ kind }) => kind === "call");
  return [
    { name: "user", kind: "user" },
    ...(hasCluster ? [{ name: "cluster", kind: "cluster" } as const] : []),
    { name: "API server", kind: "server" },
    ...[...processes].map((name) => ({ name, kind: "process" } as const)),
    ...(hasCalls ? [{ name: "external world", kind: "world" } as const] : []),
  ];
}

function kindOfLane({ kind, process, who }: PageLine): LaneView["kind"] | undefined {
  if (process !== undefined) return "process";
  if (kind === "step" || who === "user") return "user";
  return kind === "write" ? "cluster" : undefined;
}

/** Returns the index of the lane of a line; -1 if it has none. */
function laneOf(line: PageLine, lanes: readonly LaneView[]): number {
  const kind = kindOfLane(line);
  return lanes.findIndex((lane) =>
    lane.kind === kind && (kind !== "process" || lane.name === line.process)
  );
}

/** Returns the steps of rows. The rows that matter most are first to get room for the contents of their versions. */
function stepsOf(drafts: readonly Draft[], scene: StepScene): Map<number, StepView> {
  const acts = Map.groupBy(scene.run.acts, ({ reconcile }) => reconcile);
  const byRank = drafts
    .flatMap(({ line }, index) => line === undefined ? [] : [{ line, index, rank: rankOf(line) }])
    .sort((a, b) => a.rank - b.rank);
  const steps = new Map<number, StepView>();
  for (const { index, line } of byRank) {
    const { act, kind, process, reconcile, version } = line;
    if (kind === "reconcile") {
      const life = scene.run.lifeAt(process!, line.at);
      steps.set(index, stepOfReconcile(reconcile!, acts.get(reconcile)?.[0], life, scene));
    } else if (act !== undefined) steps.set(index, stepOfAct(act, scene));
    else if (version !== undefined) steps.set(index, stepOfVersion(version, scene));
  }
  return steps;
}

/** Returns the lanes of the processes that see a written version without delay. */
function seenAtOnce(
  { act, versions = [] }: PageLine,
  { run, untilAt }: Cause,
  lanes: readonly LaneView[],
): number[] {
  const processes = run.sightings
    .filter(({ at, lateMs, process, version }) =>
      at <= untilAt && lateMs === 0 && versions.includes(version.number) &&
      act?.process !== process && run.lifeAt(process, at) === run.lifeAt(process, version.at)
    )
    .map(({ process }) => process);
  return lanes.flatMap(({ kind, name }, index) =>
    kind === "process" && processes.includes(name) ? [index] : []
  );
}

/** Returns the lives of processes, from row to row. */
function livesOf(
  drafts: readonly Draft[],
  lanes: readonly LaneView[],
  run: Chronicle,
): LifeView[] {
  const lives: LifeView[] = [];
  for (const [lane, { kind, name }] of lanes.entries()) {
    if (kind !== "process") continue;
    let from: number | undefined;
    let life = 1;
    const end = (to: number, isOver: boolean) => {
      if (from !== undefined) lives.push({ lane, life, from, to, isOver });
      from = undefined;
    };
    for (const [index, { line }] of drafts.entries()) {
      if (line?.process !== name) continue;
      const isEnd = line.kind === "process" &&
        / is killed$| fails: | has stopped$| has ended by itself$/.test(line.text);
      if (from === undefined && !isEnd) {
        from = index;
        life = run.lifeAt(name, line.at);
      }
      if (isEnd) end(index, true);
    }
    end(drafts.length - 1, false);
  }
  return lives;
}

/** The reconciles whose rows are shown. */
class Reconciles {
  readonly views: ReconcileView[] = [];
  readonly #byRow = new Map<number, number>();

  constructor(run: Chronicle, drafts: readonly Draft[], lanes: readonly LaneView[]) {
    const rows = Map.groupBy(drafts.keys(), (index) => drafts[index]!.line?.reconcile);
    for (const [reconcile, indices] of rows) {
      if (reconcile === undefined) continue;
      for (const index of indices) this.#byRow.set(index, this.views.length);
      const { controller, end, key, process } = reconcile;
      const life = run.lifeAt(process, reconcile.at);
      const endAt = end?.at ?? deathOf(run, reconcile, life) ?? Infinity;
      this.views.push({
        lane: lanes.findIndex(({ kind, name }) => kind === "process" && name === process),
        controller,
        key,
        from: indices[0]!,
        to: lastBefore(drafts, indices.at(-1)!, endAt),
        result: resultOf(reconcile, endAt),
        isFailed: end === undefined ? endAt < Infinity : end.error !== undefined,
      });
    }
  }

  /** Returns the index of the reconcile of a row. */
  indexOf(row: number): number | undefined {
    return this.#byRow.get(row);
  }
}

/** Returns the moment at which the process of a reconcile came to its end, if it did in the life of the reconcile. */
function deathOf(run: Chronicle, { at, process }: Reconciling, life: number): number | undefined {
  const death = run.moments.findIndex((moment, index) =>
    index >= at && moment.kind === "process" && moment.process === process &&
    (moment.text === "is killed" || run.lifeAt(process, index) > life)
  );
  return death < 0 ? undefined : death + 1;
}

/** Returns the last of the rows from `from` on that are before a moment. */
function lastBefore(drafts: readonly Draft[], from: number, endAt: number): number {
  let last = from;
  for (const [index, { line }] of drafts.entries()) {
    if (index <= from || line === undefined) continue;
    if (line.at > endAt - 1) break;
    last = index;
  }
  return last;
}

function resultOf({ end }: Reconciling, endAt: number): string {
  if (end === undefined) {
    return endAt < Infinity ? "cut off, as its process ended" : "still running at the end";
  }
  return end.error === undefined ? "succeeded" : `failed: ${end.error}`;
}
