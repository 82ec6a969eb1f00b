import type { Json } from "@kubeloop/controller/internal/values";

/**
 * The maximum nesting depth of JSON in requests.
 *
 * Go accepts 10,000; the parser and later code recurse per level and must not overflow the stack.
 */
export const MAX_JSON_DEPTH = 500;

/** Reports whether a value is nested deeper than requests may be. Does not recurse, whatever the depth. */
export function isTooDeep(value: Json): boolean {
  let level: object[] = typeof value === "object" && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) return true;
    const next: object[] = [];
    for (const one of level) {
      for (const inner of Object.values(one)) {
        if (typeof inner === "object" && inner !== null) next.push(inner);
      }
    }
    level = next;
  }
  return false;
}
