import { PatternError, patternOf } from "../schema/mod.ts";
import type { Checked } from "./checker.ts";
import { parseDuration, parseTimestamp } from "./functions/time.ts";
import { descendants, type Expr } from "./syntax/ast.ts";
import type { Issues } from "./syntax/issues.ts";
import { type CelType, sameType, showType } from "./types/type.ts";

/** The functions whose constant first argument must have a form. */
const FORMS: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: isPattern,
};

function isPattern(text: string): boolean {
  try {
    patternOf(text);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

/** Checks the constants of an expression: durations, times, patterns, and lists and maps of one type. */
export function checkLiterals(checked: Checked, issues: Issues): void {
  const all = [...descendants(checked.expr)];
  for (const name of ["duration", "timestamp", "matches"]) {
    for (const expr of all) {
      if (expr.kind !== "call" || expr.name !== name) continue;
      const [arg] = expr.args;
      if (arg?.kind !== "literal" || typeof arg.value !== "string") continue;
      if (!FORMS[name]!(arg.value)) issues.add(arg.at, `invalid ${name} argument`);
    }
  }
  const exempt = new Set<Expr>();
  for (const expr of all) {
    if (expr.kind === "call" && expr.name === "format") {
      for (const part of descendants(expr)) exempt.add(part);
    }
  }
  for (const expr of all) {
    if (exempt.has(expr)) continue;
    if (expr.kind === "list") checkList(expr, checked, issues);
    else if (expr.kind === "map") checkMap(expr, checked, issues);
  }
}

function mismatch(issues: Issues, at: number, wanted: CelType, actual: CelType): void {
  issues.add(at, `expected type '${showType(wanted)}' but found '${showType(actual)}'`);
}

function checkList(expr: Expr & { kind: "list" }, { types }: Checked, issues: Issues): void {
  let first: CelType | undefined;
  for (const [index, item] of expr.items.entries()) {
    const own = types.get(item)!;
    const type = expr.optional.has(index) ? own.params[0]! : own;
    first ??= type;
    if (sameType(first, type)) continue;
    mismatch(issues, item.at, first, type);
    return;
  }
}

function checkMap(expr: Expr & { kind: "map" }, { types }: Checked, issues: Issues): void {
  let first: { key: CelType; value: CelType } | undefined;
  for (const { key, value, optional } of expr.entries) {
    const own = types.get(value)!;
    const entry = { key: types.get(key)!, value: optional ? own.params[0]! : own };
    first ??= entry;
    if (!sameType(first.key, entry.key)) mismatch(issues, key.at, first.key, entry.key);
    if (!sameType(first.value, entry.value)) {
      mismatch(issues, value.at, first.value, entry.value);
    }
  }
}
