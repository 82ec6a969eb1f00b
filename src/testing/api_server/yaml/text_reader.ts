import { yamlProblem } from "./yaml_error.ts";

/** A place in the text. All numbers begin with 0. */
export interface Mark {
  /** The number of code units before it. */
  readonly index: number;
  /** The number of lines before its line. */
  readonly line: number;
  /** The number of code units before it in its line. */
  readonly column: number;
}

/** What YAML does not allow in a text, not even in quotes. */
// deno-lint-ignore no-control-regex
const NOT_ALLOWED = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Reads a text character by character, and counts its lines. The end reads as an empty string. */
export class TextReader {
  readonly #text: string;
  #index = 0;
  #line = 0;
  #column = 0;

  /**
   * Reads `text`.
   *
   * @throws {YamlError} If it has characters that YAML does not allow.
   */
  constructor(text: string) {
    if (NOT_ALLOWED.test(text)) throw yamlProblem("control characters are not allowed");
    this.#text = text.startsWith("\ufeff") ? text.slice(1) : text;
  }

  /** The place of the next character. */
  get mark(): Mark {
    return { index: this.#index, line: this.#line, column: this.#column };
  }

  /** The number of characters before the next one in its line. */
  get column(): number {
    return this.#column;
  }

  /** The number of lines before that of the next character. */
  get line(): number {
    return this.#line;
  }

  /** The number of characters before the next one. */
  get index(): number {
    return this.#index;
  }

  /** Returns the character `ahead` of the next one; empty at the end. */
  peek(ahead = 0): string {
    return this.#text[this.#index + ahead] ?? "";
  }

  /** Reports whether the text goes on with `part`. */
  startsWith(part: string): boolean {
    return this.#text.startsWith(part, this.#index);
  }

  /** Reports whether the next character is at the start of a line and begins `---` or `...`, and then a blank. */
  atDocumentMarker(): boolean {
    if (this.#column > 0 || !(this.startsWith("---") || this.startsWith("..."))) return false;
    return isBlankOrEnd(this.peek(3));
  }

  /** Skips characters of which none is a line break. */
  skip(count = 1): void {
    this.#index += count;
    this.#column += count;
  }

  /** Returns the next character, which is no line break, and skips it. */
  read(): string {
    const char = this.peek();
    this.skip();
    return char;
  }

  /** Returns the next characters that `accepts` accepts, which are no line breaks, and skips them. */
  readWhile(accepts: (char: string) => boolean): string {
    const start = this.#index;
    while (this.#index < this.#text.length && accepts(this.#text[this.#index]!)) this.skip();
    return this.#text.slice(start, this.#index);
  }

  /** Skips a line break, and returns what it is in a value. */
  readBreak(): string {
    const char = this.peek();
    this.#index += char === "\r" && this.peek(1) === "\n" ? 2 : 1;
    this.#line++;
    this.#column = 0;
    return char === "\u2028" || char === "\u2029" ? char : "\n";
  }

  /** Ends the last line, if it does not end with a line break. */
  endLine(): void {
    if (this.#column === 0) return;
    this.#line++;
    this.#column = 0;
  }
}

/** Reports whether a character is a space or a tab. */
export function isBlank(char: string): boolean {
  return char === " " || char === "\t";
}

/** Reports whether a character breaks a line. */
export function isBreak(char: string): boolean {
  return char === "\n" || char === "\r" || char === "\x85" || char === "\u2028" ||
    char === "\u2029";
}

/** Reports whether a character breaks a line, or the text ends. */
export function isBreakOrEnd(char: string): boolean {
  return char === "" || isBreak(char);
}

/** Reports whether a character is a space or a tab or breaks a line, or the text ends. */
export function isBlankOrEnd(char: string): boolean {
  return isBlank(char) || isBreakOrEnd(char);
}

/** Reports whether a character can be part of a name: a letter, a digit, `_` or `-`. */
export function isNameChar(char: string): boolean {
  return /^[0-9A-Za-z_-]$/.test(char);
}
