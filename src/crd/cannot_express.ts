/**
 * Returns the error about a part of a schema that a CustomResourceDefinition has no word for.
 *
 * @param path The path of the part, as in `Widget.spec.size`.
 * @param what The keyword or the construct.
 * @param remedy What the server requires, or what to write instead.
 */
export function cannotExpress(path: string, what: string, remedy: string): TypeError {
  return new TypeError(`${path}: cannot express ${what} in a structural schema: ${remedy}`);
}
