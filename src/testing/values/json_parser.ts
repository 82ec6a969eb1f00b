import { goInteger } from "./json_text.ts";
import { MAX_JSON_DEPTH } from "./json_depth.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  quote,
  setOwn,
} from "@kubeloop/controller/internal/values";

/** Facts about a text that the parsed value does not show. */
export interface JsonNotes {
  /** The paths of the keys that occur more than once in their object: the first hundred of them. */
  readonly duplicates: ReadonlySet<string>;
  /**
   * The texts of numbers that Go's decoder reads otherwise, by path: `1.0` and `1e3`, which are not integers in Go, and
   * integers of more than 64 bits.
   */
  readonly literals: ReadonlyMap<string, string>;
  /** Whether the value is converted from Go's maps, where a whole float becomes an integer, and not decoded from JSON. */
  readonly isConverted?: boolean;
}

/** The notes about a value that is converted from Go's maps. */
export const CONVERTED: JsonNotes = {
  duplicates: new Set(),
  literals: new Map(),
  isConverted: true,
};

/** The notes about a value that was not parsed from JSON. */
export const NO_NOTES: JsonNotes = { duplicates: new Set(), literals: new Map() };

/** The result of {@linkcode parseJson}. */
export interface ParsedJson extends JsonNotes {
  /** The parsed value. */
  readonly value: Json;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** The length of the longest integer of 64 bits. */
const MAX_INT64_LENGTH = 20;

/** The maximum number of kept literals, which bounds the memory of their paths. */
const MAX_LITERALS = 1000;

/** The maximum number of duplicate keys that are reported, as in the API server. */
const MAX_DUPLICATES = 100;

/**
 * The maximum length of the path of a key that is reported. The engine puts the text of a path together when it is
 * looked up, which takes long for many keys below a long one.
 */
export const MAX_PATH: number = 1000;

/**
 * Parses JSON and reports syntax errors with the messages of Go's decoder.
 *
 * @param text The request body.
 * @param merge Whether a duplicate key merges objects into the earlier value, as Go does for structs, or replaces the
 * earlier value, as Go does for maps.
 * @throws {SyntaxError} If `text` is not valid JSON or is nested too deeply.
 */
export function parseJson(text: string, merge: boolean): ParsedJson {
  const value = parsePlain(text);
  return value === undefined ? new Parser(text, merge).parse() : { value, ...NO_NOTES };
}

/** The maximum nesting depth of JSON in Go. */
const GO_MAX_DEPTH = 10_000;

/** Reports whether Go takes a text for JSON. It may be nested deeper than {@linkcode parseJson} reads. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
  } catch {
    return false;
  }
  return text.length <= GO_MAX_DEPTH || depthOf(text) <= GO_MAX_DEPTH;
}

/** Returns the nesting depth of JSON. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') isInText = !isInText;
    else if (isInText) at += char === "\\" ? 1 : 0;
    else if (char === "[" || char === "{") deepest = Math.max(deepest, ++depth);
    else if (char === "]" || char === "}") depth--;
  }
  return deepest;
}

/** Matches text that the engine may read otherwise than Go: exponents, long numbers and halves of surrogate pairs. */
const NOT_PLAIN = /\de[+-]|\d{16}|\\ud/;

/**
 * Returns the value of a text as JSON.stringify() writes it, which most clients use. Such a text has no duplicate keys
 * and no unusual numbers, so the engine reads it many times faster. Returns undefined for every other text.
 */
function parsePlain(text: string): Json | undefined {
  if (NOT_PLAIN.test(text) || mayBeDeep(text)) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text has so many opening brackets that its depth must be counted. */
function mayBeDeep(text: string): boolean {
  let count = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > MAX_JSON_DEPTH) return true;
    }
  }
  return false;
}

class Parser {
  readonly #text: string;
  readonly #merge: boolean;
  readonly #duplicates = new Set<string>();
  readonly #literals = new Map<string, string>();
  #at = 0;

  constructor(text: string, merge: boolean) {
    this.#text = text;
    this.#merge = merge;
  }

  parse(): ParsedJson {
    this.#space();
    const value = this.#value("", 0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected("after top-level value");
    return { value, duplicates: this.#duplicates, literals: this.#literals };
  }

  /** Returns the error for the next character. Within a literal or a number, the end of the text counts as a space. */
  #unexpected(where: string): SyntaxError {
    if (this.#at >= this.#text.length) {
      const within = /^in literal|numeric literal$/.test(where);
      return new SyntaxError(
        within ? `invalid character ' ' ${where}` : "unexpected end of JSON input",
      );
    }
    const char = firstByte(String.fromCodePoint(this.#text.codePointAt(this.#at)!));
    const shown = char === "'" ? `'\\''` : `'${quote(char).slice(1, -1)}'`;
    return new SyntaxError(`invalid character ${shown === `'\\"'` ? `'"'` : shown} ${where}`);
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #value(path: string, depth: number): Json {
    if (depth > MAX_JSON_DEPTH) throw this.#unexpected("exceeded max depth");
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(path, depth);
      case "[":
        return this.#array(path, depth);
      case '"':
        return this.#string();
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
      default:
        return this.#number(path);
    }
  }

  #object(path: string, depth: number): JsonObject {
    const object: JsonObject = {};
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === "}") {
      this.#at++;
      return object;
    }
    for (;;) {
      if (this.#text[this.#at] !== '"') {
        throw this.#unexpected("looking for beginning of object key string");
      }
      const key = this.#string();
      this.#space();
      if (this.#text[this.#at] !== ":") throw this.#unexpected("after object key");
      this.#at++;
      this.#space();
      const inner = path === "" ? key : `${path}.${key}`;
      const value = this.#value(inner, depth + 1);
      if (Object.hasOwn(object, key)) {
        this.#addDuplicate(inner);
        setOwn(object, key, this.#merge ? merged(object[key]!, value) : value);
      } else {
        setOwn(object, key, value);
      }
      this.#space();
      const next = this.#text[this.#at];
      if (next !== "," && next !== "}") throw this.#unexpected("after object key:value pair");
      this.#at++;
      if (next === "}") return object;
      this.#space();
    }
  }

  #addDuplicate(path: string): void {
    if (this.#duplicates.size < MAX_DUPLICATES && path.length <= MAX_PATH) {
      this.#duplicates.add(path);
    }
  }

