import { isRecord, showJson } from "@kubeloop/controller/internal/base";

/**
 * Returns a copy without fields that say nothing: undefined, null, 0, false, empty text, lists and maps. The API server
 * leaves most of them out of what it stores, so the copy of a status can be compared with the stored one.
 */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map((one) => withoutEmpty(one));
  }
  if (!isRecord(value)) return value || undefined;
  const kept = Object.entries(value)
    .map(([key, field]) => [key, withoutEmpty(field)] as const)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => a < b ? -1 : 1);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Reports whether two values are equal, apart from the order of their fields and from fields that say nothing. */
export function isSame(a: unknown, b: unknown): boolean {
  return showJson(withoutEmpty(a)) === showJson(withoutEmpty(b));
}
