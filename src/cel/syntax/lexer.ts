import type { Issues } from "./issues.ts";

/** The kind of a token: a name of the grammar, or the text of an operator or keyword. */
export type TokenKind = string;

/** A token of an expression. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** The place, as an index of UTF-16 units. */
  readonly at: number;
}

const KEYWORDS = new Set(["in", "true", "false", "null"]);
const DOUBLE = ["==", "!=", "<=", ">=", "&&", "||"];
const SINGLE = "<>[]{}().,-!?:+*/%";
/** The characters that may follow a backslash by themselves. */
const ESCAPES = "abfnrtv\"'\\?`";

const isDigit = (char: string) => char >= "0" && char <= "9" && char.length === 1;
const isHex = (char: string) => isDigit(char) || /^[a-fA-F]$/.test(char);
const isLetter = (char: string) => /^[a-zA-Z_]$/.test(char);
const isOctal = (char: string) => char >= "0" && char <= "7" && char.length === 1;

/** Splits an expression into tokens. The last one is `<EOF>`. Characters that begin no token are errors. */
export function tokenize(source: string, issues: Issues): Token[] {
  return new Lexer(source, issues).run();
}

class Lexer {
  readonly #source: string;
  readonly #issues: Issues;
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(source: string, issues: Issues) {
    this.#source = source;
    this.#issues = issues;
  }

  run(): Token[] {
    while (this.#at < this.#source.length) this.#next();
    this.#tokens.push({ kind: "<EOF>", text: "<EOF>", at: this.#at });
    return this.#tokens;
  }

  #char(offset = 0): string {
    return this.#source[this.#at + offset] ?? "";
  }

  #next(): void {
    const char = this.#char();
    if (" \t\r\n\f".includes(char)) this.#at++;
    else if (this.#source.startsWith("//", this.#at)) {
      const end = this.#source.indexOf("\n", this.#at);
      this.#at = end < 0 ? this.#source.length : end;
    } else if (isLetter(char) && !this.#startsText()) this.#word();
    else if (isDigit(char) || (char === "." && isDigit(this.#char(1)))) this.#number();
    else if (this.#startsText()) this.#text();
    else if (char === "`") this.#escaped();
    else this.#operator();
  }

  #push(kind: string, end: number): void {
    this.#tokens.push({ kind, text: this.#source.slice(this.#at, end), at: this.#at });
    this.#at = end;
  }

  #error(end: number): void {
    const text = this.#source.slice(this.#at, end)
      .replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
    this.#issues.add(this.#at, `Syntax error: token recognition error at: '${text}'`);
    this.#at = end;
  }

  #word(): void {
    let end = this.#at;
    while (isLetter(this.#source[end] ?? "") || isDigit(this.#source[end] ?? "")) end++;
    const text = this.#source.slice(this.#at, end);
    this.#push(KEYWORDS.has(text) ? text : "IDENTIFIER", end);
  }

  #escaped(): void {
    let end = this.#at + 1;
    while (/^[a-zA-Z0-9_.\-/ ]$/.test(this.#source[end] ?? "")) end++;
    if (this.#source[end] === "`" && end > this.#at + 1) this.#push("ESC_IDENTIFIER", end + 1);
    else this.#error(Math.min(end + 1, this.#source.length));
  }

  #operator(): void {
    const two = this.#source.slice(this.#at, this.#at + 2);
    if (DOUBLE.includes(two)) return this.#push(two, this.#at + 2);
    if (SINGLE.includes(this.#char())) return this.#push(this.#char(), this.#at + 1);
    if ("=&|".includes(this.#char())) {
      // The lexer of the real server has read one more character when it gives up.
      const end = this.#at + 1;
      const next = this.#source[end];
      return this.#error(next === undefined ? end : end + 1);
    }
    const size = String.fromCodePoint(this.#source.codePointAt(this.#at)!).length;
    this.#error(this.#at + size);
  }

  #number(): void {
    const source = this.#source;
    const digits = (from: number) => {
      let end = from;
      while (isDigit(source[end] ?? "")) end++;
      return end;
    };
    if (source.startsWith("0x", this.#at) && isHex(source[this.#at + 2] ?? "")) {
      let end = this.#at + 2;
      while (isHex(source[end] ?? "")) end++;
      const unsigned = /^[uU]$/.test(source[end] ?? "");
      return this.#push(unsigned ? "NUM_UINT" : "NUM_INT", unsigned ? end + 1 : end);
    }
    let end = digits(this.#at);
    let kind = "NUM_INT";
    if (source[end] === "." && isDigit(source[end + 1] ?? "")) {
      kind = "NUM_FLOAT";
      end = digits(end + 1);
    }
    if (/^[eE]$/.test(source[end] ?? "")) {
      const sign = /^[+-]$/.test(source[end + 1] ?? "") ? 1 : 0;
      if (isDigit(source[end + 1 + sign] ?? "")) {
        kind = "NUM_FLOAT";
        end = digits(end + 1 + sign);
      }
    }
    if (kind === "NUM_INT" && /^[uU]$/.test(source[end] ?? "")) {
      kind = "NUM_UINT";
      end++;
    }
    this.#push(kind, end);
  }

  /** The number of letters before a quote: `b` and `r`, in this order. */
  #prefix(): number {
    let size = /^[bB]$/.test(this.#char()) ? 1 : 0;
    if (/^[rR]$/.test(this.#char(size))) size++;
    return size;
  }

  #startsText(): boolean {
    const quote = this.#char(this.#prefix());
    return quote === '"' || quote === "'";
  }

  #text(): void {
    const prefix = this.#source.slice(this.#at, this.#at + this.#prefix()).toLowerCase();
    const raw = prefix.includes("r");
    const start = this.#at + prefix.length;
    const quote = this.#source[start]!;
    const triple = this.#source.startsWith(quote.repeat(3), start);
    const close = triple ? quote.repeat(3) : quote;
    let end = start + close.length;
    for (;;) {
      const char = this.#source[end];
      if (char === undefined) return this.#error(end);
      if (this.#source.startsWith(close, end)) break;
      if (!triple && (char === "\n" || char === "\r")) return this.#error(end + 1);
      if (char === "\\" && !raw) {
        const size = this.#escape(end + 1);
        if (size === 0) return this.#error(Math.min(end + 2, this.#source.length));
        end += 1 + size;
      } else end++;
    }
    this.#push(prefix.includes("b") ? "BYTES" : "STRING", end + close.length);
  }

  /** Returns the length of the escape sequence after a backslash; 0 if there is none. */
  #escape(at: number): number {
    const char = this.#source[at] ?? "";
    const all = (from: number, count: number, test: (char: string) => boolean) =>
      Array.from({ length: count }, (_, index) => this.#source[from + index] ?? "").every(test);
    if (char !== "" && ESCAPES.includes(char)) return 1;
    if (/^[xX]$/.test(char)) return all(at + 1, 2, isHex) ? 3 : 0;
    if (char === "u") return all(at + 1, 4, isHex) ? 5 : 0;
    if (char === "U") return all(at + 1, 8, isHex) ? 9 : 0;
    return char >= "0" && char <= "3" && all(at + 1, 2, isOctal) ? 3 : 0;
  }
}
