/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { RowView, RunView } from "../../mod.ts";
import { visible } from "../kit/mod.ts";
import { type Arrow, arrowPaths, type Drawing, drawingOf, LANE } from "./geometry.ts";

/** The properties of {@linkcode Timeline}. */
export interface TimelineProps {
  readonly run: RunView;
  /** The index of the selected row. */
  readonly selected: number;
  readonly onSelect: (row: number) => void;
}

/** A run as a timeline: a lane for each actor, and a row for each event. */
export function Timeline({ onSelect, run, selected }: TimelineProps): VNode {
  const drawing = useMemo(() => drawingOf(run), [run]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = box.current;
    const place = drawing.places[selected];
    if (view === null || place === undefined) return;
    // Only this box scrolls, not the page.
    const { clientHeight: heads = 0 } = view.firstElementChild ?? {};
    const above = place.y - 2 * place.height;
    const below = heads + place.y + 3 * place.height - view.clientHeight;
    if (view.scrollTop > above) view.scrollTop = above;
    else if (view.scrollTop < below) view.scrollTop = below;
    // The focus follows the selection, if it is on a row.
    if (view.contains(view.ownerDocument.activeElement)) {
      view.querySelector<HTMLElement>("[aria-current]")?.focus({ preventScroll: true });
    }
  }, [drawing, selected]);
  return (
    <div class="timeline" style={{ "--lanes": `${drawing.width}px` }} ref={box}>
      <div class="lane-heads" aria-hidden="true">
        {drawing.lanes.map(({ name, x }) => (
          <span
            key={x}
            style={{ left: `${x - LANE / 2}px`, width: `${LANE}px` }}
            title={visible(name)}
          >
            {visible(name)}
          </span>
        ))}
      </div>
      <div class="rows">
        <Lanes drawing={drawing} run={run} selected={selected} />
        <ol>
          {run.rows.map((row, index) => (
            <Row
              key={index}
              row={row}
              height={drawing.places[index]!.height}
              isSelected={index === selected}
              onSelect={() => onSelect(index)}
            />
          ))}
        </ol>
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: RowView;
  readonly height: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Row({ height, isSelected, onSelect, row }: RowProps): VNode {
  const { kind, mark, step, text, time } = row;
  const isStale = step?.known.some(({ state }) => state === "stale") ?? false;
  const classes = `row ${kind}${mark === undefined ? "" : " wrong-mark"}${isStale ? " stale" : ""}`;
  const style = { height: `${height}px` };
  if (kind === "gap" || kind === "note") {
    return (
      <li class={classes} style={style}>
        <span>{visible(text)}</span>
      </li>
    );
  }
  return (
    <li class={classes} style={style}>
      <button
        type="button"
        aria-current={isSelected ? "step" : undefined}
        tabIndex={isSelected ? 0 : -1}
        onClick={onSelect}
      >
        <time>{time}</time>
        <span class="row-text">
          {kind === "fault" && <b class="row-mark">fault</b>}
          {mark !== undefined && <b class="row-mark">{mark}</b>}
          {isStale && mark === undefined && <b class="row-mark">stale</b>}
          {visible(text)}
        </span>
      </button>
    </li>
  );
}

/** The lanes, bars and arrows. The rows say the same in words. */
function Lanes(
  { drawing, run, selected }: { drawing: Drawing; run: RunView; selected: number },
): VNode {
  const { arrows, height, lanes, lives, points, reconciles, width } = drawing;
  const current = run.rows[selected]?.reconcile;
  return (
    <svg
      class="lanes"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      {lanes.map(({ kind, x }) =>
        kind !== "process" && <line key={x} class="lane" x1={x} y1={0} x2={x} y2={height} />
      )}
      {lives.map(({ life, ...bar }) => (
        <g key={`${life.lane} ${life.from}`}>
          <rect class="life" {...bar} rx={6} />
          {life.isOver && <Cross x={bar.x + bar.width / 2} y={bar.y + bar.height - 6} />}
        </g>
      ))}
      {reconciles.map(({ index, isFailed, ...bar }) => (
        <rect
          key={index}
          class={`reconcile${isFailed ? " failed" : ""}${index === current ? " current" : ""}`}
          {...bar}
          rx={3}
        />
      ))}
      {points.map(({ row, x, y }) => (
        <circle
          key={row}
          class={run.rows[row]!.kind}
          cx={x}
          cy={y}
          r={run.rows[row]!.kind === "step" ? 4 : 2.5}
        />
      ))}
      {arrows.map((arrow, index) => (
        <ArrowShape key={index} arrow={arrow} isSelected={arrow.row === selected} />
      ))}
    </svg>
  );
}

function ArrowShape({ arrow, isSelected }: { arrow: Arrow; isSelected: boolean }): VNode {
  const { isMarked, kind, label, x1, x2, y2 } = arrow;
  const { head, line } = arrowPaths(arrow);
  const isFromRight = x1 > x2;
  return (
    <g
      class={`arrow-shape ${kind}${isMarked ? " wrong-mark" : ""}${isSelected ? " selected" : ""}`}
    >
      <path class="line" d={line} />
      <path class="head" d={head} />
      {kind === "refused" && <Cross x={x2} y={y2} />}
      {(kind === "write" || kind === "call") && <circle cx={x2} cy={y2} r={4.5} />}
      {label !== "" && (
        <text
          x={isFromRight ? x2 - 9 : x2 + 8}
          y={y2 - 4}
          text-anchor={isFromRight ? "end" : "start"}
        >
          {label}
        </text>
      )}
    </g>
  );
}

function Cross({ x, y }: { x: number; y: number }): VNode {
  const d = `M${x - 5},${y - 5}L${x + 5},${y + 5}M${x + 5},${y - 5}L${x - 5},${y + 5}`;
  return <path class="cross" d={d} />;
}
