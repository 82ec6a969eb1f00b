import type { FieldError } from "../../values/mod.ts";

/** Maximum number of errors for the items of one list. */
export const MOST_ERRORS = 1000;

/** Returns the errors of the items, and stops after {@linkcode MOST_ERRORS}. */
export function firstErrors<T>(
  items: readonly T[],
  errorsOf: (item: T, index: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    for (const error of errorsOf(item, index)) errors.push(error);
    if (errors.length >= MOST_ERRORS) break;
  }
  return errors;
}
