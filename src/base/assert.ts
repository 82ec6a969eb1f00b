/**
 * Asserts an invariant of the library. A failure is a bug in the library, never invalid input of the caller.
 *
 * @throws {Error} If `condition` is falsy.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}
