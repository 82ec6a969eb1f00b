import type { ColumnName } from "../row.ts";

/** Reasons why a column does not apply to a row. */
export const NO_FUNCTION = { function: "takes no function" } as const;
export const NO_FIELD = { field: "writes what it is given, no more" } as const;
export const NO_WRITE = { field: "writes nothing" } as const;
export const NO_OBJECT = { recreated: "has no object of its own" } as const;
export const NO_SIGNAL = { abort: "takes no signal" } as const;

export const NO_CLOCK = { clock: "does not look at the wall time" } as const;

/** The columns of what comes from a server. */
export const NO_SERVER = because("sends no requests", [
  "close",
  "silence",
  "half",
  "bytes",
  "503",
  "410",
  "hostile",
  "recreated",
  "rights",
  "field",
  "forgotten",
]);

/** Returns the same reason for several columns. */
export function because(
  reason: string,
  columns: readonly ColumnName[],
): Partial<Record<ColumnName, string>> {
  return Object.fromEntries(columns.map((column) => [column, reason]));
}
