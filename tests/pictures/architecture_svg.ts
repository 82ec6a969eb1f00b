/**
 * Draws `docs/architecture.svg`: the way of a change, and below it the packages and their rooms, with the imports of the code.
 *
 * @module
 */

import { cornerOf, FLOW_BOX, FLOW_BOXES, FLOW_HEIGHT, flowArrows } from "./flow.ts";
import { layersOf, type Place, reduced } from "./layers.ts";
import { GROUND, type PackageName, type PackageRooms } from "./rooms.ts";

const WIDTH = 1010;
const MARGIN = 15;
const LINE = 14;
const GAP = 10;
/** The height of the arrows between two layers. */
const BETWEEN = 44;
const PANEL_TITLE = 30;
const PANEL_BOTTOM = 12;
/** The width of the panels on the left. */
const SIDE = 216;
const PANEL_GAP = 14;
/** The width of the small text of a box that is not made wider, in characters. */
const NOTE_COLUMNS = 25;
/** The width of a character of the small text. */
const NOTE_CHARACTER = 6;
/** The maximum width that is added to a box. */
const MAX_ADDED = 190;
/** The width of the gap for an arrow that passes a layer. */
const PASS = 10;

const STYLE = `
.page{fill:#fff}text{font-family:system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;text-anchor:middle;fill:#1f2328}
.h{font-size:15px;font-weight:600;text-anchor:start}.hn{font-size:12.5px;font-weight:400;text-anchor:start}
.t{font-size:15px;font-weight:600}.n{font-size:13.5px;font-weight:600}.s,.l{font-size:12px;fill:#57606a}.w{font-weight:400}.k{font-size:11.5px;fill:#57606a}
.panel{fill:#f6f8fa;stroke:#d0d7de}.box{fill:#eef4ff;stroke:#3b6fc4;stroke-width:1.3}
.yours{fill:#fff4e0;stroke:#b87514}.server{fill:#eee;stroke:#666}.tests{fill:#eef8f0;stroke:#2f8f4e}.kubectl{fill:#f6effc;stroke:#8250c4}
.a{fill:none;stroke:#333;stroke-width:1.5}.dash{stroke-dasharray:5 4}.i{fill:none;stroke:#8c959f;stroke-width:1.3}
.big{fill:none;stroke:#8c959f;stroke-width:4}#h path{fill:#333}#g path,#b path{fill:#8c959f}
@media(prefers-color-scheme:dark){
.page{fill:#0d1117}text{fill:#f0f3f6}.s,.l,.k{fill:#b6bec8}
.panel{fill:#161b22;stroke:#30363d}.box{fill:#14233d;stroke:#6ea0f0}
.yours{fill:#3a2a0c;stroke:#e0a33c}.server{fill:#24282e;stroke:#9aa0a6}.tests{fill:#10291a;stroke:#56b877}.kubectl{fill:#2a1d40;stroke:#b18cf0}
.a{stroke:#c3c9d0}.i,.big{stroke:#7d8590}#h path{fill:#c3c9d0}#g path,#b path{fill:#7d8590}}`;

/** The purpose of each package. */
const ABOUT: Readonly<Record<PackageName, string>> = {
  controller: "the library",
  kubectl: "the command",
  testing: "the cluster in a process, and simulation",
  create: "new projects",
};

