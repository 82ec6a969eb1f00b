import { scanAnchor, scanDirective, scanTag } from "./scan_property.ts";
import { scanBlockScalar, scanPlain, scanProblem, scanQuoted } from "./scan_scalar.ts";
import { isBlankOrEnd, isBreak, type Mark, TextReader } from "./text_reader.ts";
import type { MarkerType, Token, TokenBody } from "./token.ts";

/** The maximum number of characters of a key that no `?` announces. */
const MAX_KEY = 1024;

/** The maximum nesting depth of the real parser. */
const MAX_DEPTH = 10_000;

/** A token that is a key if a `:` follows on its line. */
interface PossibleKey {
  /** Whether it must be a key, because of its indentation. */
  readonly required: boolean;
  /** The number of the token. */
  readonly token: number;
  /** The place of the token. */
  readonly mark: Mark;
}

/**
 * Splits a text into tokens.
 *
 * A `:` makes the text before it a key, so a token that may be one is held back until that is known.
 */
export class Scanner {
  readonly #reader: TextReader;
  #tokens: Token[] = [];
  /** The number of tokens that were taken. */
  #taken = 0;
  #ended = false;
  #indent = -1;
  readonly #indents: number[] = [];
  /** The possible key of each open flow collection, after that of the block around all. */
  readonly #keys: (PossibleKey | undefined)[] = [undefined];
  #keyAllowed = true;

  /**
   * Scans `text`.
   *
   * @throws {YamlError} If it has characters that YAML does not allow.
   */
  constructor(text: string) {
    this.#reader = new TextReader(text);
  }

  /**
   * Returns the next token, and leaves it there.
   *
   * @throws {YamlError} If no token can begin there.
   */
  peek(): Token {
    while (!this.#ended && (this.#tokens.length === 0 || this.#mayBecomeKey())) this.#fetch();
    return this.#tokens[0]!;
  }

  /** Takes the token that {@linkcode peek} has returned. */
  take(): Token {
    const token = this.peek();
    if (token.type !== "stream-end") {
      this.#tokens.shift();
      this.#taken++;
    }
    return token;
  }

  get #inFlow(): boolean {
    return this.#keys.length > 1;
  }

