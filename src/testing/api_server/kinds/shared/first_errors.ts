import type { FieldError } from "../../../values/mod.ts";

/** How many errors of the items of one list are collected. What comes then would not change that the object is refused. */
export const MOST_ERRORS = 1000;

/** Returns the errors of all items, or those of the first ones if there are as many as {@linkcode MOST_ERRORS}. */
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
