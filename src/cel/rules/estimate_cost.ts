import type { Checked } from "../program/mod.ts";
import { ACCUMULATOR, type Call, type Expr, type Fold } from "../syntax/mod.ts";
import { BYTES, type CelType, isOptionalType, sameType, STRING } from "../types/mod.ts";
import { sizeOf } from "../values/mod.ts";
import type { DeclType } from "../schema/mod.ts";

/** The largest number of the real server's costs. */
const MAX = 2n ** 64n - 1n;
const CHAR = 0.1;
const PATTERN_CHAR = 0.25;

/** The least and the most that something may cost, or that its size may be. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

const cap = (value: bigint) => value > MAX ? MAX : value;
const fixed = (value: bigint): Range => ({ min: value, max: value });
const ZERO = fixed(0n);
const ONE = fixed(1n);
const UNKNOWN: Range = { min: 0n, max: MAX };
const add = (...all: readonly Range[]): Range => ({
  min: cap(all.reduce((sum, one) => sum + one.min, 0n)),
  max: cap(all.reduce((sum, one) => sum + one.max, 0n)),
});
const times = (a: Range, b: Range): Range => ({ min: cap(a.min * b.min), max: cap(a.max * b.max) });
const least = (a: bigint, b: bigint) => a < b ? a : b;
const most = (a: bigint, b: bigint) => a > b ? a : b;

/** Multiplies with a factor that may be a fraction, as the real server does: in floating-point numbers. */
function scaled(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? MAX : BigInt(product);
}

const scale = ({ min, max }: Range, factor: number): Range => ({
  min: scaled(min, factor),
  max: scaled(max, factor),
});
const union = (a: Range, b: Range): Range => ({
  min: least(a.min, b.min),
  max: most(a.max, b.max),
});

/** The sizes of the keys or indexes and of the values of a list or map. */
interface EntrySize {
  readonly kind: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

/** A variable of a loop or binding. */
interface Local {
  readonly path: readonly string[] | undefined;
  readonly size: Range | undefined;
  readonly entries: EntrySize | undefined;
}

/** An argument of a call. */
interface Node {
  readonly expr: Expr;
  readonly type: CelType;
  readonly path: readonly string[] | undefined;
  /** The size, as far as the expression says it. */
  readonly size: Range | undefined;
}

/** The cost of a call, and the size of its result. */
interface CallCost {
  readonly cost: Range;
  readonly size?: Range | undefined;
}

/**
 * Estimates the maximum cost of an expression.
 *
 * @param roots The types of the variables, with the sizes of their values.
 */
export function estimateCost(checked: Checked, roots: ReadonlyMap<string, DeclType>): bigint {
  return new Estimator(checked, roots).cost(checked.expr).max;
}

class Estimator {
  readonly #checked: Checked;
  readonly #roots: ReadonlyMap<string, DeclType>;
  readonly #paths = new Map<Expr, readonly string[]>();
  readonly #locals = new Map<string, Local[]>();
  readonly #sizes = new Map<Expr, Range>();
  readonly #entries = new Map<Expr, EntrySize>();

  constructor(checked: Checked, roots: ReadonlyMap<string, DeclType>) {
    this.#checked = checked;
    this.#roots = roots;
  }

  cost(expr: Expr): Range {
    if (expr.kind !== "call" && this.#checked.names.has(expr)) return this.#ident(expr);
    switch (expr.kind) {
      case "select":
        return this.#select(expr);
      case "call":
        return this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "fold":
        return isBinding(expr) ? this.#binding(expr) : this.#fold(expr);
      default:
        return ZERO;
    }
  }

  #type(expr: Expr): CelType {
    return this.#checked.types.get(expr)!;
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name) ?? [];
    stack.push(local);
    this.#locals.set(name, stack);
  }