  /** Reports whether the next token may turn out to be a key. */
  #mayBecomeKey(): boolean {
    const at = this.#keys.findIndex((key) => key?.token === this.#taken);
    return at >= 0 && this.#isPossible(at);
  }

  /** Reports whether a possible key can still be one: keys are on one line and not too long. */
  #isPossible(at: number): boolean {
    const key = this.#keys[at];
    if (key === undefined) return false;
    const { line, index } = this.#reader;
    if (key.mark.line === line && key.mark.index + MAX_KEY >= index) return true;
    this.#requireNoKey(key);
    this.#keys[at] = undefined;
    return false;
  }

  #requireNoKey(key: PossibleKey | undefined): void {
    if (key?.required !== true) return;
    throw scanProblem(this.#reader, "could not find expected ':'");
  }

  #saveKey(): void {
    if (!this.#keyAllowed) return;
    const { column, mark } = this.#reader;
    this.#dropKey();
    const required = !this.#inFlow && this.#indent === column;
    const token = this.#taken + this.#tokens.length;
    this.#keys[this.#keys.length - 1] = { required, token, mark };
  }

  #dropKey(): void {
    const last = this.#keys.length - 1;
    this.#requireNoKey(this.#keys[last]);
    this.#keys[last] = undefined;
  }

  #add(body: TokenBody, start: Mark): void {
    this.#tokens.push({ ...body, start });
  }

  /** Begins a block collection, if the column is further right than that of the present one. */
  #indentTo(mark: Mark, type: MarkerType, token?: number): void {
    if (this.#inFlow || this.#indent >= mark.column) return;
    this.#indents.push(this.#indent);
    this.#indent = mark.column;
    if (this.#indents.length > MAX_DEPTH) throw this.#tooDeep();
    const at = token === undefined ? this.#tokens.length : token - this.#taken;
    this.#tokens.splice(at, 0, { type, start: mark });
  }

  /** Ends the block collections that are further right than the column. */
  #unindentTo(column: number): void {
    if (this.#inFlow) return;
    while (this.#indent > column) {
      this.#add({ type: "block-end" }, this.#reader.mark);
      this.#indent = this.#indents.pop()!;
    }
  }

  #tooDeep(): Error {
    return scanProblem(this.#reader, `exceeded max depth of ${MAX_DEPTH}`);
  }

  #fetch(): void {
    const reader = this.#reader;
    this.#skipToToken();
    this.#unindentTo(reader.column);
    const char = reader.peek();
    const spaced = isBlankOrEnd(reader.peek(1));
    if (char === "") return this.#end();
    if (reader.column === 0 && char === "%") return this.#directive();
    if (reader.atDocumentMarker()) return this.#document(char);
    if (char === "[") return this.#openFlow("flow-sequence-start");
    if (char === "{") return this.#openFlow("flow-mapping-start");
    if (char === "]") return this.#closeFlow("flow-sequence-end");
    if (char === "}") return this.#closeFlow("flow-mapping-end");
    if (char === ",") return this.#flowEntry();
    if (char === "-" && spaced) return this.#blockEntry();
    if (char === "?" && (this.#inFlow || spaced)) return this.#key();
    if (char === ":" && (this.#inFlow || spaced)) return this.#value();
    if (char === "*" || char === "&") return this.#property(scanAnchor);
    if (char === "!") return this.#property(scanTag);
    if ((char === "|" || char === ">") && !this.#inFlow) return this.#blockScalar();
    if (char === "'" || char === '"') {
      return this.#property((at) => ({ type: "scalar", value: scanQuoted(at), plain: false }));
    }
    const plain = !(isBlankOrEnd(char) || "-?:,[]{}#&*!|>'\"%@`".includes(char)) ||
      (char === "-" && !(reader.peek(1) === " " || reader.peek(1) === "\t")) ||
      (!this.#inFlow && (char === "?" || char === ":") && !spaced);
    if (plain) return this.#plain();
    throw scanProblem(reader, "found character that cannot start any token");
  }

  #skipToToken(): void {
    const reader = this.#reader;
    for (;;) {
      if (reader.column === 0 && reader.peek() === "\ufeff") reader.skip();
      const tabs = this.#inFlow || !this.#keyAllowed;
      reader.readWhile((char) => char === " " || (tabs && char === "\t"));
      if (reader.peek() === "#") reader.readWhile((char) => !isBreak(char));
      if (!isBreak(reader.peek())) return;
      reader.readBreak();
      if (!this.#inFlow) this.#keyAllowed = true;
    }
  }

  #end(): void {
    this.#reader.endLine();
    this.#unindentTo(-1);
    this.#dropKey();
    this.#keyAllowed = false;
    this.#ended = true;
    this.#add({ type: "stream-end" }, this.#reader.mark);
  }

  #directive(): void {
    this.#unindentTo(-1);
    this.#dropKey();
    this.#keyAllowed = false;
    const { mark } = this.#reader;
    this.#add(scanDirective(this.#reader), mark);
  }

  #document(char: string): void {
    this.#unindentTo(-1);
    this.#dropKey();
    this.#keyAllowed = false;
    const { mark } = this.#reader;
    this.#reader.skip(3);
    this.#add({ type: char === "-" ? "document-start" : "document-end" }, mark);
  }

  #openFlow(type: MarkerType): void {
    this.#saveKey();
    this.#keys.push(undefined);
    if (this.#keys.length - 1 > MAX_DEPTH) throw this.#tooDeep();
    this.#keyAllowed = true;
    this.#single(type);
  }

  #closeFlow(type: MarkerType): void {
    this.#dropKey();
    if (this.#inFlow) this.#keys.pop();
    this.#keyAllowed = false;
    this.#single(type);
  }

  /** Adds a token of one character. */
  #single(type: MarkerType): void {
    const { mark } = this.#reader;
    this.#reader.skip();
    this.#add({ type }, mark);
  }

  #flowEntry(): void {
    this.#dropKey();
    this.#keyAllowed = true;
    this.#single("flow-entry");
  }

  #blockEntry(): void {
    const problem = "block sequence entries are not allowed in this context";
    this.#beginInBlock("block-sequence-start", problem);
    this.#dropKey();
    this.#keyAllowed = true;
    this.#single("block-entry");
  }

  #key(): void {
    this.#beginInBlock("block-mapping-start", "mapping keys are not allowed in this context");
    this.#dropKey();
    this.#keyAllowed = !this.#inFlow;
    this.#single("key");
  }

  #value(): void {
    const last = this.#keys.length - 1;
    if (this.#isPossible(last)) {
      const { mark, token } = this.#keys[last]!;
      this.#tokens.splice(token - this.#taken, 0, { type: "key", start: mark });
      this.#indentTo(mark, "block-mapping-start", token);
      this.#keys[last] = undefined;
      this.#keyAllowed = false;
    } else {
      this.#beginInBlock("block-mapping-start", "mapping values are not allowed in this context");
      this.#keyAllowed = !this.#inFlow;
    }
    this.#single("value");
  }

  /** Begins a block collection at the next character, unless a flow collection is open. */
  #beginInBlock(type: MarkerType, problem: string): void {
    if (this.#inFlow) return;
    const { mark } = this.#reader;
    if (!this.#keyAllowed) throw scanProblem(this.#reader, problem);
    this.#indentTo(mark, type);
  }

  #property(scan: (reader: TextReader) => TokenBody): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { mark } = this.#reader;
    this.#add(scan(this.#reader), mark);
  }

  #blockScalar(): void {
    this.#dropKey();
    this.#keyAllowed = true;
    const { mark } = this.#reader;
    const value = scanBlockScalar(this.#reader, this.#indent);
    this.#add({ type: "scalar", value, plain: false }, mark);
  }

  #plain(): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { mark } = this.#reader;
    const { value, broken } = scanPlain(this.#reader, this.#indent + 1, this.#inFlow);
    this.#add({ type: "scalar", value, plain: true }, mark);
    if (broken) this.#keyAllowed = true;
  }
}
