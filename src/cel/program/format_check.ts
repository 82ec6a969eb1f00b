import type { Checked } from "./checker.ts";
import { clauseAt, formatMistake } from "../functions/mod.ts";
import type { Call, Expr, Issues } from "../syntax/mod.ts";
import type { CelType, TypeKind } from "../types/mod.ts";

const TEXT: readonly TypeKind[] = [
  "list",
  "map",
  "int",
  "uint",
  "double",
  "bool",
  "string",
  "timestamp",
  "bytes",
  "duration",
  "type",
  "null",
];

/** The kinds of types that each clause takes, besides any. */
const KINDS: Readonly<Record<string, readonly TypeKind[]>> = {
  s: TEXT,
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
  o: ["int", "uint"],
};

/** Checks a call of `format` with a constant text and a list of arguments. */
export function checkFormat(call: Call, { types }: Checked, issues: Issues): void {
  const { name, target, args: [list], at } = call;
  if (name !== "format" || target?.kind !== "literal" || typeof target.value !== "string") return;
  if (list?.kind !== "list") return;
  let used = 0;
  for (let place = 0; place < target.value.length;) {
    const clause = clauseAt(target.value, place);
    if ("error" in clause) return issues.add(at, clause.error);
    place += clause.length;
    if (clause.verb === undefined) continue;
    const arg = list.items[used];
    if (arg === undefined) return issues.add(at, `index ${used} out of range`);
    used++;
    if (KINDS[clause.verb] === undefined) return issues.add(at, formatMistake(clause.verb));
    const wrong = wrongPart(arg, clause.verb, types);
    if (wrong !== undefined) {
      return issues.add(wrong.at, formatMistake(clause.verb, types.get(wrong)!.name));
    }
  }
  const count = list.items.length;
  if (count <= used) return;
  const what = `expected ${used}, got ${count}`;
  issues.add(at, `too many arguments supplied to string.format (${what})`);
}

/** Returns the part of an argument that a clause does not take. */
function wrongPart(
  expr: Expr,
  verb: string,
  types: ReadonlyMap<Expr, CelType>,
): Expr | undefined {
  const { kind } = types.get(expr)!;
  if (kind !== "dyn" && !KINDS[verb]!.includes(kind)) return expr;
  if (verb !== "s") return undefined;
  const parts = expr.kind === "list"
    ? expr.items
    : expr.kind === "map"
    ? expr.entries.flatMap(({ key, value }) => [key, value])
    : [];
  for (const part of parts) {
    const wrong = wrongPart(part, verb, types);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
