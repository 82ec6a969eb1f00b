import { type Checked, TYPE_NAMES } from "./checker.ts";
import { actualCost, equalCost } from "./actual_cost.ts";
import {
  accepts,
  FUNCTIONS,
  itemAt,
  noOverload,
  type Overload,
  wrongIndex,
} from "../functions/mod.ts";
import type { Call, Expr, Fold, Message } from "../syntax/mod.ts";
import {
  celEqual,
  CelError,
  CelList,
  isCelMap,
  keyText,
  LiteralMap,
  MessageValue,
  Optional,
  showValue,
  typeName,
  TypeValue,
  type Value,
} from "../values/mod.ts";

/** The error of an evaluation that costs more than it may. */
export class CostError extends CelError {
  /** Always `CostError`. */
  override readonly name: string = "CostError";

  /** Creates the error. */
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** The maximum cost of one evaluation. */
export const CALL_LIMIT = 1_000_000;

/** The values of variables, each computed when it is used. */
export type Activation = (name: string) => Value;

/** The result of an evaluation: a value or an error, and what it has cost. */
export type Outcome =
  & ({ readonly value: Value } | { readonly error: CelError })
  & { readonly cost: number };

/** The state of one evaluation. */
class Run {
  readonly #variables: Activation;
  readonly locals = new Map<string, Value | CelError>();
  cost = 0;

  constructor(variables: Activation) {
    this.#variables = variables;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > CALL_LIMIT) throw new CostError();
  }

  variable(name: string): Value {
    const local = this.locals.get(name);
    if (local === undefined) return this.#variables(name);
    if (local instanceof CelError) throw local;
    return local;
  }
}

type Step = (run: Run) => Value;

/** An expression that is ready to be evaluated. */
export class Program {
  readonly #step: Step;

  /** Compiles a checked expression. */
  constructor(checked: Checked) {
    this.#step = new Compiler(checked).compile(checked.expr);
  }

  /** Evaluates the expression. Never throws for a failure of the expression itself. */
  run(variables: Activation): Outcome {
    const run = new Run(variables);
    try {
      return { value: this.#step(run), cost: run.cost };
    } catch (error) {
      if (error instanceof CelError) return { error, cost: run.cost };
      throw error;
    }
  }
}

/** Returns the value of a computation, or its error; costs over the limit are not caught. */
function attempt(step: Step, run: Run): Value | CelError {
  try {
    return step(run);
  } catch (error) {
    if (error instanceof CelError && !(error instanceof CostError)) return error;
    throw error;
  }
}

class Compiler {
  readonly #checked: Checked;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  compile(expr: Expr): Step {
    const name = expr.kind === "call" ? undefined : this.#checked.names.get(expr);
    if (name !== undefined) return this.#variable(name);
    switch (expr.kind) {
      case "literal":
        return () => expr.value;
      case "select":
        return this.#select(expr.operand, expr.field, expr.test);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "fold":
        return this.#fold(expr);
      case "call":
        return this.#call(expr);
      case "message":
        return this.#message(expr);
      case "ident":
        throw new TypeError(`The expression has an unchecked ${expr.kind}`);
    }
  }

  #variable(name: string): Step {
    const type = TYPE_NAMES.get(name);
    return (run) => {
      run.charge(1);
      if (type !== undefined && !run.locals.has(name)) {
        try {
          return run.variable(name);
        } catch {
          return new TypeValue(name);
        }
      }
      return run.variable(name);
    };
  }

