import { describeValue } from "../base/mod.ts";
import { MAX_DEPTH } from "./max_depth.ts";
import { blockText, literalBlock } from "./yaml_text.ts";

/** Options of {@linkcode writeYaml}. */
export interface WriteYamlOptions {
  /** Whether to sort the fields of objects by their names. Default: false. */
  readonly sortKeys?: boolean | undefined;
}

/** The longest key that stands on the line of its value, in characters: YAML has a limit of 1024. */
const MAX_KEY = 1000;

/**
 * Writes a value of JSON as a document of YAML that Kubernetes reads as the same value, and with it every other parser
 * of YAML 1.1 or 1.2. Texts that may be read as something else are quoted. A bigint is written as its digits. Fields
 * that are undefined are left out, as by `JSON.stringify`.
 *
 * @param value The value.
 * @returns The document, which ends with a line break.
 * @throws {TypeError} If a number is not finite, or a value cannot be JSON.
 * @throws {RangeError} If the value is nested too deeply, or contains itself.
 */
export function writeYaml(value: unknown, { sortKeys = false }: WriteYamlOptions = {}): string {
  return new Writer(sortKeys).write(value);
}

class Writer {
  readonly #sortKeys: boolean;
  #text = "";

  constructor(sortKeys: boolean) {
    this.#sortKeys = sortKeys;
  }

  write(given: unknown): string {
    const value = jsonValue(given);
    if (value === undefined) throw new TypeError(`Cannot write ${describeValue(given)} as YAML`);
    if (isCollection(value)) this.#collection(value, "", "", 0);
    else this.#text = scalar(value, "");
    return this.#text;
  }

  /** Writes the items or fields of a value, each on its own line. The first line has another indentation. */
  #collection(value: Collection, first: string, indent: string, depth: number): void {
    if (depth > MAX_DEPTH) {
      throw new RangeError(
        `Cannot write YAML of more than ${MAX_DEPTH} levels: the value may contain itself`,
      );
    }
    let start = first;
    if (Array.isArray(value)) {
      for (const item of value) {
        this.#text += `${start}-`;
        this.#item(jsonValue(item) ?? null, indent, depth);
        start = indent;
      }
      return;
    }
    const keys = Object.keys(value);
    for (const key of this.#sortKeys ? keys.sort() : keys) {
      const member = jsonValue(value[key]);
      if (member === undefined) continue;
      const text = blockText(key);
      this.#text += text.length <= MAX_KEY ? `${start}${text}:` : `${start}? ${text}\n${indent}:`;
      this.#member(member, indent, depth);
      start = indent;
    }
  }

  /** Writes an item behind its dash. */
  #item(value: unknown, indent: string, depth: number): void {
    if (isCollection(value)) this.#collection(value, " ", `${indent}  `, depth + 1);
    else this.#text += ` ${scalar(value, indent)}`;
  }

  /** Writes the value of a field behind its colon. */
  #member(value: unknown, indent: string, depth: number): void {
    if (isCollection(value)) {
      this.#text += "\n";
      this.#collection(value, `${indent}  `, `${indent}  `, depth + 1);
    } else this.#text += ` ${scalar(value, indent)}`;
  }
}

type Collection = unknown[] | Record<string, unknown>;

/** Reports whether a value has lines of its own. */
function isCollection(value: unknown): value is Collection {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value)
    ? value.length > 0
    : Object.values(value).some((member) => jsonValue(member) !== undefined);
}

/** Returns the JSON form of a value; undefined if JSON omits it. */
function jsonValue(value: unknown): unknown {
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value) : value;
}

/** Returns a value other than a collection, with the line break behind it. */
function scalar(value: unknown, indent: string): string {
  if (typeof value === "string") {
    return literalBlock(value, `${indent}  `) ?? `${blockText(value)}\n`;
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`Cannot write ${value} as YAML: expected a finite number`);
  }
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[]\n" : "{}\n";
  return `${value}\n`;
}