/** Returns the picture. */
export function architectureSvg(packages: ReadonlyMap<PackageName, PackageRooms>): string {
  const inner = WIDTH - 2 * MARGIN;
  const flow = drawFlow(MARGIN, MARGIN + 24);
  const top = MARGIN + 24 + FLOW_HEIGHT + 28;
  const create = drawPackage("create", packages, { x: MARGIN, y: top, width: SIDE });
  const kubectl = drawPackage("kubectl", packages, {
    x: MARGIN,
    y: top + create.height + PANEL_GAP,
    width: SIDE,
  });
  const right = MARGIN + SIDE + PANEL_GAP;
  const testing = drawPackage("testing", packages, {
    x: right,
    y: top,
    width: WIDTH - MARGIN - right,
  });
  const height = Math.max(testing.height, create.height + PANEL_GAP + kubectl.height);
  const middle = top + height + 40;
  const library = drawPackage("controller", packages, { x: MARGIN, y: middle, width: inner });
  const ground = middle + library.height + 10;
  const bottom = ground + 46;
  const from = right + (WIDTH - MARGIN - right) / 2;
  const rise = [
    [MARGIN + SIDE / 2, create.height + PANEL_GAP + kubectl.height],
    [from, testing.height],
  ].map(([x, end]) =>
    `<path class="big" d="M${x} ${top + end!}V${middle - 12}" marker-end="url(#b)"/>`
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${
    bottom + MARGIN
  }" viewBox="0 0 ${WIDTH} ${bottom + MARGIN}" role="img" aria-labelledby="t d">
<title id="t">The architecture of kubeloop</title>
<desc id="d">${escaped(description(packages))}</desc>
<style>${STYLE}</style>
<defs>${arrowHead("h", 8)}${arrowHead("g", 6)}${arrowHead("b", 3)}</defs>
<rect class="page" width="${WIDTH}" height="${bottom + MARGIN}"/>
<text class="h" x="${MARGIN}" y="${MARGIN + 8}">A change, from the server to its reconcile</text>
${flow}
${rise.join("")}<text class="l" x="${from + 120}" y="${
    top + height + 24
  }">by the entry points of the library</text>
${kubectl.svg}${create.svg}${testing.svg}${library.svg}
<rect class="box" x="${MARGIN}" y="${ground}" width="${inner}" height="36" rx="6"/>
<text class="n" x="${WIDTH / 2}" y="${ground + 23}">${
    GROUND.join(" · ")
  }<tspan class="s w" dx="12">${"imported by nearly all rooms"}</tspan></text>
</svg>
`;
}

function arrowHead(id: string, size: number): string {
  return `<marker id="${id}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="${size}" markerHeight="${size}" orient="auto"><path d="M0 0L10 5L0 10z"/></marker>`;
}