  #select(operand: Expr, field: string, test: boolean): Step {
    const target = this.compile(operand);
    if (test) {
      return (run) => {
        const value = target(run);
        if (value instanceof Optional) {
          return value.value !== undefined && member(value.value, field) !== undefined;
        }
        return member(value, field) !== undefined;
      };
    }
    return (run) => {
      const value = target(run);
      run.charge(1);
      if (!(value instanceof Optional)) return requiredMember(value, field);
      return value.value === undefined ? value : optional(member(value.value, field));
    };
  }

  #list({ items, optional: marked }: Expr & { kind: "list" }): Step {
    const steps = items.map((item) => this.compile(item));
    const constant = items.length > 0 && items.every(({ kind }) => kind === "literal");
    return (run) => {
      const values: Value[] = [];
      steps.forEach((step, index) => {
        const value = step(run);
        if (!marked.has(index)) values.push(value);
        else if (!(value instanceof Optional)) {
          throw new CelError(
            `cannot initialize optional list element from non-optional value ${showValue(value)}`,
          );
        } else if (value.value !== undefined) values.push(value.value);
      });
      if (!constant) run.charge(10);
      return new CelList(values);
    };
  }

  #map({ entries }: Expr & { kind: "map" }): Step {
    const steps = entries.map(({ key, value, optional: marked }) => ({
      key: this.compile(key),
      value: this.compile(value),
      marked,
    }));
    return (run) => {
      const values: [Value, Value][] = [];
      for (const { key, value, marked } of steps) {
        const name = key(run);
        const item = value(run);
        const given = marked ? optionalEntry(name, item) : item;
        if (given !== undefined) values.push([name, given]);
      }
      run.charge(30);
      return new LiteralMap(values);
    };
  }

  #message(expr: Message): Step {
    const steps = expr.fields.map(({ name, value, optional: marked }) => ({
      name,
      value: this.compile(value),
      marked,
    }));
    const type = this.#checked.types.get(expr)!;
    return (run) => {
      const fields = new Map<string, Value>();
      for (const { name, value, marked } of steps) {
        const item = value(run);
        const given = marked ? optionalEntry(name, item) : item;
        if (given !== undefined) fields.set(name, given);
      }
      run.charge(40);
      return new MessageValue(type, fields);
    };
  }

  #fold(expr: Fold): Step {
    const range = this.compile(expr.range);
    const start = this.compile(expr.start);
    const condition = this.compile(expr.condition);
    const step = this.compile(expr.step);
    const result = this.compile(expr.result);
    const { variable, second, accumulator } = expr;
    return (run) => {
      const values = range(run);
      const saved = [variable, second ?? variable, accumulator].map((name) =>
        [name, run.locals.get(name)] as const
      );
      try {
        run.locals.set(accumulator, attempt(start, run));
        for (const [first, other] of entriesOf(values, second !== undefined)) {
          run.locals.set(variable, first);
          if (second !== undefined) run.locals.set(second, other);
          if (condition(run) === false) break;
          run.locals.set(accumulator, attempt(step, run));
        }
        return result(run);
      } finally {
        for (const [name, value] of saved) {
          if (value === undefined) run.locals.delete(name);
          else run.locals.set(name, value);
        }
      }
    };
  }

  #call(expr: Call): Step {
    const { name, target, args } = expr;
    const qualified = this.#checked.names.get(expr);
    const parts = target === undefined || qualified !== undefined ? args : [target, ...args];
    const steps = parts.map((part) => this.compile(part));
    const [first, second, third] = steps as [Step, Step, Step];
    switch (name) {
      case "_&&_":
        return (run) => logical(first, second, run, false);
      case "_||_":
        return (run) => logical(first, second, run, true);
      case "@not_strictly_false":
        return (run) => {
          const value = attempt(first, run);
          run.charge(1);
          return value !== false;
        };
      case "_?:_":
      case "_?_:_":
        return (run) => {
          const value = first(run);
          if (typeof value !== "boolean") throw new CelError("no such overload");
          return value ? second(run) : third(run);
        };
      case "_==_":
      case "_!=_":
        return (run) => {
          const [a, b] = [first(run), second(run)];
          run.charge(equalCost(a, b));
          return celEqual(a, b) === (name === "_==_");
        };
      case "_[_]":
        return (run) => index(first(run), second(run), run);
      case "_[?_]":
        return (run) => optionalIndex(first(run), second(run), run);
      case "_?._":
        return (run) => {
          run.charge(1);
          return optionalMember(first(run), second(run) as string);
        };
      case "or":
      case "orValue":
        if (target !== undefined) return (run) => orElse(first, second, run, name === "or");
    }
    return this.#function(expr, qualified ?? name.replace(/^\./, ""), steps);
  }

  #function(expr: Call, name: string, steps: readonly Step[]): Step {
    const method = expr.target !== undefined && !this.#checked.names.has(expr);
    const found = this.#checked.overloads.get(expr) ?? [];
    const all = FUNCTIONS.get(name)!.filter((overload) => overload.method === method);
    const constantList = name === "@in" && isConstantList(expr.args[1]!);
    return (run) => {
      const values = steps.map((step) => step(run));
      const overload = pick(found, values) ?? pick(all, values);
      if (overload === undefined) throw noOverload(name, values);
      const result = overload.run(...values);
      if (!constantList) run.charge(actualCost(overload, values, result));
      return result;
    };
  }
}

