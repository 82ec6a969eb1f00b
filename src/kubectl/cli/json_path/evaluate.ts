import { isRecord } from "@kubeloop/controller/internal/base";
import type { JsonPath, Operand, Operator, Slice, Step } from "./parse.ts";

/** The maximum number of values that an evaluation visits: nested `..` visit the square of the size of an object. */
const MAX_VALUES = 200_000;

/**
 * Returns the values that an expression selects in an object. Paths that do not exist select nothing, and neither do array steps
 * of a value that is not an array.
 *
 * @throws {RangeError} If the expression visits too many values.
 */
export function evaluateJsonPath(path: JsonPath, object: unknown): unknown[] {
  return new Evaluation().select(path, [object]);
}

class Evaluation {
  #passed = 0;

  select(path: JsonPath, values: unknown[]): unknown[] {
    return path.reduce((current, step) => this.#step(step, current), values);
  }

  #step(step: Step, values: readonly unknown[]): unknown[] {
    const results: unknown[] = [];
    // Do not spread: a long array would exceed the maximum number of arguments.
    const add = (value: unknown) => {
      if (++this.#passed > MAX_VALUES) {
        throw new RangeError(`The JSONPath selects more than ${MAX_VALUES} values`);
      }
      results.push(value);
    };
    if (step.kind === "union") {
      for (const one of step.steps) this.#step(one, values).forEach(add);
      return results;
    }
    for (const value of values) this.#each(step, value, add);
    return results;
  }

  #each(
    step: Exclude<Step, { kind: "union" }>,
    value: unknown,
    add: (value: unknown) => void,
  ): void {
    switch (step.kind) {
      case "field":
        if (isRecord(value) && Object.hasOwn(value, step.name)) add(value[step.name]);
        return;
      case "wildcard":
        return childrenOf(value).forEach(add);
      case "recursive":
        return eachContainer(value, add);
      default:
        if (Array.isArray(value)) this.#ofArray(step, value, add);
    }
  }

  #ofArray(
    step: Extract<Step, { kind: "index" | "slice" | "exists" | "filter" }>,
    items: readonly unknown[],
    add: (value: unknown) => void,
  ): void {
    switch (step.kind) {
      case "index": {
        const at = step.index < 0 ? items.length + step.index : step.index;
        if (at >= 0 && at < items.length) add(items[at]);
        return;
      }
      case "slice":
        return eachPlace(step.slice, items.length, (at) => add(items[at]));
      case "exists":
        return items.forEach((item) => {
          if (this.select(step.path, [item]).length > 0) add(item);
        });
      case "filter":
        return items.forEach((item) => {
          const [left, right] = [this.#operand(step.left, item), this.#operand(step.right, item)];
          if (left.length === 0 || right.length === 0) return;
          if (compares(left[0], step.operator, right[0])) add(item);
        });
    }
  }

  /** @throws {Error} If a path in a filter selects several values of one item. */
  #operand(operand: Operand, item: unknown): unknown[] {
    if ("literal" in operand) return [operand.literal];
    const values = this.select(operand.path, [item]);
    if (values.length <= 1) return values;
    throw new Error("A filter of the JSONPath compares more than one value at a time");
  }
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}

/** Calls `use` with a value and all objects and arrays in it, parents first. */
function eachContainer(value: unknown, use: (value: unknown) => void): void {
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    const children = childrenOf(next);
    if (children.length === 0) continue;
    use(next);
    for (let at = children.length - 1; at >= 0; at--) rest.push(children[at]);
  }
}

function eachPlace({ start, end, step }: Slice, length: number, use: (at: number) => void): void {
  const place = (given: number) =>
    Math.min(length, Math.max(0, given < 0 ? length + given : given));
  const last = place(end ?? length);
  for (let at = place(start ?? 0); at < last; at += step) use(at);
}

/** Compares two texts, two numbers or two booleans. Returns false for other types. */
function compares(left: unknown, operator: Operator, right: unknown): boolean {
  if (typeof left === "boolean" && typeof right === "boolean") {
    return operator === "==" ? left === right : operator === "!=" && left !== right;
  }
  const areTexts = typeof left === "string" && typeof right === "string";
  if (!areTexts && !(isNumber(left) && isNumber(right))) return false;
  const [a, b] = [left, right] as [string, string] | [number | bigint, number | bigint];
  switch (operator) {
    // Not `===`, because an integer may be a number or a bigint.
    case "==":
      return a >= b && a <= b;
    case "!=":
      return a < b || a > b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
  }
}

/** Reports whether a value is a JSON number. Integers beyond 2^53 are bigints. */
function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
