import {
  badRequest,
  type FieldError,
  invalidValue,
  item,
  labelValue,
  qualifiedName,
} from "../../values/mod.ts";

/** A parsed label selector. */
export interface LabelSelector {
  /** Whether the selector matches every object. */
  readonly isEmpty: boolean;
  /** Reports whether an object with these labels matches. */
  matches(labels: Readonly<Record<string, string>> | undefined): boolean;
}

type Operator = "exists" | "!" | "=" | "==" | "!=" | "in" | "notin" | ">" | "<";

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

interface Token {
  readonly type: "identifier" | "symbol" | "end";
  readonly text: string;
}

const SYMBOLS = ["==", "!=", "=", "!", "(", ")", ",", ">", "<"];
const BINARY = "in, notin, =, ==, !=, gt, lt";

/**
 * Parses the `labelSelector` of a request, as in `app=web,tier in (a,b),!old`.
 *
 * @throws {ApiError} 400, if it is not a valid selector.
 */
export function parseLabelSelector(text: string): LabelSelector {
  const requirements = new Parser(text).parse();
  return {
    isEmpty: requirements.length === 0,
    matches: (labels) => requirements.every((requirement) => holds(requirement, labels ?? {})),
  };
}

function holds(
  { key, operator, values }: Requirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case ">":
    case "<": {
      const number = value === undefined ? undefined : integer(value);
      if (number === undefined) return false;
      const limit = integer(values[0]!)!;
      return operator === ">" ? number > limit : number < limit;
    }
    default:
      return value !== undefined && values.includes(value);
  }
}

function integer(text: string): bigint | undefined {
  return /^[+-]?[0-9]+$/.test(text) ? BigInt(text.replace(/^\+/, "")) : undefined;
}

function scan(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/[ \t\r\n]/.test(text[at]!)) {
      at++;
      continue;
    }
    const symbol = SYMBOLS.find((candidate) => text.startsWith(candidate, at));
    if (symbol !== undefined) {
      tokens.push({ type: "symbol", text: symbol });
      at += symbol.length;
      continue;
    }
    const identifier = /^[^=!(),<> \t\r\n]+/.exec(text.slice(at))![0];
    tokens.push({ type: "identifier", text: identifier });
    at += identifier.length;
  }
  tokens.push({ type: "end", text: "" });
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = scan(text);
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#peek().type === "end") return requirements;
    for (;;) {
      const first = this.#peek();
      if (first.type !== "identifier" && first.text !== "!") {
        throw found(first, ", expected: !, identifier, or 'end of string'");
      }
      requirements.push(this.#requirement());
      const token = this.#take();
      if (token.type === "end") return requirements;
      if (token.text !== ",") throw found(token, ", expected: ',' or 'end of string'");
      const next = this.#peek();
      if (next.type !== "identifier" && next.text !== "!") {
        throw found(next, ", expected: identifier after ','");
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at]!;
  }

  /** Returns the next token. The end token is never consumed, so that there is always a token to peek at. */
  #take(): Token {
    const token = this.#peek();
    if (token.type !== "end") this.#at++;
    return token;
  }

  #requirement(): Requirement {
    let token = this.#take();
    const negated = token.text === "!";
    if (negated) token = this.#take();
    if (token.type !== "identifier") throw unparsed(token, ", expected: identifier");
    const key = token.text;
    const wrong = qualifiedName(key);
    if (wrong.length > 0) throw unparsable([invalidValue("<nil>", key, wrong.join("; "))]);
    const next = this.#peek();
    if (negated) return { key, operator: "!", values: [] };
    if (next.type === "end" || next.text === ",") return { key, operator: "exists", values: [] };
    const operator = this.#operator();
    const values = operator === "in" || operator === "notin" ? this.#values() : this.#value();
    return checked({ key, operator, values: [...new Set(values)].sort() });
  }

  #operator(): Operator {
    const token = this.#take();
    const known = token.type === "symbol"
      ? ["=", "==", "!=", ">", "<"].includes(token.text)
      : ["in", "notin"].includes(token.text);
    if (!known) throw unparsed(token, `, expected: ${BINARY}`);
    return token.text as Operator;
  }

  #value(): string[] {
    const next = this.#peek();
    if (next.type === "end" || next.text === ",") return [""];
    const token = this.#take();
    if (token.type !== "identifier") throw unparsed(token, ", expected: identifier");
    return [token.text];
  }

  #values(): string[] {
    const open = this.#take();
    if (open.text !== "(") throw unparsed(open, " expected: '('");
    const values: string[] = [];
    const first = this.#peek();
    if (first.text === ")") {
      this.#take();
      return [""];
    }
    if (first.type !== "identifier" && first.text !== ",") {
      throw unparsed(first, ", expected: ',', ')' or identifier");
    }
    for (;;) {
      const token = this.#take();
      const next = this.#peek();
      if (token.type === "identifier") {
        values.push(token.text);
        if (next.text !== "," && next.text !== ")") {
          throw unparsed(next, ", expected: ',' or ')'");
        }
      } else if (token.text === ",") {
        if (values.length === 0 || next.text === ")" || next.text === ",") values.push("");
      } else {
        throw unparsed(token, ", expected: ',', or identifier");
      }
      if (next.text === ")") {
        this.#take();
        return values;
      }
    }
  }
}

function checked(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement;
  const errors: FieldError[] = [];
  values.forEach((value, index) => {
    const field = item("values", index);
    if ((operator === ">" || operator === "<") && integer(value) === undefined) {
      errors.push(
        invalidValue(field, value, "for 'Gt', 'Lt' operators, the value must be an integer"),
      );
    }
    const wrong = labelValue(value);
    if (wrong.length > 0) errors.push(invalidValue(item(field, key), value, wrong.join("; ")));
  });
  if (errors.length > 0) throw unparsable(errors);
  return requirement;
}

function found(token: Token, expected: string): Error {
  return badRequest(`found '${token.text}'${expected}`);
}

function unparsed(token: Token, expected: string): Error {
  return badRequest(`unable to parse requirement: found '${token.text}'${expected}`);
}

function unparsable(errors: readonly FieldError[]): Error {
  const texts = errors.map((error) => `${error.field}: ${error.message}`);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return badRequest(`unable to parse requirement: ${text}`);
}
