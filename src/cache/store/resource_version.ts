/**
 * The resource version of `obj`, empty when it has metadata without one; undefined when it has no metadata, as
 * tombstones and things that are no API objects have not.
 */
export function resourceVersionOf(obj: unknown): string | undefined {
  if (typeof obj !== "object" || obj === null) return undefined;
  const { metadata } = obj as { metadata?: { resourceVersion?: unknown } | null };
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const { resourceVersion } = metadata;
  return typeof resourceVersion === "string" ? resourceVersion : "";
}
