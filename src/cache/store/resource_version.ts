/**
 * Returns the resource version of `obj`: the empty string if its metadata has none, undefined if `obj` has no metadata,
 * as tombstones and values that are not API objects do not.
 */
export function resourceVersionOf(obj: unknown): string | undefined {
  if (typeof obj !== "object" || obj === null) return undefined;
  const { metadata } = obj as { metadata?: { resourceVersion?: unknown } | null };
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const { resourceVersion } = metadata;
  return typeof resourceVersion === "string" ? resourceVersion : "";
}
