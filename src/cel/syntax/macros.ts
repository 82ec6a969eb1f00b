import { ACCUMULATOR, type Call, type Expr, type Fold, type Literal } from "./ast.ts";

/** The error of a macro whose arguments do not fit. */
export class MacroError extends Error {
  /** Always `MacroError`. */
  override readonly name: string = "MacroError";
  /** The place of the error. */
  readonly at: number;

  /** Creates the error. */
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Expands a macro. The parts of the expansion have the place of the call. */
class Maker {
  readonly #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  literal(value: Literal["value"]): Expr {
    return { kind: "literal", at: this.#at, value };
  }

  ident(name: string): Expr {
    return { kind: "ident", at: this.#at, name };
  }

  accumulator(): Expr {
    return this.ident(ACCUMULATOR);
  }

  call(name: string, ...args: Expr[]): Call {
    return { kind: "call", at: this.#at, name, target: undefined, args };
  }

  method(target: Expr, name: string, ...args: Expr[]): Expr {
    return { kind: "call", at: this.#at, name, target, args };
  }

  list(...items: Expr[]): Expr {
    return { kind: "list", at: this.#at, items, optional: new Set() };
  }

  map(): Expr {
    return { kind: "map", at: this.#at, entries: [] };
  }

  fold(parts: Omit<Fold, "kind" | "at" | "accumulator"> & { accumulator?: string }): Expr {
    return { accumulator: ACCUMULATOR, ...parts, kind: "fold", at: this.#at };
  }
}

/** One call that may be a macro. */
interface Use {
  readonly make: Maker;
  readonly target: Expr;
  readonly args: readonly Expr[];
}

type Expand = (use: Use) => Expr;

function simpleName(expr: Expr, why: string): string {
  if (expr.kind !== "ident") throw new MacroError(expr.at, why);
  if (expr.name === ACCUMULATOR) {
    throw new MacroError(expr.at, "iteration variable overwrites accumulator variable");
  }
  return expr.name;
}

/** Returns the variables of a loop: one or two, and the arguments after them. */
function loop(
  args: readonly Expr[],
  two: boolean,
  why: string,
): { variable: string; second: string | undefined; rest: readonly Expr[] } {
  if (!two) return { variable: simpleName(args[0]!, why), second: undefined, rest: args.slice(1) };
  const why2 = "argument must be a simple name";
  for (const arg of args.slice(0, 2)) if (arg.kind !== "ident") throw new MacroError(arg.at, why2);
  const [first, second] = args as readonly [Expr & { name: string }, Expr & { name: string }];
  if (first.name === second.name) {
    throw new MacroError(second.at, `duplicate variable name: ${first.name}`);
  }
  return {
    variable: simpleName(first, why2),
    second: simpleName(second, why2),
    rest: args.slice(2),
  };
}

const all = (two: boolean): Expand => ({ make, target, args }) => {
  const { rest, ...variables } = loop(args, two, "argument must be a simple name");
  return make.fold({
    ...variables,
    range: target,
    start: make.literal(true),
    condition: make.call("@not_strictly_false", make.accumulator()),
    step: make.call("_&&_", make.accumulator(), rest[0]!),
    result: make.accumulator(),
  });
};

const exists = (two: boolean): Expand => ({ make, target, args }) => {
  const { rest, ...variables } = loop(args, two, "argument must be a simple name");
  return make.fold({
    ...variables,
    range: target,
    start: make.literal(false),
    condition: make.call("@not_strictly_false", make.call("!_", make.accumulator())),
    step: make.call("_||_", make.accumulator(), rest[0]!),
    result: make.accumulator(),
  });
};

const existsOne = (two: boolean): Expand => ({ make, target, args }) => {
  const { rest, ...variables } = loop(args, two, "argument must be a simple name");
  const one = make.literal(1n);
  return make.fold({
    ...variables,
    range: target,
    start: make.literal(0n),
    condition: make.literal(true),
    step: make.call(
      "_?_:_",
      rest[0]!,
      make.call("_+_", make.accumulator(), one),
      make.accumulator(),
    ),
    result: make.call("_==_", make.accumulator(), one),
  });
};

/** Returns the macro that collects what `add` makes of each item; with a filter if there is one more argument. */
const collect = (
  two: boolean,
  start: (make: Maker) => Expr,
  add: (make: Maker, value: Expr, key: string) => Expr,
): Expand =>
({ make, target, args }) => {
  const { rest, ...variables } = loop(args, two, "argument is not an identifier");
  const step = add(make, rest[rest.length - 1]!, variables.variable);
  return make.fold({
    ...variables,
    range: target,
    start: start(make),
    condition: make.literal(true),
    step: rest.length === 1 ? step : make.call("_?_:_", rest[0]!, step, make.accumulator()),
    result: make.accumulator(),
  });
};

const append = (make: Maker, value: Expr) => make.call("_+_", make.accumulator(), make.list(value));
const toList = (two: boolean) => collect(two, (make) => make.list(), append);

const filter: Expand = ({ make, target, args }) => {
  const variable = simpleName(args[0]!, "argument is not an identifier");
  return make.fold({
    variable,
    second: undefined,
    range: target,
    start: make.list(),
    condition: make.literal(true),
    step: make.call("_?_:_", args[1]!, append(make, args[0]!), make.accumulator()),
    result: make.accumulator(),
  });
};

/** Returns an expression that binds a name to a value. */
function bind(make: Maker, name: string, value: Expr, result: Expr): Expr {
  return make.fold({
    range: make.list(),
    variable: "#unused",
    second: undefined,
    accumulator: name,
    start: value,
    condition: make.literal(false),
    step: make.ident(name),
    result,
  });
}

const optionalMap = (name: string, wrap: boolean): Expand => ({ make, target, args }) => {
  const [variable, value] = args as [Expr, Expr];
  if (variable.kind !== "ident") {
    throw new MacroError(variable.at, `${name}() variable name must be a simple identifier`);
  }
  const bound = bind(make, variable.name, make.method(target, "value"), value);
  return make.call(
    "_?_:_",
    make.method(target, "hasValue"),
    wrap ? make.call("optional.of", bound) : bound,
    make.call("optional.none"),
  );
};

const SORTED = "@__sortBy_input__";

const sortBy: Expand = (use) => {
  const { make, target } = use;
  if (!["list", "select", "ident", "fold", "call"].includes(target.kind)) {
    throw new MacroError(
      target.at,
      "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
    );
  }
  const keys = toList(false)({ ...use, target: make.ident(SORTED) });
  return bind(make, SORTED, target, make.method(make.ident(SORTED), "@sortByAssociatedKeys", keys));
};

const insertEntry = (make: Maker, value: Expr, key: string) =>
  make.call("cel.@mapInsert", make.accumulator(), make.ident(key), value);
const insertMap = (make: Maker, value: Expr) =>
  make.call("cel.@mapInsert", make.accumulator(), value);
const toMap = (add: (make: Maker, value: Expr, key: string) => Expr) =>
  collect(true, (make) => make.map(), add);

/** The macros that are called as methods, by name and number of arguments. */
const METHODS: ReadonlyMap<string, Expand> = new Map([
  ["all/2", all(false)],
  ["all/3", all(true)],
  ["exists/2", exists(false)],
  ["exists/3", exists(true)],
  ["exists_one/2", existsOne(false)],
  ["exists_one/3", existsOne(true)],
  ["existsOne/3", existsOne(true)],
  ["map/2", toList(false)],
  ["map/3", toList(false)],
  ["filter/2", filter],
  ["transformList/3", toList(true)],
  ["transformList/4", toList(true)],
  ["transformMap/3", toMap(insertEntry)],
  ["transformMap/4", toMap(insertEntry)],
  ["transformMapEntry/3", toMap(insertMap)],
  ["transformMapEntry/4", toMap(insertMap)],
  ["optMap/2", optionalMap("optMap", true)],
  ["optFlatMap/2", optionalMap("optFlatMap", false)],
  ["sortBy/2", sortBy],
]);

/**
 * Expands a macro; returns undefined if the call is not a macro.
 *
 * @param bindings Whether `cel.bind()` is one.
 * @throws {MacroError} If its arguments do not fit.
 */
export function expandMacro(
  { at, name, target, args }: Call,
  bindings: boolean,
): Expr | undefined {
  if (target !== undefined) {
    const isCel = target.kind === "ident" && target.name === "cel";
    if (bindings && isCel && name === "bind" && args.length === 3) {
      const [variable, value, result] = args as [Expr, Expr, Expr];
      const why = "cel.bind() variable names must be simple identifiers";
      return bind(new Maker(at), simpleName(variable, why), value, result);
    }
    return METHODS.get(`${name}/${args.length}`)?.({ make: new Maker(at), target, args });
  }
  if (name !== "has" || args.length !== 1) return undefined;
  const [selected] = args as [Expr];
  if (selected.kind !== "select") {
    throw new MacroError(selected.at, "invalid argument to has() macro");
  }
  return { ...selected, at, test: true };
}
