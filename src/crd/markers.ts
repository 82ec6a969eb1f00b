/**
 * The keyword that marks a part of a schema that its library would drop from the JSON Schema, or report without a path. The
 * value names the part and, after a semicolon, the replacement.
 */
export const UNSUPPORTED = "kubeloop:unsupported";

/** Like {@linkcode UNSUPPORTED}, for checks in code, which a CEL rule can replace. */
export const CODE_CHECK = "kubeloop:check";

/** The version of JSON Schema that libraries convert to. */
export const TARGET = "draft-2020-12";

/** The flags of a regular expression that change its matches. */
export const CHANGING_FLAGS: RegExp = /[imsv]/;

/** Returns the value of {@linkcode UNSUPPORTED} for a regular expression with {@linkcode CHANGING_FLAGS}. */
export function flagsText(flags: string): string {
  return `a regular expression with the flags "${flags}"; the server matches without flags`;
}

/** The symbol under which TypeBox 0.34 keeps the functions of `Type.Transform()`. */
const TRANSFORM = "TypeBox.Transform";

/**
 * Returns the mark of a schema of TypeBox with functions, which JSON does not show: `Type.Transform()`, `Type.Codec()` and
 * `Type.Refine()`. Undefined for any other schema.
 */
export function typeBoxMark(schema: object): readonly [keyword: string, what: string] | undefined {
  const symbols = Object.getOwnPropertySymbols(schema);
  if (
    Object.hasOwn(schema, "~codec") || symbols.some(({ description }) => description === TRANSFORM)
  ) {
    return [UNSUPPORTED, "a codec or a transform; the server cannot change values"];
  }
  return Object.hasOwn(schema, "~refine") ? [CODE_CHECK, "a refinement"] : undefined;
}
