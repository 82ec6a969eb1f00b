/**
 * Returns the error of a part of a schema that a CustomResourceDefinition cannot express.
 *
 * @param path The path of the part, such as `Widget.spec.size`.
 * @param what The keyword or the construct.
 * @param remedy The requirement of the server, or the replacement.
 */
export function cannotExpress(path: string, what: string, remedy: string): TypeError {
  return new TypeError(`${path}: cannot express ${what} in a structural schema: ${remedy}`);
}
