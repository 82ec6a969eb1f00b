import { isRecord } from "../../base/mod.ts";

/** Formats a JSON value with sorted fields, so that equal values have equal texts. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "undefined";
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`).join()}}`;
}
