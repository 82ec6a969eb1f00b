import type { Redact } from "@kubeloop/controller/internal/base";
import type { DiscoveredResource } from "@kubeloop/controller/client";
import type { Column, TablePage, TableRow } from "./tables/mod.ts";
import { objectName } from "./targets.ts";
import { type Paint, TableWriter } from "./terminal/mod.ts";

/** Options of an {@linkcode ObjectTable}. */
export interface ObjectTableOptions {
  /** Whether to show the columns of `-o wide`. */
  readonly isWide: boolean;
  /** Whether to add a column with the namespace. */
  readonly hasNamespaces: boolean;
  /** Whether the objects are of several resources, so that their names include the resource. */
  readonly isMixed: boolean;
  readonly paint: Paint;
  /** Hides credentials in the names of columns, before they are changed to capitals. */
  readonly redact: Redact;
}

/** Lays out the objects of one resource in the columns of the server. */
export class ObjectTable {
  readonly #options: ObjectTableOptions;
  #writer: TableWriter | undefined;
  /** The indexes of the shown columns. */
  #shown: readonly number[] = [];
  #nameAt = -1;
  #header = "";

  constructor(options: ObjectTableOptions) {
    this.#options = options;
  }

  /**
   * Returns the text of the next rows, with a header if the columns are new.
   *
   * @param more Additional cells before the columns of the server: the header, and the cells of each row.
   */
  page(
    { columns, rows }: Pick<TablePage, "columns" | "rows">,
    resource: DiscoveredResource,
    more: { readonly header: readonly string[]; readonly cells: readonly string[] } = NO_MORE,
  ): string {
    if (columns !== undefined) this.#take(columns, more.header);
    const writer = this.#writer ??= new TableWriter(more.header, this.#options.paint);
    return writer.rows(rows.map((row) => [...more.cells, ...this.#cells(row, resource)]));
  }

  #take(columns: readonly Column[], more: readonly string[]): void {
    const { hasNamespaces, isWide, paint, redact } = this.#options;
    const shown = [...columns.keys()].filter((at) => isWide || columns[at]!.priority === 0);
    const titles = shown.map((at) => redact(columns[at]!.name).toUpperCase());
    const header = [...more, ...(hasNamespaces ? ["NAMESPACE"] : []), ...titles];
    if (header.join("\n") === this.#header) return;
    this.#header = header.join("\n");
    this.#shown = shown;
    this.#nameAt = columns.findIndex(({ name }) => name.toLowerCase() === "name");
    this.#writer = new TableWriter(header, paint);
  }

  #cells({ cells, metadata }: TableRow, resource: DiscoveredResource): string[] {
    const { hasNamespaces, isMixed } = this.#options;
    const own = this.#shown.map((at) => {
      const cell = cells[at] ?? "";
      return isMixed && at === this.#nameAt ? objectName(resource, cell) : cell;
    });
    return hasNamespaces ? [metadata.namespace ?? "", ...own] : own;
  }
}

const NO_MORE = { header: [], cells: [] };
