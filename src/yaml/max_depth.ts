/**
 * The maximum nesting of a value, also where aliases stand for more than they show. The parser of YAML needs less than two
 * thirds of the stack of Node for it.
 */
export const MAX_DEPTH = 1000;
