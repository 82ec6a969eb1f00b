import type { Cause } from "./cause.ts";
import { escapeHtml } from "./escape_html.ts";
import type { Row } from "./timeline_rows.ts";

/** A drawing of the lanes of a timeline. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** The inner part of an SVG element. */
  readonly svg: string;
  /** The lanes, with the middle of each in pixels. */
  readonly lanes: readonly { readonly name: string; readonly x: number }[];
}

const SERVER = "API server";
const OTHERS = "user, cluster";
const WORLD = "external world";
const FIRST_X = 56;
const LANE = 124;
/** The width of the bar of a life. */
const BAR = 14;

/** Draws a lane for each actor, and an arrow for each write, call and event. */
export function drawTimeline(rows: readonly Row[], { run, untilAt }: Cause): Drawing {
  const height = rows.reduce((end, { height, y }) => Math.max(end, y + height), 0);
  const processes = [...new Set(rows.flatMap(({ process }) => process ?? []))];
  const hasCalls = rows.some(({ kind }) => kind === "call");
  const names = [OTHERS, SERVER, ...processes, ...(hasCalls ? [WORLD] : [])];
  const lanes = names.map((name, index) => ({ name, x: FIRST_X + index * LANE }));
  const xOf = (name: string) => lanes.find((lane) => lane.name === name)!.x;
  const server = xOf(SERVER);
  const out: string[] = [];
  const draw = (text: string) => void out.push(text);

  for (const { name, x } of lanes) {
    if (!processes.includes(name)) draw(line("lane", x, 0, x, height));
  }
  for (const process of processes) drawLives(process, xOf(process), rows, height, draw);

  const rowOf = new Map(rows.flatMap((row) => row.versions.map((version) => [version, row])));
  const written = new Map(
    rows.filter(({ kind }) => kind === "write")
      .flatMap((row) => row.versions.map((version) => [version, row])),
  );
  const seen = new Set<Row>();
  for (const row of rows) {
    const y = row.y + 15;
    const towards = row.kind === "call" ? 1 : -1;
    const from = row.process === undefined ? xOf(OTHERS) : xOf(row.process) + towards * BAR / 2;
    const title = escapeHtml(`${row.time} ${row.text}${row.knew ? `\n${row.knew}` : ""}`);
    switch (row.kind) {
      case "write":
        draw(
          `<g class="write${row.mark ? " marked" : ""}"><title>${title}</title>${
            arrow(from, y, server, y)
          }<circle cx="${server}" cy="${y}" r="5"/>${versionLabel(row, server, y, from)}</g>`,
        );
        break;
      case "refused":
        draw(
          `<g class="refused"><title>${title}</title>${arrow(from, y, (from + server) / 2, y)}${
            cross((from + server) / 2, y)
          }</g>`,
        );
        break;
      case "call":
        draw(
          `<g class="call${row.mark ? " marked" : ""}"><title>${title}</title>${
            arrow(from, y, xOf(WORLD), y)
          }<circle cx="${xOf(WORLD)}" cy="${y}" r="5"/></g>`,
        );
        break;
      case "seen": {
        const commit = written.get(row.versions[0]!);
        draw(
          `<g class="late"><title>${title}</title>${
            arrow(server, commit === undefined ? y : commit.y + 15, from, y)
          }<circle cx="${from}" cy="${y}" r="3.5"/></g>`,
        );
        break;
      }
      case "step":
        draw(
          `<circle class="step" cx="${
            xOf(OTHERS)
          }" cy="${y}" r="4"><title>${title}</title></circle>`,
        );
        break;
      case "log":
        if (row.process !== undefined) {
          draw(
            `<circle class="log" cx="${
              xOf(row.process)
            }" cy="${y}" r="2.5"><title>${title}</title></circle>`,
          );
        }
        break;
      default:
    }
  }
  // A version that is seen at once has no row of its own.
  for (const { at, lateMs, process, version } of run.sightings) {
    const row = rowOf.get(version.number);
    if (at > untilAt || lateMs > 0 || row?.kind !== "write" || seen.has(row)) continue;
    if (version.act?.process === process || !processes.includes(process)) continue;
    if (run.lifeAt(process, at) !== run.lifeAt(process, version.at)) continue;
    seen.add(row);
    const y = row.y + 22;
    draw(
      `<g class="seen"><title>${
        escapeHtml(`${process} sees version ${version.number} at once`)
      }</title>${arrow(server, y - 7, xOf(process) - BAR / 2, y)}</g>`,
    );
  }
  const width = FIRST_X * 2 + (lanes.length - 1) * LANE;
  return { width, height, svg: out.join("\n"), lanes };
}

/** Draws a bar for each life of a process. */
function drawLives(
  process: string,
  x: number,
  rows: readonly Row[],
  height: number,
  draw: (text: string) => void,
): void {
  let startY: number | undefined;
  let life = 0;
  const end = (y: number) => {
    if (startY === undefined) return;
    draw(
      `<rect class="life" x="${x - BAR / 2}" y="${startY}" width="${BAR}" height="${
        y - startY
      }" rx="7"><title>${escapeHtml(process)}, life ${life}</title></rect>`,
    );
    startY = undefined;
  };
  for (const row of rows) {
    if (row.process !== process || row.kind !== "process") continue;
    const y = row.y + 15;
    if (row.text.includes(" starts")) {
      life++;
      startY = y;
    } else if (/ is killed| fails: /.test(row.text)) {
      end(y);
      draw(`<g class="death"><title>${escapeHtml(row.text)}</title>${cross(x, y)}</g>`);
    }
  }
  end(height);
}

function line(name: string, x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="${name}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

/** Returns an arrow. Its head is drawn, so that it has the colour of its line. */
function arrow(x1: number, y1: number, x2: number, y2: number): string {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const ux = (x2 - x1) / length;
  const uy = (y2 - y1) / length;
  const tip = [x2 - ux * 6, y2 - uy * 6] as const;
  const side = (sign: number) =>
    `${round(tip[0] - ux * 8 - sign * uy * 4)},${round(tip[1] - uy * 8 + sign * ux * 4)}`;
  return `<path d="M${x1},${y1}L${round(tip[0])},${round(tip[1])}"/><path class="head" d="M${
    round(tip[0])
  },${round(tip[1])}L${side(1)}L${side(-1)}Z"/>`;
}

function cross(x: number, y: number): string {
  return `<path class="cross" d="M${x - 5},${y - 5}L${x + 5},${y + 5}M${x + 5},${y - 5}L${x - 5},${
    y + 5
  }"/>`;
}

function versionLabel({ versions }: Row, x: number, y: number, from: number): string {
  const first = versions[0];
  const last = versions.at(-1);
  const text = first === last ? `v${first}` : `v${first}–${last}`;
  return from > x
    ? `<text x="${x - 10}" y="${y + 4}" text-anchor="end">${text}</text>`
    : `<text x="${x + 8}" y="${y - 4}">${text}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
