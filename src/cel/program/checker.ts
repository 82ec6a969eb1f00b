import { FUNCTIONS, type Overload } from "../functions/mod.ts";
import {
  type Call,
  descendants,
  type Expr,
  type Fold,
  type Issues,
  type Message,
  qualifiedName,
  type Select,
} from "../syntax/mod.ts";
import {
  allAssignable,
  BOOL,
  BYTES,
  type CelType,
  CIDR,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  INT,
  IP,
  isAssignable,
  listOf,
  mapOf,
  type Mapping,
  mostGeneral,
  NULL,
  optionalOf,
  patchType,
  sameType,
  showType,
  STRING,
  substitute,
  TIMESTAMP,
  TYPE,
  typeOf,
  typeParam,
  UINT,
  unwrapOptional,
} from "../types/mod.ts";
import { Uint, type Value } from "../values/mod.ts";

/** The types and overloads that a check has found. */
export interface Checked {
  /** The expression. */
  readonly expr: Expr;
  /** The type of the result. */
  readonly type: CelType;
  /** The type of each part. */
  readonly types: ReadonlyMap<Expr, CelType>;
  /** The overloads that each call may have. */
  readonly overloads: ReadonlyMap<Expr, readonly Overload[]>;
  /** The variables and types that qualified names refer to. */
  readonly names: ReadonlyMap<Expr, string>;
}

/** The variables of an expression, by name. */
export type Variables = ReadonlyMap<string, CelType>;

/** The types that may be used as values. */
export const TYPE_NAMES: ReadonlyMap<string, CelType> = new Map([
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
  IP,
  CIDR,
  listOf(typeParam("A")),
  mapOf(typeParam("A"), typeParam("B")),
  optionalOf(typeParam("V")),
].map((type) => [type.name, type]));

/**
 * Checks the types of an expression. Returns undefined if it has errors, which are in `issues`.
 *
 * @param patches Whether the expression may make patches.
 */
export function check(
  expr: Expr,
  variables: Variables,
  issues: Issues,
  patches: boolean,
): Checked | undefined {
  return new Checker(variables, issues, patches).run(expr);
}

/** The function that only expressions may call that make patches. */
const PATCH_FUNCTION = "jsonpatch.escapeKey";

class Checker {
  readonly #issues: Issues;
  readonly #patches: boolean;
  readonly #scopes: Map<string, CelType>[];
  readonly #mapping: Mapping = new Map();
  readonly #types = new Map<Expr, CelType>();
  readonly #overloads = new Map<Expr, readonly Overload[]>();
  readonly #names = new Map<Expr, string>();
  #freeTypes = 0;

  constructor(variables: Variables, issues: Issues, patches: boolean) {
    this.#issues = issues;
    this.#patches = patches;
    this.#scopes = [new Map(variables)];
  }

  run(expr: Expr): Checked | undefined {
    this.#check(expr);
    if (this.#issues.count > 0) return undefined;
    for (const [part, type] of this.#types) {
      this.#types.set(part, substitute(this.#mapping, type, true));
    }
    return {
      expr,
      type: this.#types.get(expr)!,
      types: this.#types,
      overloads: this.#overloads,
      names: this.#names,
    };
  }

  /** Checks an expression and returns its type. */
  #check(expr: Expr): CelType {
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #fail(at: number, message: string): CelType {
    this.#issues.add(at, message);
    return ERROR;
  }

