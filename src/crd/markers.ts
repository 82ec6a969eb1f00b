/**
 * The keyword that marks what a library would leave out of the JSON Schema, or report without its path. The value says
 * what it is and, after a semicolon, what to use instead.
 */
export const UNSUPPORTED = "kubeloop:unsupported";

/** As {@linkcode UNSUPPORTED}, for checks in code, which a CEL rule can express. */
export const CODE_CHECK = "kubeloop:check";

/** The version of JSON Schema that libraries are asked for. */
export const TARGET = "draft-2020-12";

/** The flags of a regular expression that change what it matches. */
export const CHANGING_FLAGS: RegExp = /[imsv]/;

/** Returns what {@linkcode UNSUPPORTED} says about a regular expression with {@linkcode CHANGING_FLAGS}. */
export function flagsText(flags: string): string {
  return `a regular expression with the flags "${flags}"; the server matches without flags`;
}