  #array(path: string, depth: number): Json[] {
    const array: Json[] = [];
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === "]") {
      this.#at++;
      return array;
    }
    for (;;) {
      array.push(this.#value(`${path}[${array.length}]`, depth + 1));
      this.#space();
      const next = this.#text[this.#at];
      if (next !== "," && next !== "]") throw this.#unexpected("after array element");
      this.#at++;
      if (next === "]") return array;
      this.#space();
    }
  }

  #string(): string {
    const text = this.#text;
    const start = ++this.#at;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (code === 0x22) return text.slice(start, this.#at++);
      if (code === 0x5c || code < 0x20) break;
      this.#at++;
    }
    let result = text.slice(start, this.#at);
    while (this.#at < text.length) {
      const char = text[this.#at]!;
      if (char === '"') {
        this.#at++;
        return wellFormed(result);
      }
      if (char < " ") throw this.#unexpected("in string literal");
      this.#at++;
      result += char === "\\" ? this.#escape() : char;
    }
    throw this.#unexpected("in string literal");
  }

  #escape(): string {
    const char = this.#text[this.#at];
    if (char === "u") {
      this.#at++;
      const start = this.#at;
      for (; this.#at < start + 4; this.#at++) {
        if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? "")) {
          throw this.#unexpected("in \\u hexadecimal character escape");
        }
      }
      return String.fromCharCode(parseInt(this.#text.slice(start, this.#at), 16));
    }
    const plain = char === undefined ? undefined : ESCAPES[char];
    if (plain === undefined) throw this.#unexpected("in string escape code");
    this.#at++;
    return plain;
  }

  #literal<T extends Json>(word: string, value: T): T {
    for (let index = 0; index < word.length; index++, this.#at++) {
      if (this.#text[this.#at] !== word[index]) {
        throw this.#unexpected(`in literal ${word} (expecting '${word[index]}')`);
      }
    }
    return value;
  }

  #number(path: string): number | bigint {
    const start = this.#at;
    if (this.#text[this.#at] === "-") {
      this.#at++;
      if (!isDigit(this.#text[this.#at])) throw this.#unexpected("in numeric literal");
    } else if (!isDigit(this.#text[this.#at])) {
      throw this.#unexpected("looking for beginning of value");
    }
    if (this.#text[this.#at] === "0") this.#at++;
    else this.#digits();
    if (this.#text[this.#at] === ".") {
      this.#at++;
      if (!isDigit(this.#text[this.#at])) {
        throw this.#unexpected("after decimal point in numeric literal");
      }
      this.#digits();
    }
    if (this.#text[this.#at] === "e" || this.#text[this.#at] === "E") {
      this.#at++;
      if (this.#text[this.#at] === "+" || this.#text[this.#at] === "-") this.#at++;
      if (!isDigit(this.#text[this.#at])) {
        throw this.#unexpected("in exponent of numeric literal");
      }
      this.#digits();
    }
    const literal = this.#text.slice(start, this.#at);
    const isWhole = !/[.eE]/.test(literal);
    const value = isWhole && literal.length <= MAX_INT64_LENGTH
      ? goInteger(BigInt(literal))
      : Number(literal);
    // A float that is an integer to JavaScript, or none to Go because it is infinite.
    const isNoted = typeof value === "number" &&
      (Number.isSafeInteger(value) ? !isWhole : !/\./.test(String(value)));
    if (isNoted) {
      const room = this.#literals.size < MAX_LITERALS && path.length <= MAX_PATH;
      if (room) this.#literals.set(path, literal);
    }
    return value;
  }

  #digits(): void {
    while (isDigit(this.#text[this.#at])) this.#at++;
  }
}

/** Replaces the halves of surrogate pairs that are alone, as Go does when it decodes them. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= "0" && char <= "9";
}

function merged(before: Json, after: Json): Json {
  if (!isObject(before) || !isObject(after)) return after;
  const result: JsonObject = { ...before };
  for (const key of Object.keys(after)) {
    const value = after[key]!;
    setOwn(result, key, Object.hasOwn(before, key) ? merged(before[key]!, value) : value);
  }
  return result;
}

/** Returns the first UTF-8 byte of `char` as a character: Go parses bytes and reports the unexpected byte that way. */
function firstByte(char: string): string {
  return String.fromCharCode(new TextEncoder().encode(char)[0] ?? 0);
}
