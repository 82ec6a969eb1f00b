/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunView } from "../../mod.ts";
import { plural, visible } from "../kit/mod.ts";
import { firstRow } from "./first_row.ts";
import { StepPanel } from "./step_panel.tsx";
import { Timeline } from "./timeline.tsx";

/** The properties of {@linkcode RunPlayer}. */
export interface RunPlayerProps {
  readonly run: RunView;
  /** The page, whose arrow keys go from row to row; undefined if another run on the page has them. */
  readonly page?: Document | undefined;
}

/** A run as a timeline, with what happened at the selected row. */
export function RunPlayer({ page, run }: RunPlayerProps): VNode {
  const stops = useMemo(
    () => run.rows.flatMap(({ kind }, index) => kind === "gap" || kind === "note" ? [] : [index]),
    [run],
  );
  const [row, setRow] = useState(() => firstRow(run));
  useEffect(() => setRow(firstRow(run)), [run]);
  const at = Math.max(0, stops.indexOf(row));
  const move = (step: number) =>
    setRow((row) => stops[Math.min(stops.length - 1, Math.max(0, stops.indexOf(row) + step))]!);
  useEffect(() => {
    if (page === undefined) return;
    const listener = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement | null;
      // A slider and a text that scrolls have arrow keys of their own.
      if (target?.matches?.("input,select,textarea,pre,.diff-lines")) return;
      const step = STEPS[event.key];
      if (step === undefined) return;
      // Elsewhere, these keys scroll the page.
      if (/Up|Down/.test(event.key) && target?.closest?.(".timeline") == null) return;
      event.preventDefault();
      move(step);
    };
    page.addEventListener("keydown", listener);
    return () => page.removeEventListener("keydown", listener);
  }, [page, stops]);
  const { time } = run.rows[row] ?? { time: "" };
  return (
    <div class="player">
      {run.title !== undefined && <h2>The run {visible(run.title)}</h2>}
      <div class="controls">
        <button type="button" onClick={() => move(-1)} disabled={at === 0}>← Previous</button>
        <button type="button" onClick={() => move(1)} disabled={at === stops.length - 1}>
          Next →
        </button>
        <input
          type="range"
          aria-label="Row of the timeline"
          aria-valuetext={`Row ${at + 1} of ${stops.length}, at ${time}`}
          min={0}
          max={stops.length - 1}
          value={at}
          onInput={(event) => setRow(stops[Number(event.currentTarget.value)]!)}
        />
        <span class="soft" role="status">
          {at + 1} of {stops.length} · {time}
        </span>
        <button type="button" class="quiet" onClick={() => setRow(firstRow(run))}>
          Where it went wrong
        </button>
      </div>
      <div class="player-grid">
        <div>
          <Timeline run={run} selected={row} onSelect={setRow} />
          <Legend />
          {run.leftOut > 0 && (
            <p class="soft">
              The contents of {plural(run.leftOut, "version")}{" "}
              of objects were left out, to bound the size of this report.
            </p>
          )}
        </div>
        <StepPanel run={run} row={row} />
      </div>
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
};

function Legend(): VNode {
  return (
    <ul class="legend soft" aria-label="Meaning of the lines">
      <li>
        <i class="write" />write, with its version
      </li>
      <li>
        <i class="seen" />seen at once
      </li>
      <li>
        <i class="late" />seen late
      </li>
      <li>
        <i class="refused" />refused or lost
      </li>
      <li>
        <i class="wrong" />wrong
      </li>
      <li>
        <i class="bar" />reconcile
      </li>
    </ul>
  );
}
