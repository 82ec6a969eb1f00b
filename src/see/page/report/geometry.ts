import type { LaneView, LifeView, ReconcileView, RowView, RunView } from "../../mod.ts";

/** The width of a lane, and the middle of the first one, in pixels. */
export const LANE = 84;
const FIRST_X = 42;
/** The width of the bar of a life. */
const BAR = 12;
const HEIGHTS: Readonly<Partial<Record<RowView["kind"], number>>> = { gap: 20, note: 20 };
const ROW = 28;

/** A place of a row. */
export interface Place {
  readonly y: number;
  readonly height: number;
}

/** An arrow from one point to another. */
export interface Arrow {
  /** The row that it belongs to. */
  readonly row: number;
  readonly kind: "write" | "call" | "refused" | "seen" | "late";
  readonly isMarked: boolean;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** The versions that were written, as in `v3` or `v3–5`; empty for other arrows. */
  readonly label: string;
}

/** A bar of a life or of a reconcile. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The drawing of a run: places in pixels. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly places: readonly Place[];
  readonly lanes: readonly (LaneView & { readonly x: number })[];
  readonly arrows: readonly Arrow[];
  readonly lives: readonly (Bar & { readonly life: LifeView })[];
  readonly reconciles: readonly (Bar & { readonly index: number; readonly isFailed: boolean })[];
  /** Points on a lane: steps of the workload, log lines, and starts of reconciles. */
  readonly points: readonly { readonly row: number; readonly x: number; readonly y: number }[];
}

/** Places the parts of a run. */
export function drawingOf({ lanes, lives, reconciles, rows }: RunView): Drawing {
  const places: Place[] = [];
  let height = 0;
  for (const { kind } of rows) {
    const own = HEIGHTS[kind] ?? ROW;
    places.push({ y: height, height: own });
    height += own;
  }
  const xOf = (lane: number) => FIRST_X + lane * LANE;
  const middle = (row: number) => places[row]!.y + places[row]!.height / 2;
  const server = lanes.findIndex(({ kind }) => kind === "server");
  const world = lanes.findIndex(({ kind }) => kind === "world");
  const edge = (lane: number, towards: 1 | -1) =>
    xOf(lane) + (lanes[lane]?.kind === "process" ? towards * BAR / 2 : 0);
  const arrows: Arrow[] = [];
  const points: { row: number; x: number; y: number }[] = [];
  for (const [row, { from, kind, lane, mark, numbers = [], seenBy = [] }] of rows.entries()) {
    if (lane === undefined) continue;
    const y = middle(row);
    const common = { row, isMarked: mark !== undefined, label: "" };
    const toServer = lane > server ? -1 : 1;
    const x1 = edge(lane, toServer);
    switch (kind) {
      case "write": {
        const label = numbers.length > 1 ? `v${numbers[0]}–${numbers.at(-1)}` : `v${numbers[0]}`;
        arrows.push({ ...common, kind, x1, y1: y, x2: xOf(server), y2: y, label });
        for (const other of seenBy) {
          const to = { x2: edge(other, other > server ? -1 : 1), y2: y + 7 };
          arrows.push({ ...common, isMarked: false, kind: "seen", x1: xOf(server), y1: y, ...to });
        }
        break;
      }
      case "refused":
        arrows.push({ ...common, kind, x1, y1: y, x2: (x1 + xOf(server)) / 2, y2: y });
        break;
      case "call":
        arrows.push({ ...common, kind, x1: edge(lane, 1), y1: y, x2: xOf(world), y2: y });
        break;
      case "seen": {
        const y1 = from === undefined ? y : middle(from);
        arrows.push({ ...common, kind: "late", x1: xOf(server), y1, x2: x1, y2: y });
        break;
      }
      case "step":
      case "log":
      case "reconcile":
        points.push({ row, x: xOf(lane), y });
        break;
      default:
    }
  }
  const span = ({ from, to }: { from: number; to: number }) => ({
    y: places[from]!.y + 4,
    height: places[to]!.y + places[to]!.height - places[from]!.y - 8,
  });
  return {
    width: FIRST_X * 2 + (lanes.length - 1) * LANE,
    height,
    places,
    lanes: lanes.map((lane, index) => ({ ...lane, x: xOf(index) })),
    arrows,
    lives: lives.map((life) => ({ ...span(life), x: xOf(life.lane) - BAR / 2, width: BAR, life })),
    reconciles: reconciles.map((reconcile, index) => ({
      ...span(reconcile),
      x: xOf(reconcile.lane) - 3 + 5 * depthOf(index, reconciles),
      width: 6,
      index,
      isFailed: reconcile.isFailed,
    })),
    points,
  };
}

/** The maximum number of overlapping bars that are beside each other. */
const MAX_DEPTH = 4;

/** Returns how many earlier reconciles of the lane a bar overlaps with, so that it is drawn beside them. */
function depthOf(index: number, reconciles: readonly ReconcileView[]): number {
  const { from, lane } = reconciles[index]!;
  const open = reconciles.slice(0, index).filter((other) =>
    other.lane === lane && other.to >= from
  );
  return Math.min(open.length, MAX_DEPTH);
}

/** Returns the path of an arrow and of its head, which has the colour of its line. */
export function arrowPaths(
  { x1, x2, y1, y2 }: Arrow,
): { readonly line: string; readonly head: string } {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [tx, ty] = [x2 - ux * 5, y2 - uy * 5];
  const side = (sign: number) =>
    `${round(tx - ux * 8 - sign * uy * 4)},${round(ty - uy * 8 + sign * ux * 4)}`;
  const tip = `${round(tx)},${round(ty)}`;
  return { line: `M${round(x1)},${round(y1)}L${tip}`, head: `M${tip}L${side(1)}L${side(-1)}Z` };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
