import type { Value } from "../values/mod.ts";

/** The place and the kind of an expression. */
interface Node {
  /** The place in the source, as an index of UTF-16 units. */
  readonly at: number;
}

/** A constant. */
export interface Literal extends Node {
  readonly kind: "literal";
  readonly value: Value;
}

/** A variable or the first part of a qualified name. */
export interface Ident extends Node {
  readonly kind: "ident";
  readonly name: string;
}

/** The selection of a field, or the test whether it is present. */
export interface Select extends Node {
  readonly kind: "select";
  readonly operand: Expr;
  readonly field: string;
  /** Whether this is the `has()` macro. */
  readonly test: boolean;
}

/** A call of a function, an operator or a method. */
export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  /** The object of a method; undefined for functions and operators. */
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** A list literal. */
export interface List extends Node {
  readonly kind: "list";
  readonly items: readonly Expr[];
  /** The indexes of the items that have a question mark. */
  readonly optional: ReadonlySet<number>;
}

/** An entry of a map. */
export interface Entry extends Node {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

/** A map literal. */
export interface MapLiteral extends Node {
  readonly kind: "map";
  readonly entries: readonly Entry[];
}

/** A field of a message. */
export interface MessageField extends Node {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** The creation of a message, such as `Name{field: value}`. Only patches may create messages. */
export interface Message extends Node {
  readonly kind: "message";
  readonly name: string;
  readonly fields: readonly MessageField[];
}

/** A loop over a list or map, as macros make them. */
export interface Fold extends Node {
  readonly kind: "fold";
  readonly range: Expr;
  readonly variable: string;
  /** The second variable: the value, while the first is the key or index. */
  readonly second: string | undefined;
  readonly accumulator: string;
  readonly start: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** A parsed expression. */
export type Expr = Literal | Ident | Select | Call | List | MapLiteral | Message | Fold;

/** The accumulator of the loops that macros make. */
export const ACCUMULATOR = "__result__";

/** Returns the expressions directly below an expression. */
export function parts(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "select":
      return [expr.operand];
    case "call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "list":
      return expr.items;
    case "map":
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case "message":
      return expr.fields.map(({ value }) => value);
    case "fold":
      return [expr.range, expr.start, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}

/** Returns an expression and all those below it, in the order of the source. */
export function* descendants(expr: Expr): Generator<Expr> {
  yield expr;
  for (const part of parts(expr)) yield* descendants(part);
}

/** Returns the text of a dotted name, such as `a.b`; undefined if the expression is something else. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === "ident") return expr.name;
  if (expr.kind !== "select" || expr.test) return undefined;
  const head = qualifiedName(expr.operand);
  return head === undefined ? undefined : `${head}.${expr.field}`;
}
