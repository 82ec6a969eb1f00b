import type { SelectorRequirement } from "./selector_requirement.ts";

/** A token: an operator, a punctuation character, or a word of all other characters. Only ASCII has spaces for the API. */
const TOKEN = /[ \t\r\n]*(==|!=|[=!<>(),]|[^ \t\r\n=!<>(),]+)/gy;

/**
 * Parses the requirements of a selector in text form. Keys and values are not validated.
 *
 * @throws {SyntaxError} When the text is not a selector; the message names the position.
 */
export function parseRequirements(text: string): SelectorRequirement[] {
  const tokens = new Tokens(text);
  const requirements: SelectorRequirement[] = [];
  if (tokens.peek() === undefined) return requirements;
  do requirements.push(parseRequirement(tokens)); while (tokens.take(","));
  if (tokens.peek() !== undefined) throw tokens.unexpected('"," or the end');
  return requirements;
}

function parseRequirement(tokens: Tokens): SelectorRequirement {
  if (tokens.take("!")) return { key: tokens.word("a key"), operator: "DoesNotExist", values: [] };
  const key = tokens.word("a key");
  if (tokens.take("=") || tokens.take("==")) {
    return { key, operator: "In", values: [tokens.optionalWord()] };
  }
  if (tokens.take("!=")) return { key, operator: "NotIn", values: [tokens.optionalWord()] };
  if (tokens.take(">")) return { key, operator: "Gt", values: [tokens.word("a number")] };
  if (tokens.take("<")) return { key, operator: "Lt", values: [tokens.word("a number")] };
  if (tokens.take("in")) return { key, operator: "In", values: parseValues(tokens) };
  if (tokens.take("notin")) return { key, operator: "NotIn", values: parseValues(tokens) };
  return { key, operator: "Exists", values: [] };
}

function parseValues(tokens: Tokens): string[] {
  if (!tokens.take("(")) throw tokens.unexpected('"("');
  const values: string[] = [];
  do values.push(tokens.optionalWord()); while (tokens.take(","));
  if (!tokens.take(")")) throw tokens.unexpected('"," or ")"');
  return values;
}

/** The tokens of a selector, with a position. */
class Tokens {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = Array.from(text.matchAll(TOKEN), (match) => match[1] as string);
  }

  /** Returns the next token; undefined at the end. */
  peek(): string | undefined {
    return this.#tokens[this.#next];
  }

  /** Moves past the next token if it is `token`. Returns whether it is. */
  take(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#next++;
    return true;
  }

  /** Moves past a word and returns it. If there is no word, the error says that `what` is expected. */
  word(what: string): string {
    const word = this.optionalWord();
    if (word === "") throw this.unexpected(what);
    return word;
  }

  /** Moves past a word and returns it. Returns the empty string if there is no word. */
  optionalWord(): string {
    const token = this.peek();
    if (token === undefined || /^[=!<>(),]/.test(token)) return "";
    this.#next++;
    return token;
  }

  unexpected(expected: string): SyntaxError {
    const token = this.peek();
    const found = token === undefined ? "it ends" : `there is ${JSON.stringify(token)}`;
    const position = this.#next === 0
      ? "at the start"
      : `after ${JSON.stringify(this.#tokens[this.#next - 1])}`;
    return new SyntaxError(`${position} ${found}, expected ${expected}`);
  }
}
