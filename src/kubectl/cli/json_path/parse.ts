import { parseCount } from "@kubeloop/controller/internal/base";

/** The maximum length of an expression, in characters. */
const MAX_LENGTH = 10_000;

/** The maximum index in an expression. */
const MAX_INDEX = 2 ** 31 - 1;

/** A literal in a filter. */
export type Literal = string | number | bigint | boolean;

/** An operand of a filter: a path or a literal. */
export type Operand = { readonly path: JsonPath } | { readonly literal: Literal };

/** An operator of a filter. */
export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** A range of an array; undefined is its start or its end. Negative indexes count from the end. */
export interface Slice {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number;
}

/** A step of an expression, from values to other values. */
export type Step =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "slice"; readonly slice: Slice }
  /** All values of an object or an array. */
  | { readonly kind: "wildcard" }
  /** The value, and all objects and arrays in it. */
  | { readonly kind: "recursive" }
  | { readonly kind: "union"; readonly steps: readonly Step[] }
  /** The items of an array in which a path exists. */
  | { readonly kind: "exists"; readonly path: JsonPath }
  | {
    readonly kind: "filter";
    readonly left: Operand;
    readonly operator: Operator;
    readonly right: Operand;
  };

/** An expression. */
export type JsonPath = readonly Step[];

/** The error of a malformed expression. */
export class JsonPathSyntaxError extends Error {
  override readonly name = "JsonPathSyntaxError";
}

/**
 * Parses an expression in the forms of kubectl: `{.status.phase}`, `.status.phase` and `status.phase`.
 *
 * @throws {JsonPathSyntaxError} If it is malformed, or uses template functions such as `range`.
 */
export function parseJsonPath(text: string): JsonPath {
  if (text.length > MAX_LENGTH) {
    throw new JsonPathSyntaxError(`it is longer than ${MAX_LENGTH} characters`);
  }
  const [, inBraces, bare] = /^\{([^{}]+)\}$|^([^{}]+)$/.exec(text) ?? [];
  const path = inBraces ?? bare;
  if (path === undefined) {
    throw new JsonPathSyntaxError("it must be one expression, as in {.status.phase}");
  }
  return new Parser(path).path();
}

