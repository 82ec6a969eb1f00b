import { visibleText } from "@kubeloop/controller/internal/base";
import type { Paint } from "./paint.ts";
import { textWidth } from "./text_width.ts";

/** The maximum length of a cell, in characters. */
const MAX_CELL = 1000;

/** The maximum width of a column, in terminal columns. A wider cell shifts only the rest of its own row. */
const MAX_ALIGNED = 80;

const GAP = "   ";

/**
 * Lays out the rows of a table, some at a time, so that a long table is never in memory as a whole. Columns grow with their
 * widest cell so far. Rows are not cut to the width of the terminal, so that names can be copied.
 */
export class TableWriter {
  readonly #paint: Paint;
  readonly #widths: number[] = [];
  #header: readonly string[] | undefined;

  /**
   * Creates the writer of a table.
   *
   * @param header The names of the columns, which are written before the first rows.
   * @param paint Colours the cells.
   */
  constructor(header: readonly string[], paint: Paint) {
    this.#header = header;
    this.#paint = paint;
  }

  /** Returns the text of the next rows. */
  rows(rows: readonly (readonly string[])[]): string {
    const header = this.#header?.map(shown);
    const shownRows = rows.map((row) => row.map(shown));
    for (const row of header === undefined ? shownRows : [header, ...shownRows]) {
      row.forEach((cell, index) => {
        const width = Math.min(textWidth(cell), MAX_ALIGNED);
        this.#widths[index] = Math.max(this.#widths[index] ?? 0, width);
      });
    }
    this.#header = undefined;
    const { bold, status } = this.#paint;
    const lines = shownRows.map((row) => this.#line(row, status));
    if (header !== undefined) lines.unshift(this.#line(header, bold));
    return lines.join("");
  }

  #line(row: readonly string[], paint: (text: string) => string): string {
    const cells = row.map((cell, index) => {
      if (index === row.length - 1) return paint(cell);
      const space = Math.max(0, (this.#widths[index] as number) - textWidth(cell));
      return paint(cell) + " ".repeat(space);
    });
    return `${cells.join(GAP).trimEnd()}\n`;
  }
}

function shown(cell: string): string {
  return visibleText(cell, MAX_CELL);
}
