import { CODE_CHECK, UNSUPPORTED } from "./markers.ts";

/** Where TypeBox 0.34 keeps the functions of `Type.Transform()`: a symbol, which JSON does not have. */
const TRANSFORM = "TypeBox.Transform";

/**
 * Returns the mark of a schema of TypeBox that has functions, which TypeBox keeps where JSON does not show them:
 * `Type.Transform()`, `Type.Codec()` and `Type.Refine()`. Returns undefined if there are none.
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
