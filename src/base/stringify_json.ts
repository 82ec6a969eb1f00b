import { hasBigInteger } from "./big_integers.ts";
import { describeValue } from "./describe_value.ts";
import { isRecord, MAX_JSON_DEPTH } from "./json.ts";
import { requireCount } from "./numbers.ts";
import { isFlag, type OptionChecks, requireOptions } from "./options.ts";

/** Options of {@linkcode stringifyJson}. */
export interface StringifyOptions {
  /** The number of spaces by which each level is indented, up to 10. Default 0: everything is on one line. */
  readonly indent?: number | undefined;
  /** Whether the fields of objects are sorted, so that equal values have equal texts. Default false. */
  readonly sorted?: boolean | undefined;
}

const CHECKS: OptionChecks<StringifyOptions> = {
  indent: (name, value): void => {
    requireCount(name, value as number, 0);
    // JSON.stringify takes more for 10.
    if (value as number > 10) throw new RangeError(`${name} must be at most 10: received ${value}`);
  },
  sorted: isFlag,
};

/**
 * Writes a value as JSON like `JSON.stringify`, but exactly or not at all: a bigint and a whole number are written with
 * all their digits, where `JSON.stringify` throws or rounds, and a number or a date that JSON does not have is an
 * error, where `JSON.stringify` writes `null`. So integers that {@linkcode parseJson} has read are written as they
 * were.
 *
 * @param value The value. Fields that are undefined or functions are left out, and `toJSON()` is called, as in
 * `JSON.stringify`, but not that of bigints.
 * @param options How the text is laid out.
 * @throws {TypeError} If the value has NaN, an infinite number or an invalid date, or contains itself, or is nothing
 *   that
 * JSON has; the message names the path. If an option is not known or has the wrong type.
 * @throws {RangeError} If the value is nested more than 10,000 levels deep, which no API server reads.
 *
 * @example
 * ```ts
 * import { parseJson, stringifyJson } from "@kubeloop/controller/base";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * const text = '{"size":9007199254740993}';
 * assertEquals(parseJson(text), { size: 9007199254740993n });
 * assertEquals(stringifyJson(parseJson(text)), text);
 * assertThrows(() => stringifyJson({ spec: { size: NaN } }), TypeError, "spec.size");
 * ```
 */
export function stringifyJson(value: unknown, options: StringifyOptions = {}): string {
  requireOptions("stringifyJson()", options, CHECKS);
  const { indent = 0, sorted = false } = options;
  return (sorted ? undefined : native(value, indent)) ?? new Writer(indent, sorted).write(value);
}

/** Returns a value as JSON for a message. What JSON does not have, or what is too deep, is only described. */
export function showJson(value: unknown): string {
  try {
    return stringifyJson(value);
  } catch {
    return describeValue(value);
  }
}

/** Returns what the engine writes, ten times as fast; undefined if that may be wrong, or the engine cannot. */
function native(value: unknown, indent: number): string | undefined {
  // A program may have given bigints a method that writes them as text.
  if ("toJSON" in BigInt.prototype) return undefined;
  try {
    const text = JSON.stringify(value, undefined, indent);
    // It writes what it cannot express as null, and rounds whole numbers to 16 digits and zeros.
    return text === undefined || text.includes("null") || hasBigInteger(text) ? undefined : text;
  } catch {
    // A bigint, a cycle, or a value that is too deep for the stack: the writer handles or reports it.
    return undefined;
  }
}

/** An object or array that is being written. */
interface Open {
  readonly value: object;
  /** The keys; undefined for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  /** The index of the next key or item. */
  next: number;
  isEmpty: boolean;
}

/** Writes JSON without recursion. */
class Writer {
  readonly #indent: number;
  readonly #sorted: boolean;
  readonly #open: Open[] = [];
  readonly #ancestors = new Set<object>();
  readonly #parts: string[] = [];

  constructor(indent: number, sorted: boolean) {
    this.#indent = indent;
    this.#sorted = sorted;
  }

