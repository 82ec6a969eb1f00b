import { Uint } from "../values/mod.ts";
import type { Call, Entry, Expr, MessageField } from "./ast.ts";
import { RESERVED } from "./identifier.ts";
import type { Issues } from "./issues.ts";
import { type Token, tokenize } from "./lexer.ts";
import { expandMacro, MacroError } from "./macros.ts";
import { unescapeBytes, UnescapeError, unescapeText } from "./unescape.ts";

/** The maximum number of characters of an expression. */
const MAX_LENGTH = 100_000;

/** The maximum depth of an expression. */
const MAX_DEPTH = 250;

/** The tokens with which an expression may begin, and others that may be there instead, in the order of messages. */
const ORDER = ["[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", "true", "false", "null"];
const NAMED = ["NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER"];
const STARTS = new Set(["[", "{", "(", ".", "-", "!", "true", "false", "null"]);

/** Lists the expected tokens: the tokens with which an expression begins, and others. */
function starts(others: readonly string[]): string {
  const listed = ORDER.filter((kind) => STARTS.has(kind) || others.includes(kind));
  return `{${[...listed.map((kind) => `'${kind}'`), ...NAMED].join(", ")}}`;
}

/** The operators of relations. */
const RELATIONS = ["==", "!=", "in", "<", "<=", ">=", ">"];
/** Ends the reading of an expression with a syntax error, which has been reported. */
class SyntaxStop extends Error {}

/**
 * The macros that an expression may use. `"bindings"` adds `cel.bind()` to the standard ones. With `"none"`, the
 * expression may have no optional parts either.
 */
export type Macros = "none" | "standard" | "bindings";

/** Parses an expression. Returns undefined if it has errors, which are in `issues`. */
export function parse(source: string, issues: Issues, macros: Macros): Expr | undefined {
  const length = [...source].length;
  if (length > MAX_LENGTH) {
    issues.add(
      -1,
      `expression code point size exceeds limit: size: ${length}, limit ${MAX_LENGTH}`,
    );
    return undefined;
  }
  try {
    const expr = new Parser(source, issues, macros).run();
    return issues.count > 0 ? undefined : expr;
  } catch (error) {
    if (error instanceof SyntaxStop) return undefined;
    throw error;
  }
}

class Parser {
  readonly #issues: Issues;
  readonly #tokens: Token[];
  readonly #macros: Macros;
  #index = 0;
  #depth = 0;
  /** The tokens that could be there instead of the expression that begins. */
  #others: readonly string[] = [];

  constructor(source: string, issues: Issues, macros: Macros) {
    this.#issues = issues;
    this.#macros = macros;
    this.#tokens = tokenize(source, issues);
  }

  run(): Expr {
    const expr = this.#expr();
    if (!this.#is("<EOF>")) this.#unexpected("<EOF>");
    return expr;
  }

  get #token(): Token {
    return this.#tokens[this.#index]!;
  }

  #is(...kinds: string[]): boolean {
    return kinds.includes(this.#token.kind);
  }

