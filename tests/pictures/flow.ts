/**
 * The way of a change: from the server into the cache, to a key, to a reconcile, and back to the server.
 *
 * @module
 */

/** A part on the way of a change. */
export interface FlowBox {
  readonly title: string;
  readonly note: string;
  /** The room of the part; undefined for the server and the function of the user. */
  readonly room?: string;
  readonly column: number;
  readonly row: number;
}

/** The parts, in the order in which a change passes them. */
export const FLOW_BOXES: readonly FlowBox[] = [
  { title: "API server", note: "of the cluster", column: 0, row: 0 },
  { title: "Client", note: "list, watch, write", room: "client", column: 1, row: 0 },
  {
    title: "Reflector",
    note: "resumes, lists again",
    room: "cache/reflector",
    column: 2,
    row: 0,
  },
  { title: "DeltaFIFO", note: "changes by object", room: "cache/queue", column: 3, row: 0 },
  { title: "Indexer", note: "the cache", room: "cache/store", column: 4, row: 0 },
  {
    title: "Handlers",
    note: "put keys on a queue",
    room: "operator/builder",
    column: 4,
    row: 1,
  },
  {
    title: "Queue",
    note: "each key once",
    room: "workqueue",
    column: 3,
    row: 1,
  },
  { title: "Workers", note: "a key at a time", room: "controller", column: 2, row: 1 },
  { title: "reconcile()", note: "yours", column: 1, row: 1 },
];

/** An arrow between two points, with a label above its start. */
export interface FlowArrow {
  readonly path: string;
  readonly label?: readonly [text: string, x: number, y: number];
  readonly isDashed?: boolean;
}

/** The width and the height of a part. */
export const FLOW_BOX = { width: 148, height: 70 } as const;
const STEP = { x: 208, y: 142 } as const;
/** The height of the drawing. */
export const FLOW_HEIGHT: number = STEP.y + FLOW_BOX.height;

/** Returns the left upper corner of a part. */
export function cornerOf(
  { column, row }: Pick<FlowBox, "column" | "row">,
): { x: number; y: number } {
  return { x: column * STEP.x, y: row * STEP.y };
}

/** Returns the arrows between the parts. */
export function flowArrows(): FlowArrow[] {
  const { height, width } = FLOW_BOX;
  const x = (column: number) => column * STEP.x;
  const gap = STEP.x - width;
  const upper = 28;
  const lower = STEP.y + 35;
  const right = (column: number, text: string): FlowArrow => ({
    path: `M${x(column) + width} ${upper}h${gap - 5}`,
    label: [text, x(column) + width + gap / 2, upper - 7],
  });
  const left = (column: number, text: string): FlowArrow => ({
    path: `M${x(column)} ${lower}h${5 - gap}`,
    label: [text, x(column) - gap / 2, lower - 7],
  });
  return [
    right(0, "watch"),
    { path: `M${x(1)} 52h${5 - gap}`, label: ["write", width + gap / 2, 67] },
    right(1, "events"),
    right(2, "deltas"),
    right(3, "pop"),
    { path: `M${x(4) + 104} ${height}V${STEP.y - 5}`, label: ["notify", x(4) + 128, 110] },
    left(4, "keys"),
    left(3, "a key"),
    left(2, "calls"),
    { path: `M${x(1) + 44} ${STEP.y}V${height + 5}`, label: ["apply, status", x(1) - 2, 110] },
    {
      path: `M${x(4) + 44} ${height}v36H${x(1) + 104}V${STEP.y - 5}`,
      label: ["read", x(3) - 30, 100],
      isDashed: true,
    },
  ];
}
