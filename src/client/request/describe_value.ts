import { showText } from "../config/mod.ts";

/** Describes `value` for an error message. Strings are not shown, because they may be a whole object or a secret. */
export function describeValue(value: unknown): string {
  if (value === "") return '""';
  if (Array.isArray(value)) return "an array";
  switch (typeof value) {
    case "string":
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    case "object":
      return value === null ? "null" : "an object";
    default:
      return String(value);
  }
}

/** Describes `value` like {@linkcode describeValue}, but shows strings that do not look like secrets. */
export function showValue(value: unknown): string {
  return typeof value === "string" ? showText(value) : describeValue(value);
}