  #pop(name: string): void {
    this.#locals.get(name)!.pop();
  }

  #path(expr: Expr): readonly string[] | undefined {
    const local = expr.kind === "ident" ? this.#local(expr.name) : undefined;
    return local === undefined ? this.#paths.get(expr) : local.path;
  }

  #ident(expr: Expr): Range {
    const name = this.#checked.names.get(expr)!;
    const local = this.#local(name);
    const path = local === undefined ? [name] : local.path;
    if (path !== undefined) this.#paths.set(expr, path);
    return ONE;
  }

  #select(expr: Expr & { kind: "select" }): Range {
    const operand = this.cost(expr.operand);
    if (expr.test) return operand;
    this.#paths.set(expr, [...(this.#path(expr.operand) ?? []), expr.field]);
    const { kind } = this.#type(expr.operand);
    return ["map", "struct", "param"].includes(kind) ? add(operand, ONE) : operand;
  }

  #list(expr: Expr & { kind: "list" }): Range {
    let size: Range = { min: expr.items.length === 0 ? 0n : MAX, max: 0n };
    const costs = expr.items.map((item) => {
      const cost = this.cost(item);
      size = union(size, this.#sizeOr(item));
      return cost;
    });
    this.#entries.set(expr, { kind: "list", key: ONE, value: size });
    return add(...costs, fixed(10n));
  }

  #map(expr: Expr & { kind: "map" }): Range {
    const start: Range = { min: expr.entries.length === 0 ? 0n : MAX, max: 0n };
    let [keySize, valueSize] = [start, start];
    const costs = expr.entries.flatMap(({ key, value }) => {
      const both = [this.cost(key), this.cost(value)];
      keySize = union(keySize, this.#sizeOr(key));
      valueSize = union(valueSize, this.#sizeOr(value));
      return both;
    });
    this.#entries.set(expr, { kind: "map", key: keySize, value: valueSize });
    return add(...costs, fixed(30n));
  }

  #pushBinding(name: string, expr: Expr): void {
    this.#push(name, {
      path: this.#path(expr),
      size: this.#size(expr),
      entries: this.#entrySize(expr),
    });
  }

  #pushLoop(name: string, range: Expr, part: "key" | "value" | "single"): void {
    const entries = this.#entrySize(range);
    const isList = (entries?.kind ?? this.#type(range).kind) === "list";
    const wantsValue = part === "value" || (part === "single" && isList);
    const step = wantsValue ? (isList ? "@items" : "@values") : isList ? "@indices" : "@keys";
    this.#push(name, {
      path: [...(this.#path(range) ?? []), step],
      size: wantsValue ? entries?.value : entries?.key,
      entries: undefined,
    });
  }

  #fold(expr: Fold): Range {
    const { range, start, condition, step, result, accumulator, variable, second } = expr;
    const before = add(this.cost(range), this.cost(start));
    this.#pushBinding(accumulator, start);
    this.#pushLoop(variable, range, second === undefined ? "single" : "key");
    if (second !== undefined) this.#pushLoop(second, range, "value");
    const loop = add(this.cost(condition), this.cost(step));
    this.#pop(variable);
    if (second !== undefined) this.#pop(second);
    const after = this.cost(result);
    this.#pop(accumulator);
    const count = this.#sizeOr(range);
    if (start.kind === "literal") this.#setSize(expr, this.#size(start));
    else if (start.kind === "list" || start.kind === "map") {
      this.#setSize(expr, count);
      const entries = this.#entrySize(step);
      if (entries !== undefined) this.#entries.set(expr, entries);
    }
    return add(before, after, times(count, loop));
  }

  #binding(expr: Fold): Range {
    const before = add(this.cost(expr.range), this.cost(expr.start));
    this.#pushBinding(expr.accumulator, expr.start);
    const after = this.cost(expr.result);
    this.#pop(expr.accumulator);
    this.#copySizes(expr, expr.result);
    return add(before, after);
  }

  #copySizes(to: Expr, from: Expr): void {
    this.#setSize(to, this.#size(from));
    const entries = this.#entrySize(from);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #setSize(expr: Expr, size: Range | undefined): void {
    if (size !== undefined) this.#sizes.set(expr, size);
  }

  #sizeOr(expr: Expr): Range {
    return this.#size(expr) ?? UNKNOWN;
  }

  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr);
    if (known !== undefined) return known;
    const declared = this.#declaredSize(this.#path(expr));
    if (declared !== undefined) {
      this.#sizes.set(expr, declared);
      return declared;
    }
    if (isScalar(this.#type(expr))) return ONE;
    return expr.kind === "ident" ? this.#local(expr.name)?.size : undefined;
  }

  /** Returns the size that the schema gives the value at a path. */
  #declaredSize(path: readonly string[] | undefined): Range | undefined {
    if (path === undefined || path.length === 0) return undefined;
    // As in the real server, the name of the variable does not count unless there are several.
    let here = this.#roots.get(path[0]!) ?? this.#roots.get("");
    for (const step of path.slice(1)) {
      if (step === "@items" || step === "@values") here = here?.elements;
      else if (step === "@keys") here = here?.keys;
      else here = here?.fields?.get(step);
    }
    return here === undefined ? undefined : { min: 0n, max: BigInt(here.maxElements) };
  }

  #entrySize(expr: Expr): EntrySize | undefined {
    const known = this.#entries.get(expr);
    if (known !== undefined) return known;
    return expr.kind === "ident" ? this.#local(expr.name)?.entries : undefined;
  }

  #node(expr: Expr): Node {
    const path = this.#path(expr);
    const hidden = path?.[0] === ACCUMULATOR;
    return {
      expr,
      type: this.#type(expr),
      path: hidden ? undefined : path,
      size: this.#size(expr),
    };
  }

  #nodeSize({ size, path }: Node): Range {
    return size ?? this.#declaredSize(path) ?? UNKNOWN;
  }

  #call(expr: Call): Range {
    const { name, args, target } = expr;
    if (name === "dyn" && target === undefined) {
      const cost = this.cost(args[0]!);
      this.#copySizes(expr, args[0]!);
      return add(ONE, cost);
    }
    const costs = args.map((arg) => this.cost(arg));
    const nodes = args.map((arg) => this.#node(arg));
    const method = target !== undefined && !this.#checked.names.has(expr);
    const own = method ? this.cost(target) : ZERO;
    const targetNode = method ? this.#node(target) : undefined;
    let total: Range = { min: MAX, max: 0n };
    let size: Range | undefined;
    const function_ = this.#checked.names.get(expr) ?? name;
    for (const { id } of this.#checked.overloads.get(expr) ?? []) {
      const one = this.#function(expr, function_, id, targetNode, nodes, costs);
      total = union(total, one.cost);
      if (one.size !== undefined) size = size === undefined ? one.size : union(size, one.size);
      if (id === "index_list" || id === "index_map") {
        size = this.#entrySize(args[0]!)?.value;
        const step = id === "index_list" ? "@items" : "@values";
        this.#paths.set(expr, [...(this.#path(args[0]!) ?? []), step]);
      }
      size ??= this.#size(expr);
    }
    this.#setSize(expr, size);
    return add(own, total);
  }

  #function(
    expr: Call,
    name: string,
    id: string,
    target: Node | undefined,
    args: readonly Node[],
    costs: readonly Range[],
  ): CallCost {
    const all = add(...costs);
    const known = this.#library(name, id, target, args);
    if (known !== undefined) return { cost: add(known.cost, all), size: known.size };
    const sizes = args.map((arg) => arg.size ?? UNKNOWN);
    const [first = UNKNOWN, second = UNKNOWN] = sizes;
    const [left = ZERO, right = ZERO, other = ZERO] = costs;
    switch (id) {
      case "string_format":
        return { cost: add(scale(target?.size ?? UNKNOWN, CHAR), all) };
      case "string_to_bytes":
        return {
          cost: add(scale(first, CHAR), all),
          size: { min: first.min, max: cap(first.max * 4n) },
        };
      case "bytes_to_string":
        return {
          cost: add(scale(first, CHAR), all),
          size: { min: first.min / 4n, max: first.max },
        };
      case "strings_quote":
        return {
          cost: add(scale(first, CHAR), all),
          size: { min: first.min + 2n, max: cap(first.max * 2n + 2n) },
        };
      case "starts_with_string":
      case "ends_with_string":
        return { cost: add(scale(first, CHAR), all) };
      case "in_list":
        return { cost: add(second, all) };
      case "matches_string":
        return {
          cost: add(
            times(scale(add(target?.size ?? UNKNOWN, ONE), CHAR), scale(first, PATTERN_CHAR)),
            all,
          ),
        };
      case "contains_string":
        return {
          cost: add(times(scale(target?.size ?? UNKNOWN, CHAR), scale(first, CHAR)), all),
        };
      case "logical_or":
      case "logical_and":
        return { cost: { min: left.min, max: add(left, right).max } };
      case "conditional":
        return this.#conditional(expr, args, left, union(right, other));
      case "add_string":
      case "add_bytes":
      case "add_list":
        return this.#addition(expr, id, add(first, second), all);
    }
    if (/^(less|greater)(_equals)?_(string|bytes)$|^(not_)?equals$/.test(id)) {
      const max = least(first.max, second.max);
      return { cost: add(scale({ min: max > 0n ? 1n : 0n, max }, CHAR), all) };
    }
    return { cost: add(ONE, all) };
  }

  #conditional(expr: Call, args: readonly Node[], test: Range, branches: Range): CallCost {
    const [yes, no] = [args[1]!, args[2]!];
    const [a, b] = [this.#entrySize(yes.expr), this.#entrySize(no.expr)];
    if (a !== undefined && b !== undefined) this.#entries.set(expr, unionEntries(a, b));
    const size = union(yes.size ?? UNKNOWN, no.size ?? UNKNOWN);
    return { cost: add(test, branches), size };
  }

  #addition(expr: Call, id: string, size: Range, all: Range): CallCost {
    const [a, b] = expr.args.map((arg) => this.#entrySize(arg));
    if (a !== undefined && b !== undefined) this.#entries.set(expr, unionEntries(a, b));
    const own = id === "add_list" ? ONE : scale(size, CHAR);
    return { cost: add(own, all), size };
  }

  /** Returns the costs of Kubernetes' own functions, and of the functions of lists and sets. */
  #library(
    name: string,
    id: string,
    target: Node | undefined,
    args: readonly Node[],
  ): CallCost | undefined {
    const sizes = args.map((arg) => this.#nodeSize(arg));
    const own = target === undefined ? UNKNOWN : this.#nodeSize(target);
    const listed = this.#listFunction(id, own, target, args, sizes);
    if (listed !== undefined) return listed;
    const [first = UNKNOWN, second = UNKNOWN] = sizes;
    switch (name) {
      case "check":
        return { cost: fixed(350_000n) };
      case "serviceAccount":
      case "path":
      case "group":
      case "resource":
      case "subresource":
      case "namespace":
      case "name":
      case "allowed":
      case "reason":
      case "error":
      case "errored":
      case "masked":
      case "prefixLength":
      case "family":
      case "isUnspecified":
      case "isLoopback":
      case "isLinkLocalMulticast":
      case "isLinkLocalUnicast":
      case "isGlobalUnicast":
      case "format.named":
      case "sign":
      case "asInteger":
      case "isInteger":
      case "asApproximateFloat":
      case "isGreaterThan":
      case "isLessThan":
      case "compareTo":
      case "add":
      case "sub":
      case "major":
      case "minor":
      case "patch":
      case "getScheme":
      case "getHostname":
      case "getHost":
      case "getPort":
      case "getEscapedPath":
      case "getQuery":
        return { cost: ONE };
      case "fieldSelector":
      case "labelSelector":
        return { cost: add(fixed(10n), scale(first, CHAR), scale(scale(first, 0.5), 50)) };
      case "isSorted":
      case "sum":
      case "max":
      case "min":
      case "indexOf":
      case "lastIndexOf":
        return target === undefined ? undefined : { cost: this.#traversal(target, own) };
      case "url":
        return { cost: scale(first, CHAR), size: first };
      case "lowerAscii":
      case "upperAscii":
      case "substring":
      case "trim":
        return target === undefined ? undefined : { cost: scale(own, CHAR), size: own };
      case "replace":
        return target === undefined || args.length < 2
          ? undefined
          : { cost: scale(own, 2 * CHAR), size: replacedSize(own, first, second) };
      case "split":
        return target === undefined ? undefined : split(own, args[1]);
      case "join":
        return target === undefined ? undefined : this.#join(target, own, args[0]);
      case "find":
      case "findAll":
        return {
          cost: times(scale(add(own, ONE), CHAR), scale(first, PATTERN_CHAR)),
          size: { min: 0n, max: own.max },
        };
      case "ip":
        return { cost: id === "cidr_ip" ? ONE : scale(first, CHAR) };
      case "cidr":
      case "isIP":
      case "isCIDR":
      case "quantity":
      case "isQuantity":
      case "semver":
      case "isSemver":
        return { cost: scale(first, CHAR) };
      case "ip.isCanonical":
        return { cost: scale(first, 2 * CHAR) };
      case "containsIP":
      case "containsCIDR":
        return { cost: contains(id, first) };
      case "validate":
        return { cost: scale(scale(first, CHAR), 128 * PATTERN_CHAR) };
      case "_==_":
        return sameOpaque(args) ? { cost: ONE } : undefined;
      default:
        return undefined;
    }
  }

  /** Returns the size of the items of a list. */
  #itemSize({ path, type }: Node): Range | undefined {
    if (type.params.length === 0) return undefined;
    return (path && this.#declaredSize([...path, "@items"])) ?? UNKNOWN;
  }

  #traversal(target: Node, own: Range): Range {
    const size = this.#itemSize(target);
    if (size === undefined) return scale(own, CHAR);
    const item = target.type.params[0]!;
    const hasText = item === STRING || item === BYTES;
    return times(own, hasText ? add(ONE, scale(size, CHAR)) : ONE);
  }

  #join(target: Node, list: Range, separator: Node | undefined): CallCost {
    const item = this.#itemSize(target);
    let size = item === undefined ? ZERO : times(list, item);
    if (separator !== undefined) {
      const count = { min: most(1n, list.min) - 1n, max: most(1n, list.max) - 1n };
      size = add(size, times(this.#nodeSize(separator), count));
    }
    return { cost: scale(size, CHAR), size };
  }

  #listFunction(
    id: string,
    own: Range,
    target: Node | undefined,
    args: readonly Node[],
    sizes: readonly Range[],
  ): CallCost | undefined {
    const allocating = (factor: number, size: Range): CallCost => ({
      cost: add(scale(size, factor), fixed(11n)),
      size,
    });
    const [first = UNKNOWN, second = UNKNOWN] = sizes;
    switch (id) {
      case "list_slice": {
        const [start, end] = [literalInt(args[0]!, 0n), literalInt(args[1]!, own.max)];
        // A range that ends before it starts is immensely long in the real server.
        return allocating(1, fixed(BigInt.asUintN(64, end - start)));
      }
      case "lists_range":
        return allocating(1, fixed(literalInt(args[0]!, MAX)));
      case "list_reverse":
      case "list_flatten":
        return allocating(1, own);
      case "list_flatten_int":
        return allocating(Number(literalInt(args[0]!, MAX)), own);
      case "list_distinct":
        return allocating(2, times(own, own));
      case "list_sets_contains_list":
      case "list_sets_intersects_list":
        return { cost: add(times(first, second), ONE) };
      case "list_sets_equivalent_list":
        return { cost: add(scale(times(first, second), 2), ONE) };
    }
    const sorted = /^list_(.+)_sort(ByAssociatedKeys)?$/.exec(id);
    if (sorted === null || target === undefined) return undefined;
    const size = sorted[2] === undefined ? own : first;
    return allocating(["string", "bytes"].includes(sorted[1]!) ? 2.1 : 2, times(size, size));
  }
}

