/**
 * The maximum nesting of a value, with aliases expanded. The parser of YAML needs less than two
 * thirds of the stack of Node for it.
 */
export const MAX_DEPTH = 1000;
