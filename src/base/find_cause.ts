/** The maximum number of errors to look at. More are a cycle or an attack. */
const MAX_ERRORS = 100;

/**
 * Returns the first error that is wanted: `error` itself, its causes, or the errors of an `AggregateError`, as Go's
 * `errors.As` finds it. Returns undefined if none of the first hundred matches.
 */
export function findCause<E>(
  error: unknown,
  isWanted: (error: unknown) => error is E,
): E | undefined {
  const seen = new Set<unknown>();
  const rest: unknown[] = [error];
  while (rest.length > 0 && seen.size < MAX_ERRORS) {
    const current = rest.pop();
    if (seen.has(current)) continue;
    seen.add(current);
    if (isWanted(current)) return current;
    rest.push(...causesOf(current).reverse());
  }
  return undefined;
}

/** Returns the cause of an error and the errors that it combines. */
function causesOf(error: unknown): unknown[] {
  if (typeof error !== "object" || error === null) return [];
  try {
    const { cause, errors } = error as { readonly cause?: unknown; readonly errors?: unknown };
    return [cause, ...(Array.isArray(errors) ? errors.slice(0, MAX_ERRORS) : [])];
  } catch {
    // A getter that throws has no cause to tell.
    return [];
  }
}
