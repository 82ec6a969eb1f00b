import type { JsonObject } from "../../values/mod.ts";
import { internalJson } from "./internal_json.ts";
import { unifiedDiff } from "./unified_diff.ts";

/** Returns how a part of an object has changed, as the errors of the real server show it. `type` is its internal type. */
export function internalDiff(before: JsonObject, next: JsonObject, type: string): string {
  return unifiedDiff(internalJson(before, type), internalJson(next, type));
}