/** The characters that end the name of a field, unless escaped by a backslash. */
const TERMINATORS = ". \t\r\n,[]$@{}";

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  path(): JsonPath {
    const steps: Step[] = [];
    // The dot of the first field is optional.
    if (!/[.[\s$@]/.test(this.#text[0] ?? "")) steps.push(this.#field());
    while (this.#at < this.#text.length) {
      if (/[\s$@]/.test(this.#peek())) this.#at++;
      else if (this.#takes("..")) {
        if (steps.at(-1)?.kind === "recursive") throw this.#error("two recursive steps in a row");
        steps.push({ kind: "recursive" });
        if (!/[.[\s]/.test(this.#peek() || " ")) steps.push(this.#field());
      } else if (this.#takes(".")) steps.push(this.#field());
      else if (this.#takes("[?(")) steps.push(this.#filter());
      else if (this.#takes("[")) steps.push(...this.#brackets());
      else throw this.#error(`unexpected ${JSON.stringify(this.#peek())}`);
    }
    if (steps.length === 0) throw this.#error("it selects nothing");
    return steps;
  }

  #field(): Step {
    let name = "";
    while (this.#at < this.#text.length && !TERMINATORS.includes(this.#peek())) {
      if (this.#peek() === "\\") this.#at++;
      name += this.#peek();
      this.#at++;
    }
    if (name === "") throw this.#error("the name of a field is empty");
    return name === "*" ? { kind: "wildcard" } : { kind: "field", name };
  }

  /** Parses after `[` up to `]`. */
  #brackets(): Step[] {
    const parts: Step[] = [];
    do {
      this.#skipBlanks();
      parts.push(/['"]/.test(this.#peek()) ? this.#key() : this.#place());
      this.#skipBlanks();
    } while (this.#takes(","));
    if (!this.#takes("]")) throw this.#error('expected "]"');
    return parts.length === 1 ? parts : [{ kind: "union", steps: parts }];
  }

  #key(): Step {
    return { kind: "field", name: this.#quoted() };
  }

  /** Parses an index, a slice or `*`. */
  #place(): Step {
    if (this.#takes("*")) return { kind: "wildcard" };
    const [text] = /^[-\d:]*/.exec(this.#text.slice(this.#at, this.#at + 40)) ?? [""];
    this.#at += text.length;
    const parts = text.split(":");
    const [start, end, step] = parts.map((part) => part === "" ? undefined : this.#integer(part));
    if (parts.length === 1 && start !== undefined) return { kind: "index", index: start };
    if (parts.length === 1 || parts.length > 3) throw this.#error("expected an index or a slice");
    if (step !== undefined && step <= 0) throw this.#error("the step of a slice must be above 0");
    return { kind: "slice", slice: { start, end, step: step ?? 1 } };
  }

  #integer(text: string): number {
    const count = parseCount(text.replace(/^-/, ""), MAX_INDEX);
    if (count === undefined) throw this.#error(`${JSON.stringify(text)} is not an index`);
    return text.startsWith("-") ? -count : count;
  }

  /** Parses a filter after `[?(` up to `)]`. */
  #filter(): Step {
    const inside = this.#until(")");
    if (!this.#takes("]")) throw this.#error('expected ")]" at the end of a filter');
    const at = firstOutsideQuotes(inside, "=!<>");
    if (at === undefined) return { kind: "exists", path: new Parser(inside.trim()).path() };
    const [sign = ""] = /^[=!<>]+/.exec(inside.slice(at)) ?? [];
    if (!isOperator(sign)) {
      throw this.#error(`${JSON.stringify(sign)} does not compare: use ==, !=, <, <=, > or >=`);
    }
    return {
      kind: "filter",
      left: this.#operand(inside.slice(0, at)),
      operator: sign,
      right: this.#operand(inside.slice(at + sign.length)),
    };
  }

  #operand(given: string): Operand {
    const text = given.trim();
    if (/^['"]/.test(text)) {
      const parser = new Parser(text);
      const literal = parser.#quoted();
      if (parser.#at < text.length) {
        throw this.#error(`unexpected text after ${text[0]}…${text[0]}`);
      }
      return { literal };
    }
    if (text === "true" || text === "false") return { literal: text === "true" };
    if (/^[-+]?\d{1,30}(\.\d{1,30})?$/.test(text)) {
      const number = parseFloat(text);
      const isExact = text.includes(".") || Number.isSafeInteger(number);
      return { literal: isExact ? number : BigInt(text.replace("+", "")) };
    }
    if (/^[@$.[]/.test(text)) {
      return /^[@$]$/.test(text) ? { path: [] } : { path: new Parser(text).path() };
    }
    throw this.#error(`${JSON.stringify(text)} is neither a path nor a value: texts need quotes`);
  }

  /** Parses a text in quotes. A backslash escapes the next character. */
  #quoted(): string {
    const quote = this.#peek();
    let value = "";
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      if (this.#peek() === quote) {
        this.#at++;
        return value;
      }
      if (this.#peek() === "\\") this.#at++;
      value += this.#peek();
    }
    throw this.#error(`a text lacks its second ${quote}`);
  }

  /** Returns the text up to a character outside of quotes, and skips that character. */
  #until(character: string): string {
    const rest = this.#text.slice(this.#at);
    const length = firstOutsideQuotes(rest, character);
    if (length === undefined) throw this.#error(`expected ${JSON.stringify(character)}`);
    this.#at += length + 1;
    return rest.slice(0, length);
  }

  #peek(): string {
    return this.#text[this.#at] ?? "";
  }

  #takes(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #skipBlanks(): void {
    while (this.#peek() === " ") this.#at++;
  }

  #error(problem: string): JsonPathSyntaxError {
    return new JsonPathSyntaxError(
      `${problem}, at character ${this.#at + 1} of ${JSON.stringify(this.#text.slice(0, 100))}`,
    );
  }
}

/** Returns the index of the first of the characters outside of quotes; undefined if there is none. */
function firstOutsideQuotes(text: string, characters: string): number | undefined {
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\") at++;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (characters.includes(character)) return at;
  }
  return undefined;
}

function isOperator(text: string): text is Operator {
  return ["==", "!=", "<", "<=", ">", ">="].includes(text);
}
