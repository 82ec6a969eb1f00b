/**
 * Draws the output of a command as it appears in a terminal: one SVG file without scripts and outside references, for `<img>`.
 * It follows the colour scheme of the reader, and moves only for readers who have not asked for reduced motion.
 *
 * @module
 */

import { COLORS } from "../../src/kubectl/cli/terminal/paint.ts";

/** A command and its output. */
export interface TerminalPicture {
  /** The title of the picture, for screen readers. */
  readonly title: string;
  /** A summary of the output, for screen readers. */
  readonly description: string;
  readonly command: string;
  /** The output, with the colour sequences of the commands. */
  readonly output: string;
}

/** The width of the terminal, in characters. */
const COLUMNS = 104;
const ROW = 18;
const MARGIN = 16;
const TITLE_BAR = 34;
/** The width of a character of the monospaced font. */
const CHARACTER = 7.8;
const WIDTH = Math.ceil(COLUMNS * CHARACTER) + 2 * MARGIN;
const TYPED_PER_SECOND = 28;
/** The pause between the command and its output, in seconds. */
const THINKING = 0.6;
const ROWS_PER_SECOND = 5;

/** The classes of the colours of a `Paint`. */
const CLASSES: Readonly<Record<string, string>> = { 1: "b", 2: "f", 31: "r", 32: "g", 33: "y" };

const STYLE = `
.page{fill:#fff;stroke:#d0d7de}.bar{fill:#f6f8fa}.dot{fill:#d0d7de}
text{white-space:pre;font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328}
.b{font-weight:700}.f{fill:#656d76}.r{fill:#c4232d}.g{fill:#1a7f37}.y{fill:#8a6100}.cover{fill:#fff}
@media(prefers-color-scheme:dark){
.page{fill:#0d1117;stroke:#30363d}.bar{fill:#161b22}.dot{fill:#30363d}text{fill:#e6edf3}
.f{fill:#8d96a0}.r{fill:#ff7b72}.g{fill:#56d364}.y{fill:#e3b341}.cover{fill:#0d1117}}`;

/** Returns the picture. */
export function terminalSvg({ command, description, output, title }: TerminalPicture): string {
  const lines = output.trimEnd().split("\n").map(rowsOf);
  const count = lines.reduce((sum, rows) => sum + rows.length, 1);
  const height = TITLE_BAR + count * ROW + 2 * MARGIN;
  const top = TITLE_BAR + MARGIN;
  let row = 1;
  const texts = lines.map((rows) => {
    const x = MARGIN + hangingIndent(rows[0]![0]?.text ?? "") * CHARACTER;
    const tspans = rows.map((segments, index) => {
      const place = index === 0 ? "" : ` x="${x.toFixed(0)}" dy="${ROW}"`;
      return place === "" && segments.length === 1 && segments[0]!.class === ""
        ? escaped(segments[0]!.text)
        : `<tspan${place}>${segments.map(painted).join("")}</tspan>`;
    });
    const text = `<text x="${MARGIN}" y="${top + row * ROW + 13}">${tspans.join("")}</text>`;
    row += rows.length;
    return text;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="t d">
<title id="t">${escaped(title)}</title>
<desc id="d">${escaped(description)}</desc>
<style>${STYLE}
${motion(command.length + 2, count)}</style>
<rect class="page" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<path class="bar" d="M1 ${TITLE_BAR}V9a8 8 0 0 1 8-8H${WIDTH - 9}a8 8 0 0 1 8 8V${TITLE_BAR}z"/>
${[18, 36, 54].map((x) => `<circle class="dot" cx="${x}" cy="17" r="5.5"/>`).join("")}
<text class="command" x="${MARGIN}" y="${top + 13}"><tspan class="g">$</tspan> ${
    escaped(command)
  }</text>
${texts.join("\n")}
<svg x="2" y="${TITLE_BAR}" width="${WIDTH - 4}" height="${height - TITLE_BAR - 4}">
<rect class="cover typed" x="${MARGIN + 2 * CHARACTER - 2}" y="${
    MARGIN - 2
  }" width="${WIDTH}" height="${ROW}"/>
<rect class="cover rows" y="${MARGIN + ROW - 2}" width="${WIDTH}" height="${height}"/>
</svg>
</svg>
`;
}

/** Returns the lines of text in a picture: the command after its prompt, and the output without colours. */
export function textLines(svg: string): string[] {
  return [...svg.matchAll(/<text\b[^>]*>(.*?)<\/text>/g)].map(([, text = ""]) =>
    text.replace(/<[^>]*>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&")
  );
}

/** Returns what {@linkcode textLines} finds in the picture of an output. */
export function expectedLines({ command, output }: TerminalPicture): string[] {
  return [`$ ${command}`, ...output.trimEnd().split("\n").map(withoutColors)];
}

interface Segment {
  readonly class: string;
  readonly text: string;
}

/** Returns the indent of the further rows of a line. */
function hangingIndent(line: string): number {
  return line.length - line.trimStart().length + 2;
}

/** Returns the rows of a line: it is broken before a word, or at the width of the terminal. */
function rowsOf(line: string): Segment[][] {
  const rows: Segment[][] = [];
  let style = "";
  let row: Segment[] = [];
  let breaks = rowBreaks(withoutColors(line));
  let column = 0;
  for (const [index, part] of line.split(COLORS).entries()) {
    if (index % 2 === 1) {
      style = CLASSES[part.slice(2, -1)] ?? "";
      continue;
    }
    let left = part;
    while (left !== "") {
      const room = (breaks[0] ?? Infinity) - column;
      const text = left.slice(0, room);
      row.push({ class: style, text });
      column += text.length;
      left = left.slice(text.length);
      if (column !== breaks[0]) continue;
      rows.push(row);
      row = [];
      breaks = breaks.slice(1);
    }
  }
  return [...rows, row];
}

/** Returns the columns at which a line is broken into rows. */
function rowBreaks(line: string): number[] {
  const breaks: number[] = [];
  for (let start = 0, room = COLUMNS; line.length - start > room;) {
    const space = line.lastIndexOf(" ", start + room) + 1;
    start = space > start + room / 2 ? space : start + room;
    room = COLUMNS - hangingIndent(line);
    breaks.push(start);
  }
  return breaks;
}

function withoutColors(line: string): string {
  return line.split(COLORS).filter((_, index) => index % 2 === 0).join("");
}

function painted({ class: name, text }: Segment): string {
  return name === "" ? escaped(text) : `<tspan class="${name}">${escaped(text)}</tspan>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * Returns the animation: covers move off the command and its output, once. Without it, nothing is covered.
 */
function motion(typed: number, rows: number): string {
  const typing = typed / TYPED_PER_SECOND;
  const writing = rows / ROWS_PER_SECOND;
  const seconds = (time: number) => `${time.toFixed(1)}s`;
  return `.cover{display:none}
@media(prefers-reduced-motion:no-preference){
.cover{display:inline}
.typed{animation:type ${seconds(typing)} steps(${typed},end) both}
.rows{animation:rows ${seconds(writing)} steps(${rows - 1},end) ${seconds(typing + THINKING)} both}
@keyframes type{to{transform:translateX(${Math.ceil(typed * CHARACTER)}px);visibility:hidden}}
@keyframes rows{to{transform:translateY(${(rows - 1) * ROW}px);visibility:hidden}}}`;
}
