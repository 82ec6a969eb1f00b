/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";

/** A column of {@linkcode Table}. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Whether the column is hidden on narrow screens. */
  readonly isWide?: boolean;
  /** Whether the cells are numbers, which are aligned on the right. */
  readonly isNumber?: boolean;
}

/** The properties of {@linkcode Table}. */
export interface TableProps<Row> {
  /** The accessible name. */
  readonly caption: string;
  /** The columns; the first one names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The text in place of rows. */
  readonly empty: string;
}

/** A table of objects or keys, as `kubectl get` prints it. */
export function Table<Row>({ caption, columns, empty, keyOf, rows }: TableProps<Row>): VNode {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <table class="table">
      <caption class="vh">{caption}</caption>
      <thead>
        <tr>
          {columns.map((one) => <th key={one.name} scope="col" class={look(one)}>{one.name}</th>)}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column, index) =>
              index === 0
                ? <th key={column.name} scope="row">{column.cell(row)}</th>
                : <td key={column.name} class={look(column)}>{column.cell(row)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function look<Row>({ isNumber, isWide }: Column<Row>): string {
  return `${isWide === true ? "wide" : ""} ${isNumber === true ? "number" : ""}`.trim();
}
