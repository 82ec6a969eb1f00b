/** Compiles only if `A` and `B` are the same type. */
export function same<A, B>(
  _: (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : never,
): void {}
