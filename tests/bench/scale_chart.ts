/**
 * Draws how the cost of an object grows with their number: `scale_chart.ts RUN.json PICTURE.svg`. The picture is plain
 * SVG that is readable on light and dark pages.
 *
 * @module
 */

import { number } from "./report.ts";
import { type BenchResult, find, valuesOf } from "./results.ts";
import { spread } from "./stats.ts";

/** A panel: one figure against the number of objects. */
interface Panel {
  readonly title: string;
  readonly figure: string;
}

/** A line: a client on a runtime, from few objects to many. */
export interface Line {
  readonly client: string;
  readonly runtime: string;
  readonly points: readonly { readonly objects: number; readonly value: number }[];
}

const PANELS: readonly Panel[] = [
  { title: "CPU per listed object, µs", figure: "objectUs" },
  { title: "CPU per change, µs", figure: "eventUs" },
  { title: "Memory per object, bytes", figure: "bytesPerObject" },
];
const CLIENTS = ["kubeloop", "floor"];
const RUNTIMES = [["deno", "Deno"], ["node", "Node 24"], ["bun", "Bun"]] as const;

const WIDTH = 760;
const HEIGHT = 250;
const GAP = 32;
const PANEL_WIDTH = (WIDTH - 2 * GAP) / PANELS.length;
const TOP = 52;
const PLOT = 150;

/** Returns the lines of a figure, of all that was measured. */
export function linesOf(run: BenchResult, figure: string): Line[] {
  const cases = run.cases.filter(({ name }) => name.startsWith("scale-"))
    .toSorted((a, b) => a.size.count - b.size.count);
  return RUNTIMES.flatMap(([runtime]) =>
    CLIENTS.map((client) => ({
      client,
      runtime,
      points: cases.map(({ size, results }) => ({
        objects: size.count,
        value: spread(valuesOf(find(results, client, runtime), figure)).median,
      })).filter(({ value }) => value > 0),
    }))
  ).filter(({ points }) => points.length > 0);
}

/** Returns the chart as SVG. */
export function scaleChart(run: BenchResult): string {
  const { facts } = run;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 0 ${
      WIDTH + 32
    } ${HEIGHT}" role="img" aria-label="Cost per object from a thousand to a million objects">`,
    STYLE,
    ...legend(),
    ...PANELS.flatMap((panel, i) => drawn(panel, linesOf(run, panel.figure), i)),
    text(
      0,
      HEIGHT - 8,
      "note",
      `${facts.date}, ${facts.cores} cores of ${facts.cpu}; objects of 270 bytes`,
    ),
    "</svg>\n",
  ].join("\n");
}

const STYLE = `<style>
text { font: 11px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 13px }
.axis, .note { fill: #59636e }
.end { text-anchor: end }
.middle { text-anchor: middle }
polyline { fill: none; stroke-width: 2 }
.floor { stroke-dasharray: 3 3; stroke-width: 1.5 }
.deno { stroke: #1a7f5a }
.node { stroke: #b35900 }
.bun { stroke: #6639ba }
.grid { stroke: #d1d9e0 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .axis, .note { fill: #9198a1 }
  .deno { stroke: #3fb98a }
  .node { stroke: #e3944a }
  .bun { stroke: #a98bf0 }
  .grid { stroke: #3d444d }
}
</style>`;

function legend(): string[] {
  const entries = RUNTIMES.map(([runtime, label]) => ({ label, style: `kubeloop ${runtime}` }));
  return [...entries, { label: "floor", style: "floor node" }].flatMap(({ label, style }, i) => {
    const x = i * 90;
    return [
      `<polyline class="${style}" points="${x},12 ${x + 20},12"/>`,
      text(x + 26, 16, "label", label),
    ];
  });
}

function drawn({ title }: Panel, lines: readonly Line[], index: number): string[] {
  const left = index * (PANEL_WIDTH + GAP);
  const points = lines.flatMap((line) => line.points);
  const [least, most] = extremes(points.map(({ value }) => value));
  const [few, many] = extremes(points.map(({ objects }) => objects));
  const x = (objects: number) => left + share(objects, few, many) * PANEL_WIDTH;
  const y = (value: number) => TOP + PLOT - share(value, least, most) * PLOT;
  const bottom = TOP + PLOT;
  const counts = [...new Set(points.map(({ objects }) => objects))];
  return [
    text(left, TOP - 14, "title", title),
    `<line class="grid" x1="${left}" y1="${bottom}" x2="${left + PANEL_WIDTH}" y2="${bottom}"/>`,
    ...powers(least, most).flatMap((value) => [
      `<line class="grid" x1="${left}" y1="${at(y(value))}" x2="${at(left + PANEL_WIDTH)}" y2="${
        at(y(value))
      }"/>`,
      text(left + 2, y(value) - 3, "axis", number(value)),
    ]),
    ...counts.map((count) => text(x(count), bottom + 14, "axis middle", short(count))),
    ...lines.map((line) => {
      const path = line.points.map(({ objects, value }) => `${at(x(objects))},${at(y(value))}`);
      return `<polyline class="${line.client} ${line.runtime}" points="${path.join(" ")}"/>`;
    }),
  ];
}

/** Returns the place of a value between two others on a logarithmic scale, from 0 to 1. */
function share(value: number, least: number, most: number): number {
  return most === least ? 0.5 : Math.log(value / least) / Math.log(most / least);
}

function extremes(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** Returns the values for grid lines: powers of ten, and their doubles and quintuples. */
function powers(least: number, most: number): number[] {
  const all = [-3, -2, -1, 0, 1, 2, 3, 4, 5].flatMap((power) =>
    [1, 2, 5].map((n) => n * 10 ** power)
  );
  return all.filter((value) => value >= least && value <= most);
}

function short(count: number): string {
  return count >= 1e6 ? `${count / 1e6}M` : `${count / 1e3}k`;
}

function at(place: number): string {
  return place.toFixed(1);
}

function text(x: number, y: number, style: string, content: string): string {
  const safe = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${at(x)}" y="${at(y)}" class="${style}">${safe}</text>`;
}

if (import.meta.main) {
  const [from = "docs/scale.json", to = "docs/scale.svg"] = Deno.args;
  await Deno.writeTextFile(to, scaleChart(JSON.parse(await Deno.readTextFile(from))));
}
