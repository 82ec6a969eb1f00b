import { describeValue } from "../../base/mod.ts";
import { showText } from "../config/mod.ts";

/** Describes `value` like {@linkcode describeValue}, but shows strings that do not look like secrets. */
export function showValue(value: unknown): string {
  return typeof value === "string" ? showText(value) : describeValue(value);
}
