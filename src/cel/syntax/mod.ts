/**
 * Syntax of CEL: lexer, parser, macros, and the error texts with their places.
 *
 * Source text enters; a syntax tree leaves. Imports `values`.
 *
 * @module
 */

export {
  ACCUMULATOR,
  type Call,
  descendants,
  type Expr,
  type Fold,
  type Message,
  qualifiedName,
  type Select,
} from "./ast.ts";
export { isIdentifier } from "./identifier.ts";
export { Issues } from "./issues.ts";
export { type Macros, parse } from "./parser.ts";
