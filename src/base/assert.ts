/**
 * Throws when an invariant of the library does not hold: a bug of ours, never of the caller's input.
 *
 * @throws {Error} When `condition` is falsy.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}