function drawFlow(left: number, top: number): string {
  const boxes = FLOW_BOXES.map(({ column, note, room, row, title }) => {
    const { x, y } = cornerOf({ column, row });
    const middle = x + FLOW_BOX.width / 2;
    const isYours = note === "yours";
    const kind = isYours ? " yours" : room === undefined ? " server" : "";
    const texts = room === undefined
      ? [["t", title, 31], ["s", note, 51]] as const
      : [["t", title, 25], ["s", note, 42], ["k", room, 58]] as const;
    return `<rect class="box${kind}" x="${x}" y="${y}" width="${FLOW_BOX.width}" height="${FLOW_BOX.height}" rx="8"/>` +
      texts.map(([name, text, down]) =>
        `<text class="${name}" x="${middle}" y="${y + down}">${escaped(text)}</text>`
      ).join("");
  });
  const arrows = flowArrows().map(({ isDashed, label, path }) =>
    `<path class="a${isDashed ? " dash" : ""}" d="${path}" marker-end="url(#h)"/>` +
    (label === undefined
      ? ""
      : `<text class="l" x="${label[1]}" y="${label[2]}">${label[0]}</text>`)
  );
  return `<g transform="translate(${left} ${top})">\n${[...boxes, ...arrows].join("\n")}\n</g>`;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

interface Box extends Area {
  readonly place: Place;
  readonly height: number;
  readonly notes: readonly string[];
}

function drawPackage(
  name: PackageName,
  packages: ReadonlyMap<PackageName, PackageRooms>,
  { x, y, width }: Area,
): { svg: string; height: number } {
  const rooms = packages.get(name)!;
  const layers = layersOf(reduced(rooms.graph));
  const boxes: Box[][] = [];
  let down = y + PANEL_TITLE + (width === SIDE ? 17 : 0);
  for (const layer of layers) {
    const row = boxesOf(layer, rooms, { x: x + 12, y: down, width: width - 24 });
    boxes.push(row);
    down += Math.max(...row.map(({ height }) => height)) + BETWEEN;
  }
  const height = down - BETWEEN - y + PANEL_BOTTOM;
  const title = `<text class="h" x="${x + 12}" y="${y + 20}">@kubeloop/${name}` +
    (width === SIDE
      ? `</text><text class="hn s" x="${x + 12}" y="${y + 37}">${ABOUT[name]}</text>`
      : `<tspan class="hn s" dx="8">${ABOUT[name]}</tspan></text>`);
  const tone = name === "testing" ? " tests" : name === "controller" ? "" : " kubectl";
  const drawn = boxes.flat().filter(({ place }) => place.node !== undefined).map((box) =>
    drawBox(box, name, tone)
  );
  return {
    svg: `<rect class="panel" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>${title}
${drawArrows(boxes).join("\n")}
${drawn.join("\n")}
`,
    height,
  };
}

/** Returns the boxes of a layer, side by side over the width of the area. */
function boxesOf(layer: readonly Place[], rooms: PackageRooms, { x, y, width }: Area): Box[] {
  const least = layer.map(({ node }) => {
    if (node === undefined) return PASS;
    const longest = Math.max(0, ...notesOf(node, rooms, NOTE_COLUMNS).map((one) => one.length));
    return Math.max(20 + nameOf(node).length * 8, 16 + longest * NOTE_CHARACTER);
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const rest = width - sum(least) - (layer.length - 1) * GAP;
  const isNode = ({ node }: Place) => node !== undefined;
  const added = Math.min(MAX_ADDED, rest / layer.filter(isNode).length);
  const widths = least.map((one, index) => isNode(layer[index]!) ? one + added : one);
  const gap = (width - sum(widths)) / (layer.length + 1);
  const isFull = gap < GAP;
  let left = isFull ? x : x + gap;
  return layer.map((place, index) => {
    const own = widths[index]!;
    const columns = Math.floor((own - 10) / NOTE_CHARACTER);
    const notes = place.node === undefined ? [] : notesOf(place.node, rooms, columns);
    const box = { place, notes, x: left, y, width: own, height: 30 + notes.length * LINE };
    left += own + (isFull ? GAP : gap);
    return box;
  });
}

/** Returns the small text of a box: the rooms inside, and what it imports of the library. */
function notesOf(node: string, { inner, library }: PackageRooms, columns: number): string[] {
  const imported = library.get(node) ?? [];
  return [
    ...wrapped(inner.get(node) ?? [], " · ", columns),
    ...wrapped(imported.map((name, index) => index === 0 ? `uses ${name}` : name), ", ", columns),
  ];
}

function wrapped(words: readonly string[], separator: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last}${separator}${word}`;
    if (last !== undefined && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function nameOf(node: string): string {
  return node.split("/").at(-1)!;
}

function drawBox({ height, notes, place, width, x, y }: Box, owner: string, tone: string): string {
  const middle = round(x + width / 2);
  const name = place.node === owner && owner !== "controller" ? "mod.ts" : nameOf(place.node!);
  return `<rect class="box${tone}" x="${round(x)}" y="${y}" width="${
    round(width)
  }" height="${height}" rx="6"/>` +
    `<text class="n" x="${middle}" y="${y + 20}">${name}</text>` +
    notes.map((note, index) =>
      `<text class="k" x="${middle}" y="${y + 35 + index * LINE}">${escaped(note)}</text>`
    ).join("");
}

/** Returns the arrows between the layers. They leave and reach the boxes side by side. */
function drawArrows(layers: readonly (readonly Box[])[]): string[] {
  return layers.flatMap((layer, index) => {
    const next = layers[index + 1] ?? [];
    const foot = Math.max(...layer.map(({ height, y }) => y + height));
    return layer.flatMap((box, from) => {
      const targets = box.place.down.toSorted((a, b) => a - b);
      return targets.map((to, order) => {
        const target = next[to]!;
        const sources = [...layer.keys()].filter((one) => layer[one]!.place.down.includes(to));
        const x1 = round(port(box, order, targets.length));
        const x2 = round(port(target, sources.indexOf(from), sources.length));
        const isPassed = target.place.node === undefined;
        const start = box.place.node === undefined ? box.y : box.y + box.height;
        const end = isPassed ? target.y : target.y - 3;
        const half = (foot + target.y) / 2;
        const line = start === foot ? `M${x1} ${start}` : `M${x1} ${start}V${foot}`;
        return `<path class="i" d="${line}C${x1} ${half} ${x2} ${half} ${x2} ${end}"${
          isPassed ? "" : ' marker-end="url(#g)"'
        }/>`;
      });
    });
  });
}

/** Returns where one of `count` arrows is joined to a box. */
function port({ width, x }: Box, index: number, count: number): number {
  const step = Math.min(16, width / (count + 1));
  return x + width / 2 + (index - (count - 1) / 2) * step;
}

function description(packages: ReadonlyMap<PackageName, PackageRooms>): string {
  const parts = FLOW_BOXES.map(({ title }) => title).join(", ");
  const lists = [...packages].map(([name, { graph }]) =>
    `@kubeloop/${name}: ${[...graph.keys()].sort().map(nameOf).join(", ")}.`
  );
  return `A change passes ${parts}. reconcile() reads the Indexer and writes through the Client. ` +
    `The rooms of the packages: ${lists.join(" ")}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