/** Returns the value of an entry with a question mark; undefined if it is absent. */
function optionalEntry(name: Value, item: Value): Value | undefined {
  if (item instanceof Optional) return item.value;
  throw new CelError(
    `cannot initialize optional entry '${showValue(name)}' from non-optional value ${
      showValue(item)
    }`,
  );
}

function isConstantList(expr: Expr): boolean {
  return expr.kind === "list" && expr.items.length > 0 &&
    expr.items.every(({ kind }) => kind === "literal");
}

function pick(overloads: readonly Overload[], values: readonly Value[]): Overload | undefined {
  return overloads.find(({ args }) =>
    args.length === values.length && args.every((type, at) => accepts(type, values[at]!))
  );
}

/** Evaluates `&&` or `||`: one side decides even if the other one fails. */
function logical(first: Step, second: Step, run: Run, decides: boolean): Value {
  const left = attempt(first, run);
  if (left === decides) return decides;
  const right = attempt(second, run);
  if (right === decides) return decides;
  if (left instanceof CelError) throw left;
  if (right instanceof CelError) throw right;
  if (typeof left !== "boolean" || typeof right !== "boolean") {
    throw new CelError("no such overload");
  }
  return !decides;
}

function orElse(first: Step, second: Step, run: Run, keep: boolean): Value {
  const value = first(run);
  if (!(value instanceof Optional)) throw new CelError("no such overload");
  if (value.value === undefined) return second(run);
  return keep ? value : value.value;
}

function optional(value: Value | undefined): Optional {
  return new Optional(value);
}

/** Returns a field; undefined if the value does not have it, as numbers and null have none. */
function member(value: Value, field: string): Value | undefined {
  if (value instanceof CelList) throw wrongIndex(value, field);
  return typeof value === "object" && value !== null && isCelMap(value)
    ? value.get(field)
    : undefined;
}

function requiredMember(value: Value, field: string): Value {
  const found = member(value, field);
  if (found === undefined) throw new CelError(`no such key: ${field}`);
  return found;
}

function optionalMember(value: Value, field: string): Value {
  if (!(value instanceof Optional)) return optional(member(value, field));
  return value.value === undefined ? value : optional(member(value.value, field));
}

function index(target: Value, key: Value, run: Run): Value {
  run.charge(1);
  if (target instanceof Optional) {
    return target.value === undefined ? target : optional(find(target.value, key));
  }
  const found = find(target, key);
  if (found !== undefined) return found;
  if (target instanceof CelList) throw wrongIndex(target, key);
  throw new CelError(`no such key: ${showValue(key)}`);
}

function optionalIndex(target: Value, key: Value, run: Run): Value {
  run.charge(1);
  if (!(target instanceof Optional)) return optional(find(target, key));
  return target.value === undefined ? target : optional(find(target.value, key));
}

function find(target: Value, key: Value): Value | undefined {
  if (target instanceof CelList) return itemAt(target, key);
  if (typeof target === "object" && target !== null && isCelMap(target)) {
    if (keyText(key) === undefined) throw new CelError(`no such key: ${showValue(key)}`);
    return target.get(key);
  }
  return undefined;
}

/** Returns the iterations of a loop: values or keys; with two variables, keys or indexes with values. */
function* entriesOf(range: Value, pairs: boolean): Generator<readonly [Value, Value]> {
  if (range instanceof CelList) {
    for (let at = 0; at < range.size; at++) {
      const item = range.at(at);
      yield pairs ? [BigInt(at), item] : [item, null];
    }
  } else if (typeof range === "object" && range !== null && isCelMap(range)) {
    for (const key of range.keys()) yield [key, pairs ? range.get(key)! : null];
  } else {
    throw new CelError(
      pairs
        ? `unsupported comprehension range type: ${goType(range)}`
        : `got '${goType(range)}', expected iterable type`,
    );
  }
}

/** Returns the name of the Go type of a value. */
function goType(value: Value): string {
  const name = typeName(value).split(".").pop()!;
  return `types.${name[0]!.toUpperCase()}${name.slice(1)}`;
}
