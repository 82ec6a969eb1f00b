/** Reports whether `actual` contains every field of `wanted`. List items that have a `type` are matched by it. */
export function covers(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual)) return false;
    if (wanted.some((one) => one?.type !== undefined)) {
      return wanted.every((one) => covers(actual.find(({ type }) => type === one.type), one));
    }
    return actual.length === wanted.length && wanted.every((one, i) => covers(actual[i], one));
  }
  if (typeof wanted !== "object" || wanted === null) {
    return Object.is(actual ?? null, wanted ?? null);
  }
  if (typeof actual !== "object" || actual === null) return false;
  return Object.entries(wanted).every(([key, value]) =>
    covers((actual as Record<string, unknown>)[key], value)
  );
}
