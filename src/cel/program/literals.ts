import { PatternError, patternOf } from "../../structural/mod.ts";
import type { Checked } from "./checker.ts";
import { checkFormat } from "./format_check.ts";
import { accepts, FUNCTIONS, noOverload, parseDuration, parseTimestamp } from "../functions/mod.ts";
import { descendants, type Expr, type Issues } from "../syntax/mod.ts";
import { type CelType, sameType, showType } from "../types/mod.ts";
import { CelError, type Value } from "../values/mod.ts";

/** The functions whose constant first argument must have a form. */
const FORMS: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: (text) => patternError(text) === undefined,
};

function patternError(text: string): string | undefined {
  try {
    patternOf(text);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

/** The functions whose result for a constant is computed before the evaluation. */
const CONVERSIONS = ["bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"];

/** Returns the error of the first constant that a function of the expression cannot take; undefined if there is none. */
export function brokenConstant({ expr }: Checked): string | undefined {
  for (const part of descendants(expr)) {
    if (part.kind !== "call") continue;
    const [arg] = part.args;
    if (arg?.kind !== "literal") continue;
    const { name, target } = part;
    const error = ["find", "findAll"].includes(name) && typeof arg.value === "string"
      ? patternError(arg.value)
      : CONVERSIONS.includes(name) && target === undefined
      ? conversionError(name, arg.value)
      : undefined;
    if (error !== undefined) return error;
  }
  return undefined;
}

function conversionError(name: string, value: Value): string | undefined {
  const overload = FUNCTIONS.get(name)!.find(({ args }) =>
    args.length === 1 && accepts(args[0]!, value)
  );
  if (overload === undefined) return noOverload(name, [value]).message;
  try {
    overload.run(value);
    return undefined;
  } catch (error) {
    if (error instanceof CelError) return error.message;
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
  const uniform = all.filter((expr) => !exempt.has(expr));
  for (const expr of uniform) if (expr.kind === "list") checkList(expr, checked, issues);
  for (const expr of uniform) if (expr.kind === "map") checkMap(expr, checked, issues);
  for (const expr of all) if (expr.kind === "call") checkFormat(expr, checked, issues);
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
