/**
 * Draws the result of the bench as a bar chart: `chart.ts RUN.json PICTURE.svg`. The picture is plain SVG that is
 * readable on light and dark pages.
 *
 * @module
 */

import { number } from "./report.ts";
import { type BenchResult, find, GO, label, valuesOf } from "./results.ts";
import { spread } from "./stats.ts";

/** A group of bars: one figure of several clients, on one scale. */
export interface Group {
  readonly title: string;
  readonly case: string;
  readonly figure: string;
  readonly unit: string;
}

/** A bar. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Whether the client is kubeloop. */
  readonly isOurs: boolean;
}

const GROUPS: readonly Group[] = [
  { title: "CPU per event of a flood, cold", case: "flood", figure: "cpuUs", unit: "µs" },
  { title: "CPU per event of a flood, warm", case: "flood", figure: "warmUs", unit: "µs" },
  { title: "CPU of a sync of 10,000 Pods", case: "sync", figure: "cpuMs", unit: "ms" },
  { title: "Memory after GC, 10,000 Pods", case: "sync", figure: "memoryMiB", unit: "MiB" },
  { title: "Peak RSS in a flood", case: "flood", figure: "peakMiB", unit: "MiB" },
  { title: "Import", case: "import", figure: "wallMs", unit: "ms" },
];

/** kubeloop comes first. Its handlers need keys only, as those of a Controller do, or objects. */
const CLIENTS = ["kubeloop", "kubeloop-objects", "floor", "client-node"];
const GO_CLIENTS = ["client-go-protobuf", "client-go-json"];
const RUNTIMES = { deno: "Deno", node: "Node 24", bun: "Bun" };

const WIDTH = 760;
const LABEL_WIDTH = 210;
const VALUE_WIDTH = 80;
const ROW = 16;
const BAR = 12;
const TITLE = 34;

/** Returns the bars of all measured clients of a group. */
export function barsOf(run: BenchResult, { case: name, figure }: Group): Bar[] {
  const results = run.cases.find((one) => one.name === name)?.results ?? [];
  const bars = [
    ...Object.entries(RUNTIMES).flatMap(([runtime, on]) =>
      CLIENTS.map((client) => ({ client, runtime, label: `${label(client)} · ${on}` }))
    ),
    ...GO_CLIENTS.map((client) => ({ client, runtime: GO, label: label(client) })),
  ];
  return bars.map(({ client, runtime, label }) => ({
    label,
    value: spread(valuesOf(find(results, client, runtime), figure)).median,
    isOurs: client.startsWith("kubeloop"),
  })).filter(({ value }) => Number.isFinite(value));
}

/** Returns the chart as SVG. */
export function chart(run: BenchResult): string {
  const groups = GROUPS.map((group) => ({ group, bars: barsOf(run, group) }))
    .filter(({ bars }) => bars.length > 0);
  const parts: string[] = [];
  let top = 0;
  for (const { group, bars } of groups) {
    parts.push(text(0, top + 22, "title", `${group.title}, ${group.unit} (less is better)`));
    top += TITLE;
    const most = Math.max(...bars.map(({ value }) => value));
    for (const bar of bars) {
      parts.push(...row(bar, { top, most }));
      top += ROW;
    }
  }
  const { facts } = run;
  top += TITLE;
  parts.push(text(0, top - 12, "note", `${facts.date}, ${facts.cores} cores of ${facts.cpu}`));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" role="img" aria-label="kubeloop beside other clients">`,
    STYLE,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

const STYLE = `<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 14px }
.label { text-anchor: end }
.note { fill: #59636e }
rect { fill: #9aa4af }
.ours { fill: #1a7f5a }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .note { fill: #9198a1 }
  rect { fill: #6e7781 }
  .ours { fill: #3fb98a }
}
</style>`;

function row({ label, value, isOurs }: Bar, at: { top: number; most: number }): string[] {
  const room = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const width = Math.max(1, value / at.most * room);
  const middle = at.top + BAR / 2 + 4;
  return [
    text(LABEL_WIDTH - 8, middle, "label", label),
    `<rect x="${LABEL_WIDTH}" y="${at.top}" width="${width.toFixed(1)}" height="${BAR}" rx="2"${
      isOurs ? ' class="ours"' : ""
    }/>`,
    text(Math.round(LABEL_WIDTH + width + 6), middle, "value", number(value)),
  ];
}

function text(x: number, y: number, style: string, content: string): string {
  const safe = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x}" y="${y}" class="${style}">${safe}</text>`;
}

if (import.meta.main) {
  const [from = "docs/bench.json", to = "docs/bench.svg"] = Deno.args;
  await Deno.writeTextFile(to, chart(JSON.parse(await Deno.readTextFile(from))));
}
