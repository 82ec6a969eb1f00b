import type { JsonPatchOperation } from "../client/mod.ts";
import { Differ, pairByIndex } from "../fields/mod.ts";

/**
 * Returns the JSON patch (RFC 6902) that turns one JSON value into another: `add`, `remove` and `replace` of the values
 * that differ. Values below 200 levels are replaced as a whole.
 *
 * @param before The value before the patch.
 * @param after The value after the patch.
 * @returns The operations; empty if the values are equal.
 *
 * @example
 * ```ts
 * import { jsonPatchOf } from "@kubeloop/controller/webhooks";
 * import { assertEquals } from "@std/assert";
 *
 * const before = { metadata: { name: "a" }, spec: { size: 1 } };
 * const after = { metadata: { name: "a", labels: { "acme.io/tier": "x" } }, spec: { size: 2 } };
 * assertEquals(jsonPatchOf(before, after), [
 *   { op: "add", path: "/metadata/labels", value: { "acme.io/tier": "x" } },
 *   { op: "replace", path: "/spec/size", value: 2 },
 * ]);
 * ```
 */
export function jsonPatchOf(before: unknown, after: unknown): JsonPatchOperation[] {
  const patch: JsonPatchOperation[] = [];
  new Differ({ pairItems }, (steps, old, value) => {
    const path = steps.map((element) => `/${escaped(element.slice(2))}`).join("");
    if (value === undefined) patch.push({ op: "remove", path });
    else patch.push({ op: old === undefined ? "add" : "replace", path, value });
  }).compare(before, after);
  return patch;
}

/** Pairs items from the last to the first if some are removed, because each removal moves the items behind it. */
function pairItems(before: readonly unknown[], after: readonly unknown[]) {
  const paired = pairByIndex(before, after);
  const isShorter = after.length < before.length;
  return isShorter ? { ...paired, pairs: paired.pairs.toReversed() } : paired;
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
