import { describeError, MAX_JSON_DEPTH, setOwn } from "../base/mod.ts";
import { typeBoxMark } from "./markers.ts";

/** A value of JSON. A bigint is an integer that a number cannot hold exactly. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

/** The limits of a copy, and the words of its errors. */
interface CopyRules {
  /** The noun for the copied value in errors. */
  readonly noun: "schema" | "value";
  readonly maxDepth: number;
  readonly maxValues: number;
  /** The error of a value with more levels than `maxDepth`. */
  readonly tooDeep: string;
  /** The error of a value that contains itself. */
  readonly cyclic: string;
  /** The maximum length of a path in an error, in characters. */
  readonly maxPath: number;
}

/** Real schemas have about 30 levels of objects, each of them two levels of JSON, and at most about 50,000 values. */
const SCHEMA: CopyRules = {
  noun: "schema",
  maxDepth: 200,
  maxValues: 500_000,
  tooDeep: "cannot read the schema: it is nested deeper than 200",
  cyclic: "cannot express a recursive schema: an API server allows no cycle",
  maxPath: Infinity,
};

/** An object of an API server has at most 3 MiB, and so fewer values with names. */
const VALUE: CopyRules = {
  noun: "value",
  maxDepth: MAX_JSON_DEPTH,
  maxValues: 2_000_000,
  tooDeep: `cannot read the value: it has more than ${MAX_JSON_DEPTH} levels`,
  cyclic: "cannot read the value: it contains itself",
  maxPath: 200,
};

/**
 * Copies a schema into plain JSON. Symbols and undefined fields are omitted, as by `JSON.stringify`; the functions of
 * TypeBox are marked.
 *
 * @throws {TypeError} If the schema contains a value that is not JSON, a cycle or a throwing getter, or is too deep or large.
 */
export function plainJson(schema: unknown, path: string): Json {
  return copy(schema, path, SCHEMA);
}

/**
 * Copies a value to validate into plain JSON. Symbols and undefined fields are omitted, as by `JSON.stringify`.
 *
 * @throws {TypeError} If the value contains a value that is not JSON, a cycle or a throwing getter, or is too deep or large.
 */
export function plainValue(value: unknown, path: string): Json {
  return copy(value, path, VALUE);
}

/** An object or list whose members are being copied. */
interface Open {
  readonly source: object;
  readonly copied: Json[] | JsonObject;
  readonly names: readonly string[];
  /** The number of copied names. */
  done: number;
}

/** Copies without recursion, because values may be deeper than the call stack. */
function copy(value: unknown, path: string, rules: CopyRules): Json {
  const { noun, maxDepth, maxValues, maxPath } = rules;
  const open: Open[] = [];
  const sources = new Set<object>();
  let values = 0;
  const refuse = (why: string, cause?: unknown) => {
    const names = open.map(({ source, names, done }) =>
      Array.isArray(source) ? `[${done - 1}]` : `.${names[done - 1]}`
    );
    const text = path + names.join("");
    const shown = text.length > maxPath ? `${text.slice(0, maxPath)}…` : text;
    return new TypeError(`${shown}: ${why}`, { cause });
  };
  const unreadable = (why: string, cause?: unknown) =>
    refuse(`cannot read the ${noun}: ${why}`, cause);
  const enter = (one: unknown): Json => {
    if (++values > maxValues) throw unreadable(`it has more than ${maxValues} values`);
    if (one === null || typeof one === "string" || typeof one === "boolean") return one;
    if (typeof one === "bigint" || Number.isFinite(one)) return one as number | bigint;
    if (typeof one !== "object") {
      const isNamed = typeof one === "number" || one === undefined;
      throw unreadable(`${isNamed ? String(one) : `a ${typeof one}`} is not JSON`);
    }
    if (sources.has(one)) throw refuse(rules.cyclic);
    if (open.length >= maxDepth) throw refuse(rules.tooDeep);
    const isList = Array.isArray(one);
    const copied: Json[] | JsonObject = isList ? [] : {};
    const names = isList ? Array.from(one, (_, index) => String(index)) : Object.keys(one);
    sources.add(one);
    open.push({ source: one, copied, names, done: 0 });
    return copied;
  };
  const read = (source: object, name: string): unknown => {
    try {
      return (source as Record<string, unknown>)[name];
    } catch (error) {
      throw unreadable(describeError(error), error);
    }
  };
  const root = enter(value);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const { source, copied, names } = last;
    const name = names[last.done];
    if (name === undefined) {
      const mark = noun === "schema" ? typeBoxMark(source) : undefined;
      if (mark !== undefined) (copied as JsonObject)[mark[0]] = mark[1];
      sources.delete(source);
      open.pop();
      continue;
    }
    last.done++;
    if (noun === "schema" && name === "__proto__") {
      throw refuse("cannot express a field of this name");
    }
    const member = read(source, name);
    if (Array.isArray(copied)) copied.push(enter(member));
    else if (member !== undefined) setOwn(copied, name, enter(member));
  }
  return root;
}

/** Reports whether a value is an object of JSON, and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a copy with sorted keys at each level, so that equal values have equal text. */
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sortKeys(value[key]!)]));
}

/** API servers have integers of 64 bits, and read larger ones as other numbers. */
const INTEGER_LIMIT = 2 ** 63;

/** Reports whether a value is a number of JSON. */
export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Returns the JSON type of a value, as API servers determine it. */
export function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") {
    return value >= -INTEGER_LIMIT && value < INTEGER_LIMIT ? "integer" : "number";
  }
  if (typeof value === "number") {
    return Number.isInteger(value) && Math.abs(value) < INTEGER_LIMIT ? "integer" : "number";
  }
  return typeof value;
}