  #undeclared(at: number, name: string): CelType {
    return this.#fail(at, `undeclared reference to '${name}' (in container '')`);
  }

  #mismatch(at: number, wanted: CelType, actual: CelType): CelType {
    return this.#fail(
      at,
      `expected type '${showType(wanted)}' but found '${showType(actual)}'`,
    );
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case "literal":
        return literalType(expr.value);
      case "ident":
        return this.#ident(expr, expr.name) ?? this.#undeclared(expr.at, expr.name);
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "message":
        return this.#message(expr);
      case "fold":
        return this.#fold(expr);
    }
  }

  /** Returns the type of a variable or type; undefined if there is none of that name. */
  #ident(expr: Expr, given: string): CelType | undefined {
    const name = given.replace(/^\./, "");
    for (let index = this.#scopes.length - 1; index >= 0; index--) {
      const type = this.#scopes[index]!.get(name);
      if (type === undefined) continue;
      this.#names.set(expr, name);
      return type;
    }
    const type = TYPE_NAMES.get(name) ?? this.#messageType(name);
    if (type === undefined) return undefined;
    this.#names.set(expr, name);
    return typeOf(substitute(new Map(), type, false));
  }

  #messageType(name: string): CelType | undefined {
    return this.#patches ? patchType(name) : undefined;
  }

  #message({ at, name, fields }: Message): CelType {
    const type = this.#messageType(name) ?? this.#undeclared(at, name);
    for (const field of fields) {
      const actual = this.#item(field.value, field.optional);
      const wanted = type === ERROR ? ERROR : this.#structField(field.at, type, field.name);
      if (isAssignable(this.#mapping, wanted, actual)) continue;
      this.#fail(
        field.at,
        `expected type of field '${field.name}' is '${showType(wanted)}' but provided type is '${
          showType(actual)
        }'`,
      );
    }
    return type;
  }

  #select(expr: Select): CelType {
    const name = expr.test ? undefined : qualifiedName(expr);
    const known = name === undefined ? undefined : this.#ident(expr, name);
    if (known !== undefined) return known;
    const type = this.#field(expr.at, expr.operand, expr.field, false);
    return expr.test ? BOOL : substitute(this.#mapping, type, false);
  }

  #field(at: number, operand: Expr, field: string, optional: boolean): CelType {
    const operandType = substitute(this.#mapping, this.#check(operand), false);
    const [target, isOptional] = unwrapOptional(operandType);
    let type = DYN;
    if (target.kind === "map") type = target.params[1]!;
    else if (target.kind === "struct") type = this.#structField(at, target, field);
    else if (target.kind === "param") isAssignable(this.#mapping, DYN, target);
    else if (target.kind !== "dyn" && target.kind !== "error") {
      this.#fail(at, `type '${showType(target)}' does not support field selection`);
    }
    return isOptional || optional ? optionalOf(type) : type;
  }

  #structField(at: number, type: CelType, field: string): CelType {
    if (type.fields === undefined) {
      return this.#fail(at, `unexpected failed resolution of '${type.name}'`);
    }
    return type.fields.get(field) ?? this.#fail(at, `undefined field '${field}'`);
  }

  #call(expr: Call): CelType {
    const { name, target, args, at } = expr;
    if (name === "_?._") {
      const field = args[1]!;
      const type = this.#field(at, args[0]!, String(literalText(field)), true);
      this.#overloads.set(expr, FUNCTIONS.get(name)!);
      return substitute(this.#mapping, type, false);
    }
    const types = args.map((arg) => this.#check(arg));
    if (target === undefined) {
      const plain = name.replace(/^\./, "");
      if (!FUNCTIONS.has(plain)) return this.#undeclared(at, name);
      return this.#resolve(expr, plain, types, false);
    }
    const prefix = qualifiedName(target);
    const qualified = `${prefix}.${name}`;
    if (FUNCTIONS.has(qualified) && (this.#patches || qualified !== PATCH_FUNCTION)) {
      this.#names.set(expr, qualified);
      return this.#resolve(expr, qualified, types, false);
    }
    const targetType = this.#check(target);
    if (!FUNCTIONS.has(name)) return this.#undeclared(at, name);
    return this.#resolve(expr, name, [targetType, ...types], true);
  }

  /** Finds the overloads that a call may have. */
  #resolve(expr: Call, name: string, types: readonly CelType[], method: boolean): CelType {
    if (name === "_&&_" || name === "_||_") return this.#logical(expr, name, types);
    const found: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of FUNCTIONS.get(name)!) {
      if (overload.method !== method) continue;
      const { args, result: declared } = this.#fresh(overload);
      if (!allAssignable(this.#mapping, types, args)) continue;
      found.push(overload);
      const type = substitute(this.#mapping, declared, false);
      if (result === undefined) result = type;
      else if (result.kind !== "dyn" && !sameType(result, type)) result = DYN;
    }
    if (result === undefined) return this.#noOverload(expr, name, types, method);
    this.#overloads.set(expr, found);
    return result;
  }

  #noOverload(expr: Call, name: string, types: readonly CelType[], method: boolean): CelType {
    const shown = types.map((type) => showType(substitute(this.#mapping, type, true)));
    const signature = method
      ? `${shown[0]}.(${shown.slice(1).join(", ")})`
      : `(${shown.join(", ")})`;
    return this.#fail(
      expr.at,
      `found no matching overload for '${name}' applied to '${signature}'`,
    );
  }

  #logical(expr: Call, name: string, types: readonly CelType[]): CelType {
    let result = BOOL;
    types.forEach((type, index) => {
      if (isAssignable(this.#mapping, type, BOOL)) return;
      result = this.#mismatch(expr.args[index]!.at, BOOL, type);
    });
    this.#overloads.set(expr, FUNCTIONS.get(name)!);
    return result;
  }

  /** Returns the types of an overload, with type parameters of their own. */
  #fresh({ args, result }: Overload): { args: readonly CelType[]; result: CelType } {
    const mapping: Mapping = new Map();
    const visit = (type: CelType) => {
      if (type.kind === "param" && !mapping.has(type.name)) {
        mapping.set(type.name, this.#freeType());
      }
      type.params.forEach(visit);
    };
    args.forEach(visit);
    visit(result);
    if (mapping.size === 0) return { args, result };
    return {
      args: args.map((type) => substitute(mapping, type, false)),
      result: substitute(mapping, result, false),
    };
  }

  #freeType(): CelType {
    return typeParam(`_var${this.#freeTypes++}`);
  }

  /** Returns the type of an item that may be optional. */
  #item(expr: Expr, optional: boolean): CelType {
    const type = this.#check(expr);
    if (!optional) return type;
    const [inner, isOptional] = unwrapOptional(type);
    if (!isOptional && type.kind !== "dyn") this.#mismatch(expr.at, optionalOf(type), type);
    return inner;
  }

  #join(previous: CelType | undefined, type: CelType): CelType {
    if (previous === undefined) return type;
    return isAssignable(this.#mapping, previous, type) ? mostGeneral(previous, type) : DYN;
  }

  #list(expr: Expr & { kind: "list" }): CelType {
    let type: CelType | undefined;
    expr.items.forEach((item, index) => {
      type = this.#join(type, this.#item(item, expr.optional.has(index)));
    });
    return listOf(type ?? this.#freeType());
  }

  #map(expr: Expr & { kind: "map" }): CelType {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const { key, value, optional } of expr.entries) {
      keys = this.#join(keys, this.#check(key));
      values = this.#join(values, this.#item(value, optional));
    }
    return mapOf(keys ?? this.#freeType(), values ?? this.#freeType());
  }

  #fold(expr: Fold): CelType {
    const range = substitute(this.#mapping, this.#check(expr.range), false);
    const accumulator = this.#check(expr.start);
    this.#scopes.push(new Map([[expr.accumulator, accumulator]]));
    this.#scopes.push(this.#loopVariables(expr, range));
    this.#check(expr.condition);
    this.#assert(expr.condition, BOOL);
    this.#check(expr.step);
    this.#assert(expr.step, accumulator);
    this.#scopes.pop();
    const result = this.#check(expr.result);
    this.#scopes.pop();
    return substitute(this.#mapping, result, false);
  }

  #loopVariables({ variable, second, range }: Fold, type: CelType): Map<string, CelType> {
    let first = DYN;
    let other = DYN;
    if (type.kind === "list") {
      first = second === undefined ? type.params[0]! : INT;
      other = type.params[0]!;
    } else if (type.kind === "map") {
      first = type.params[0]!;
      other = type.params[1]!;
    } else if (["dyn", "error", "param"].includes(type.kind)) {
      isAssignable(this.#mapping, DYN, type);
    } else {
      first = other = this.#fail(
        range.at,
        `expression of type '${
          showType(type)
        }' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
    }
    return new Map([
      [variable, first],
      ...(second === undefined ? [] : [[second, other] as const]),
    ]);
  }

  #assert(expr: Expr, type: CelType): void {
    const actual = this.#types.get(expr)!;
    if (!isAssignable(this.#mapping, type, actual)) this.#mismatch(expr.at, type, actual);
  }
}

function literalText(expr: Expr): Value | undefined {
  return expr.kind === "literal" ? expr.value : undefined;
}

function literalType(value: Value): CelType {
  if (value === null) return NULL;
  switch (typeof value) {
    case "boolean":
      return BOOL;
    case "bigint":
      return INT;
    case "number":
      return DOUBLE;
    case "string":
      return STRING;
  }
  return value instanceof Uint ? UINT : BYTES;
}

/** Reports whether an expression uses a variable. */
export function usesVariable({ expr, names }: Checked, variable: string): boolean {
  for (const part of descendants(expr)) {
    if (part.kind === "ident" && names.get(part) === variable) return true;
  }
  return false;
}