function unionEntries(a: EntrySize, b: EntrySize): EntrySize {
  return { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };
}

function isBinding({ range, condition, accumulator }: Fold): boolean {
  return range.kind === "list" && range.items.length === 0 && condition.kind === "literal" &&
    condition.value === false && accumulator !== ACCUMULATOR;
}

function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === "literal") return fixed(BigInt(sizeOf(expr.value)));
  if (expr.kind === "list") return fixed(BigInt(expr.items.length));
  return expr.kind === "map" ? fixed(BigInt(expr.entries.length)) : undefined;
}

function isScalar(type: CelType): boolean {
  if (isOptionalType(type)) return isScalar(type.params[0]!);
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(type.kind);
}

function literalInt({ expr }: Node, otherwise: bigint): bigint {
  if (expr.kind !== "literal" || typeof expr.value !== "bigint") return otherwise;
  return most(0n, expr.value);
}

function split(own: Range, limit: Node | undefined): CallCost {
  const literal = limit?.expr.kind === "literal" ? limit.expr.value : undefined;
  const max = typeof literal === "bigint" ? BigInt.asUintN(64, literal) : own.max;
  return { cost: scale(own, 0.2), size: { min: 0n, max } };
}

function replacedSize(own: Range, old: Range, next: Range): Range {
  const occurrences = (size: bigint, part: bigint) => scaled(size, 1 / Number(part));
  let count = ZERO;
  let kept = ZERO;
  if (old.min === 0n) {
    count = { ...count, max: cap(own.max + 1n) };
    kept = { ...kept, max: own.max };
  } else if (next.max <= old.min) kept = { ...kept, max: own.max };
  else count = { ...count, max: occurrences(own.max, old.min) };
  if (old.max === 0n) {
    count = { ...count, min: cap(own.min + 1n) };
    kept = { ...kept, min: own.min };
  } else if (old.max <= next.min) kept = { ...kept, min: own.min };
  else count = { ...count, min: occurrences(own.min, old.max) };
  return add(times(count, next), kept);
}

function contains(id: string, other: Range): Range {
  const address: Range = { min: 4n, max: 16n };
  const base = scale(add(address, address), CHAR);
  const inner = id.startsWith("cidr_contains_cidr") ? add(scale(address, CHAR), ONE) : ZERO;
  const text = id.endsWith("_string") ? scale(other, CHAR) : ZERO;
  return add(base, inner, text);
}

/** Reports whether two values are of the same type of Kubernetes' libraries. */
function sameOpaque(args: readonly Node[]): boolean {
  const [a, b] = args.map(({ type }) => type);
  return a !== undefined && b !== undefined && sameType(a, b) &&
    ["opaque", "struct"].includes(a.kind) && a.fields === undefined && !isOptionalType(a);
}