  #take(): Token {
    const token = this.#token;
    if (token.kind === "<EOF>") return token;
    this.#index++;
    if (STARTS.has(token.kind) || NAMED.includes(token.kind)) this.#others = [];
    return token;
  }

  #takeIf(kind: string): Token | undefined {
    return this.#is(kind) ? this.#take() : undefined;
  }

  #stop(message: string, at: number = this.#token.at): never {
    this.#issues.add(at, `Syntax error: ${message}`);
    throw new SyntaxStop();
  }

  /** Reports a token that does not continue the expression. */
  #unexpected(wanted: string, separated = false): never {
    const { text } = this.#token;
    const next = this.#tokens[this.#index + 1]?.kind;
    if (wanted === "<EOF>") {
      const extra = next === "<EOF>" ? "extraneous" : "mismatched";
      this.#stop(`${extra} input '${text}' expecting <EOF>`);
    }
    if (this.#is("<EOF>") && [")", "]", "}"].includes(wanted)) {
      this.#stop(
        separated
          ? `mismatched input '<EOF>' expecting {'${wanted}', ','}`
          : `missing '${wanted}' at '<EOF>'`,
      );
    }
    this.#stop(`mismatched input '${text}' expecting '${wanted}'`);
  }

  /** Takes the mark of an optional part, whose syntax messages show as `shown`. */
  #optional(shown: string): boolean {
    const mark = this.#takeIf("?");
    if (mark !== undefined && this.#macros === "none") {
      this.#issues.add(mark.at, `unsupported syntax '${shown}'`);
    }
    return mark !== undefined;
  }

  #expect(kind: string): Token {
    const token = this.#takeIf(kind);
    return token ?? this.#unexpected(kind);
  }

  #report(at: number, message: string): Expr {
    this.#issues.add(at, message);
    return { kind: "literal", at, value: null };
  }

  /**
   * Parses an expression.
   *
   * @param others The tokens that could be there instead.
   */
  #expr(others: readonly string[] = []): Expr {
    this.#others = others;
    this.#depth++;
    if (this.#depth > MAX_DEPTH) {
      this.#issues.add(-1, `expression recursion limit exceeded: ${MAX_DEPTH}`);
      throw new SyntaxStop();
    }
    const condition = this.#logical("||", () => this.#logical("&&", () => this.#relation()));
    const op = this.#takeIf("?");
    let result = condition;
    if (op !== undefined) {
      const yes = this.#logical("||", () => this.#logical("&&", () => this.#relation()));
      this.#expect(":");
      const no = this.#expr();
      result = operator(op.at, "_?_:_", condition, yes, no);
    }
    this.#depth--;
    return result;
  }

  /** Parses the operands of `&&` or `||`, and makes a balanced tree of them. */
  #logical(op: "&&" | "||", operand: () => Expr): Expr {
    const terms = [operand()];
    const ops: number[] = [];
    while (this.#is(op)) {
      ops.push(this.#take().at);
      terms.push(operand());
    }
    return balanced(`_${op}_`, terms, ops, 0, ops.length - 1);
  }

  #relation(): Expr {
    let left = this.#sum();
    while (this.#is(...RELATIONS)) {
      const op = this.#take();
      const name = op.kind === "in" ? "@in" : `_${op.kind}_`;
      left = operator(op.at, name, left, this.#sum());
    }
    return left;
  }

  #sum(): Expr {
    let left = this.#product();
    while (this.#is("+", "-")) {
      const op = this.#take();
      left = operator(op.at, `_${op.kind}_`, left, this.#product());
    }
    return left;
  }

  #product(): Expr {
    let left = this.#unary();
    while (this.#is("*", "/", "%")) {
      const op = this.#take();
      left = operator(op.at, `_${op.kind}_`, left, this.#unary());
    }
    return left;
  }

  #unary(): Expr {
    if (!this.#is("!", "-")) return this.#member();
    const { kind, at } = this.#token;
    let count = 0;
    while (this.#is(kind)) {
      const next = this.#tokens[this.#index + 1]?.kind ?? "";
      // A minus before a number belongs to the number.
      if (kind === "-" && count === 0 && ["NUM_INT", "NUM_FLOAT"].includes(next)) {
        return this.#member();
      }
      this.#take();
      count++;
    }
    const target = this.#member();
    return count % 2 === 0 ? target : operator(at, kind === "!" ? "!_" : "-_", target);
  }

  #member(): Expr {
    let left = this.#primary();
    for (;;) {
      const op = this.#takeIf(".") ?? this.#takeIf("[");
      if (op === undefined) return left;
      const optional = this.#optional(`${op.kind}?`);
      left = op.kind === "."
        ? this.#select(left, op.at, optional)
        : this.#itemAt(left, op.at, optional);
    }
  }

  #itemAt(target: Expr, at: number, optional: boolean): Expr {
    const index = this.#expr(optional ? [] : ["?"]);
    this.#expect("]");
    return operator(at, optional ? "_[?_]" : "_[_]", target, index);
  }

  #select(operand: Expr, at: number, optional: boolean): Expr {
    const id = this.#takeIf("IDENTIFIER") ?? this.#takeIf("ESC_IDENTIFIER");
    if (id === undefined) {
      const { text } = this.#token;
      if (["true", "false", "null"].includes(text) && !optional) {
        this.#stop(`mismatched input '${text}' expecting IDENTIFIER`);
      }
      if (optional) this.#stop(`mismatched input '${text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`);
      const shown = this.#is("<EOF>") ? "" : text;
      this.#issues.add(this.#token.at, `Syntax error: no viable alternative at input '.${shown}'`);
      // The real server continues after the keyword, which is an operator then.
      if (this.#is("in")) return operand;
      throw new SyntaxStop();
    }
    const name = fieldName(id);
    if (optional) {
      const field: Expr = { kind: "literal", at: id.at, value: name };
      return operator(at, "_?._", operand, field);
    }
    const open = id.kind === "IDENTIFIER" ? this.#takeIf("(") : undefined;
    if (open === undefined) {
      return { kind: "select", at, operand, field: name, test: false };
    }
    const args = this.#arguments();
    return this.#call({ kind: "call", at: open.at, name, target: operand, args });
  }

  #arguments(): Expr[] {
    const args: Expr[] = [];
    if (this.#takeIf(")")) return args;
    do args.push(this.#expr(args.length === 0 ? [")"] : [])); while (this.#takeIf(","));
    this.#expect(")");
    return args;
  }

  #call(call: Call): Expr {
    if (this.#macros === "none") return call;
    try {
      return expandMacro(call, this.#macros === "bindings") ?? call;
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      return this.#report(error.at, error.message);
    }
  }

  #primary(): Expr {
    const token = this.#token;
    switch (token.kind) {
      case "IDENTIFIER":
        return this.#name(this.#take(), "");
      case ".": {
        this.#take();
        const id = this.#takeIf("IDENTIFIER");
        if (id === undefined) {
          this.#stop(`mismatched input '${this.#token.text}' expecting IDENTIFIER`);
        }
        return this.#name(id, ".");
      }
      case "(": {
        this.#take();
        const inner = this.#expr();
        this.#expect(")");
        return inner;
      }
      case "[":
        return this.#list(this.#take().at);
      case "{":
        return this.#map(this.#take().at);
      default:
        if (!NAMED.includes(token.kind) && !STARTS.has(token.kind)) this.#noStart(token);
        return this.#literal(this.#take());
    }
  }

  #name(id: Token, dot: string): Expr {
    const open = this.#takeIf("(");
    if (open === undefined && this.#startsMessage()) return this.#message(id.text);
    if (RESERVED.has(id.text)) {
      if (open !== undefined) this.#arguments();
      return this.#report(id.at, `reserved identifier: ${id.text}`);
    }
    const name = dot + id.text;
    if (open === undefined) return { kind: "ident", at: id.at, name };
    const args = this.#arguments();
    return this.#call({ kind: "call", at: open.at, name, target: undefined, args });
  }

  /** Reports whether the rest of a dotted name and an opening brace follow. */
  #startsMessage(): boolean {
    let index = this.#index;
    while (this.#tokens[index]?.kind === "." && this.#tokens[index + 1]?.kind === "IDENTIFIER") {
      index += 2;
    }
    return this.#tokens[index]?.kind === "{";
  }

  #message(first: string): Expr {
    let name = first;
    while (this.#takeIf(".")) name += `.${this.#take().text}`;
    const { at } = this.#take();
    const fields: MessageField[] = [];
    while (!this.#takeIf("}")) {
      const optional = this.#optional("?");
      const id = this.#takeIf("IDENTIFIER") ?? this.#takeIf("ESC_IDENTIFIER");
      if (id === undefined) {
        if (fields.length > 0 || this.#is("<EOF>")) this.#unexpected("}");
        const { text } = this.#token;
        this.#stop(
          `mismatched input '${text}' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}`,
        );
      }
      const colon = this.#expect(":");
      fields.push({ at: colon.at, name: fieldName(id), value: this.#expr(), optional });
      if (!this.#takeIf(",") && !this.#is("}")) this.#unexpected("}");
    }
    return { kind: "message", at, name, fields };
  }

  #list(at: number): Expr {
    const items: Expr[] = [];
    const optional = new Set<number>();
    while (!this.#takeIf("]")) {
      if (this.#optional("?")) optional.add(items.length);
      items.push(this.#expr(items.length === 0 ? ["]", ",", "?"] : ["]", "?"]));
      if (!this.#takeIf(",") && !this.#is("]")) this.#unexpected("]", true);
    }
    return { kind: "list", at, items, optional };
  }

  #map(at: number): Expr {
    const entries: Entry[] = [];
    while (!this.#takeIf("}")) {
      const optional = this.#optional("?");
      const key = this.#expr(entries.length === 0 ? ["}", ",", "?"] : ["}", "?"]);
      const colon = this.#expect(":");
      entries.push({ at: colon.at, key, value: this.#expr(), optional });
      if (!this.#takeIf(",") && !this.#is("}")) this.#unexpected("}", true);
    }
    return { kind: "map", at, entries };
  }

  #literal(first: Token): Expr {
    const signed = first.kind === "-";
    const token = signed ? this.#take() : first;
    const { at } = first;
    const text = signed ? `-${token.text}` : token.text;
    switch (token.kind) {
      case "NUM_INT":
        return this.#integer(at, text);
      case "NUM_UINT": {
        const value = BigInt(text.slice(0, -1));
        if (value > 0xffff_ffff_ffff_ffffn) return this.#report(at, "invalid uint literal");
        return { kind: "literal", at, value: new Uint(value) };
      }
      case "NUM_FLOAT": {
        const value = Number(text);
        if (!Number.isFinite(value)) return this.#report(at, "invalid double literal");
        return { kind: "literal", at, value };
      }
      case "STRING":
      case "BYTES":
        return this.#text(token);
      case "true":
      case "false":
        return { kind: "literal", at, value: token.kind === "true" };
      case "null":
        return { kind: "literal", at, value: null };
      default:
        this.#index--;
        this.#noStart(token);
    }
  }

  /** Reports a token with which no expression begins. */
  #noStart({ text, kind }: Token): never {
    const next = this.#tokens[this.#index + 1]?.kind ?? "";
    const extra = kind !== "<EOF>" && (STARTS.has(next) || NAMED.includes(next));
    const wanted = starts(this.#others);
    this.#stop(`${extra ? "extraneous" : "mismatched"} input '${text}' expecting ${wanted}`);
  }

  #integer(at: number, text: string): Expr {
    const value = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text);
    if (BigInt.asIntN(64, value) !== value) return this.#report(at, "invalid int literal");
    return { kind: "literal", at, value };
  }

  #text({ kind, text, at }: Token): Expr {
    try {
      const value = kind === "BYTES" ? unescapeBytes(text.slice(1)) : unescapeText(text);
      return { kind: "literal", at, value };
    } catch (error) {
      if (!(error instanceof UnescapeError)) throw error;
      return this.#report(at, error.message);
    }
  }
}

function operator(at: number, name: string, ...args: Expr[]): Call {
  return { kind: "call", at, name, target: undefined, args };
}

function balanced(
  name: string,
  terms: readonly Expr[],
  ops: readonly number[],
  low: number,
  high: number,
): Expr {
  if (low > high) return terms[low]!;
  const middle = Math.floor((low + high + 1) / 2);
  const left = balanced(name, terms, ops, low, middle - 1);
  return operator(ops[middle]!, name, left, balanced(name, terms, ops, middle + 1, high));
}

/** Returns the name of a field, which may stand between backquotes. */
function fieldName({ kind, text }: Token): string {
  return kind === "ESC_IDENTIFIER" ? text.slice(1, -1) : text;
}
