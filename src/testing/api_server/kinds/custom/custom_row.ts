import type { CustomVersion, PrinterColumn } from "../../schema/mod.ts";
import {
  encodeJson,
  getString,
  humanAge,
  isNumber,
  type Json,
  type JsonObject,
  parseTime,
  type StructType,
} from "../../../values/mod.ts";
import { AGE_DATE, type Column, NAME } from "../shared/mod.ts";
import { compileJsonPath } from "./jsonpath.ts";

/** Returns the columns of a custom resource: its printer columns, or the age if it defines none. */
export function customColumns({ columns }: CustomVersion): readonly Column[] {
  if (columns === undefined) return [NAME, AGE_DATE];
  const named = columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
  return [NAME, ...named];
}

/** Returns the function that fills the cells of a custom resource's row. */
export function customRow(
  { columns, type }: CustomVersion,
): (object: JsonObject, nowMs: number) => Json[] {
  if (columns === undefined) {
    return (object, nowMs) => [
      getString(object, "metadata", "name"),
      humanAge(getString(object, "metadata", "creationTimestamp"), nowMs),
    ];
  }
  const cells = columns.map((column) => cellOf(column, type));
  return (object, nowMs) => [
    getString(object, "metadata", "name"),
    ...cells.map((cell) => cell(object, nowMs)),
  ];
}

function cellOf(
  { jsonPath, type }: PrinterColumn,
  root: StructType,
): (object: JsonObject, nowMs: number) => Json {
  const find = compileJsonPath(jsonPath);
  if (find === undefined) return () => null;
  return (object, nowMs) => {
    const [value] = find(object);
    if (value === undefined) return null;
    return type === "string" ? text(value, root) : typed(value, type, nowMs);
  };
}

function typed(value: Json, type: string, nowMs: number): Json {
  switch (type) {
    case "integer":
      return typeof value === "number"
        ? Math.trunc(value)
        : typeof value === "bigint"
        ? value
        : null;
    case "number":
      return isNumber(value) ? Number(value) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date": {
      if (typeof value !== "string") return null;
      if (value === "") return "<unknown>";
      const time = parseTime(value);
      return "error" in time ? "<invalid>" : humanAge(time.text, nowMs);
    }
    default:
      return null;
  }
}

function text(value: Json, type: StructType): string {
  if (value === null) return "<no value>";
  return typeof value === "object" ? encodeJson(value, type) : String(value);
}
