import { isObject, type Json } from "./json.ts";

/** Formats a value as Go's `%v` does. */
export function goPrint(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goPrint).join(" ")}]`;
  if (!isObject(value)) return String(value);
  const members = Object.keys(value).sort().map((key) => `${key}:${goPrint(value[key] ?? null)}`);
  return `map[${members.join(" ")}]`;
}