  write(root: unknown): string {
    const value = this.#prepared(root, "");
    if (!isWritable(value)) throw new TypeError(`Cannot write JSON: it has no ${typeof value}`);
    this.#value(value);
    for (let open; (open = this.#open.at(-1)) !== undefined;) {
      if (open.next < open.length) this.#member(open);
      else this.#close(open);
    }
    return this.#parts.join("");
  }

  #member(open: Open): void {
    const { value: parent, keys } = open;
    const key = keys?.[open.next] ?? String(open.next);
    open.next++;
    let value = this.#prepared((parent as Record<string, unknown>)[key], key);
    if (!isWritable(value)) {
      if (keys !== undefined) return;
      value = null;
    }
    this.#parts.push(open.isEmpty ? "" : ",", this.#newLine());
    open.isEmpty = false;
    if (keys !== undefined) this.#parts.push(JSON.stringify(key), this.#indent > 0 ? ": " : ":");
    this.#value(value);
  }

  #close({ value, keys, isEmpty }: Open): void {
    this.#open.pop();
    this.#ancestors.delete(value);
    this.#parts.push(isEmpty ? "" : this.#newLine(), keys === undefined ? "]" : "}");
  }

  #newLine(): string {
    return this.#indent > 0 ? `\n${" ".repeat(this.#indent * this.#open.length)}` : "";
  }

  /** Writes a scalar, or the beginning of an object or array. */
  #value(value: unknown): void {
    if (typeof value === "bigint") this.#parts.push(String(value));
    else if (typeof value === "number") this.#parts.push(this.#number(value));
    else if (typeof value !== "object" || value === null) this.#parts.push(JSON.stringify(value));
    else if (isRawJson(value)) this.#parts.push(value.rawJSON);
    else this.#begin(value);
  }

  #number(value: number): string {
    if (!Number.isFinite(value)) throw this.#refusal(`JSON has no ${value}`);
    // Beyond this, numbers are written with an exponent, which Kubernetes does not read as an integer.
    const isWhole = Number.isInteger(value) && Math.abs(value) < 1e21;
    return isWhole ? String(BigInt(value)) : JSON.stringify(value);
  }

  #begin(value: object): void {
    if (this.#ancestors.has(value)) throw this.#refusal("it contains itself");
    if (this.#open.length >= MAX_JSON_DEPTH) {
      throw new RangeError(
        `Cannot write JSON: it is nested more than ${MAX_JSON_DEPTH} levels deep, which an API server does not read`,
      );
    }
    this.#ancestors.add(value);
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    if (this.#sorted) (keys as string[] | undefined)?.sort();
    const length = keys?.length ?? (value as unknown[]).length;
    this.#open.push({ value, keys, length, next: 0, isEmpty: true });
    this.#parts.push(keys === undefined ? "[" : "{");
  }

  /** Returns what `JSON.stringify` would write in place of a value. */
  #prepared(value: unknown, key: string): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof BigInt) return value.valueOf();
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON !== "function") return unboxed(value);
    if (value instanceof Date && Number.isNaN(value.getTime())) {
      throw this.#refusal("it is no valid date");
    }
    const converted: unknown = toJSON.call(value, key);
    return typeof converted === "object" && converted !== null ? unboxed(converted) : converted;
  }

  #refusal(problem: string): TypeError {
    return new TypeError(`Cannot write ${this.#path() || "this value"} as JSON: ${problem}`);
  }

  /** Returns the path of the value that is being written, such as `spec.ports[0].name`. */
  #path(): string {
    let path = "";
    for (const { keys, next } of this.#open.slice(0, MAX_PATH)) {
      const key = keys?.[next - 1];
      if (key === undefined) path += `[${next - 1}]`;
      else if (!/^[\w$-]{1,100}$/.test(key)) path += `[${JSON.stringify(key.slice(0, 100))}]`;
      else path += path === "" ? key : `.${key}`;
    }
    return this.#open.length > MAX_PATH ? `${path}…` : path;
  }
}

/** The steps of a path that a message has. */
const MAX_PATH = 20;

/** Reports whether JSON has such a value. `JSON.stringify` leaves out the others. */
function isWritable(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

/** Returns the primitive in a `Number`, `String` or `Boolean` object, and any other object itself. */
function unboxed(value: object): unknown {
  const isBoxed = value instanceof Number || value instanceof String || value instanceof Boolean;
  return isBoxed ? value.valueOf() : value;
}

/** Reports whether an object is a literal that `JSON.rawJSON` has made. */
function isRawJson(value: object): value is { readonly rawJSON: string } {
  const { isRawJSON } = JSON as { isRawJSON?: (value: unknown) => boolean };
  return isRecord(value) && isRawJSON?.(value) === true;
}
