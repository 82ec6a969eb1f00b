import { isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, type TextReader } from "./text_reader.ts";
import { yamlProblem } from "./yaml_error.ts";

/**
 * Returns the error for a problem at the next character. Parsers of this family name the line only from the second one
 * on.
 */
export function scanProblem({ line }: TextReader, problem: string): Error {
  return yamlProblem(problem, line > 0 ? line + 1 : 0);
}

/** Skips blanks and a comment. */
export function skipToLineEnd(reader: TextReader): void {
  reader.readWhile(isBlank);
  if (reader.peek() === "#") reader.readWhile((char) => !isBreak(char));
}

/** Joins the lines of a folded text: one break is a space, several are one less. */
function fold(first: string, others: string): string {
  if (first !== "\n") return first + others;
  return others === "" ? " " : others;
}

/** Reads a literal (`|`) or folded (`>`) text, whose parent is indented by `parentIndent` characters. */
export function scanBlockScalar(reader: TextReader, parentIndent: number): string {
  const literal = reader.read() === "|";
  const { chomping, increment } = blockHeader(reader);
  let indent = increment > 0 ? Math.max(parentIndent, 0) + increment : 0;
  const emptyLines = () => {
    const found = blockBreaks(reader, indent, parentIndent);
    indent = found.indent;
    return found.breaks;
  };
  let value = "";
  let lineBreak = "";
  let breaks = emptyLines();
  let afterBlank = false;
  while (reader.column === indent && reader.peek() !== "") {
    const blank = isBlank(reader.peek());
    const folds = !literal && !afterBlank && !blank && lineBreak === "\n";
    value += folds ? fold(lineBreak, breaks) : lineBreak + breaks;
    afterBlank = blank;
    value += reader.readWhile((char) => !isBreak(char));
    lineBreak = reader.peek() === "" ? "" : reader.readBreak();
    breaks = emptyLines();
  }
  if (chomping === "-") return value;
  return value + lineBreak + (chomping === "+" ? breaks : "");
}

/** Reads what follows the indicator of a block scalar on its line. */
function blockHeader(reader: TextReader): { chomping: string; increment: number } {
  let chomping = "";
  let increment = 0;
  const chomp = () => {
    if (/^[-+]$/.test(reader.peek())) chomping = reader.read();
  };
  chomp();
  if (/^[0-9]$/.test(reader.peek())) {
    if (reader.peek() === "0") {
      throw scanProblem(reader, "found an indentation indicator equal to 0");
    }
    increment = Number(reader.read());
    if (chomping === "") chomp();
  }
  skipToLineEnd(reader);
  if (!isBreakOrEnd(reader.peek())) {
    throw scanProblem(reader, "did not find expected comment or line break");
  }
  if (reader.peek() !== "") reader.readBreak();
  return { chomping, increment };
}

/** Skips the indentation of a line and the empty lines before it. An indent of 0 is found out by the first line. */
function blockBreaks(
  reader: TextReader,
  indent: number,
  parentIndent: number,
): { breaks: string; indent: number } {
  let breaks = "";
  let widest = 0;
  for (;;) {
    const inside = () => indent === 0 || reader.column < indent;
    while (inside() && reader.peek() === " ") reader.skip();
    widest = Math.max(widest, reader.column);
    if (inside() && reader.peek() === "\t") {
      const problem = "found a tab character where an indentation space is expected";
      throw scanProblem(reader, problem);
    }
    if (!isBreak(reader.peek())) break;
    breaks += reader.readBreak();
  }
  return { breaks, indent: indent > 0 ? indent : Math.max(widest, parentIndent + 1, 1) };
}

/** Reads a text in quotes. */
export function scanQuoted(reader: TextReader): string {
  const quote = reader.read();
  let value = "";
  for (;;) {
    if (reader.atDocumentMarker()) {
      throw scanProblem(reader, "found unexpected document indicator");
    }
    if (reader.peek() === "") throw scanProblem(reader, "found unexpected end of stream");
    const part = quotedPart(reader, quote);
    value += part.value;
    if (reader.peek() === quote) break;
    value += quotedSpace(reader, part.joined);
  }
  reader.skip();
  return value;
}

/** Reads characters up to a blank or the closing quote. `joined` tells that an escaped line break has ended them. */
function quotedPart(
  reader: TextReader,
  quote: string,
): { value: string; joined: boolean } {
  let value = "";
  while (!isBlankOrEnd(reader.peek())) {
    const char = reader.peek();
    if (char === quote) {
      if (quote === '"' || reader.peek(1) !== "'") break;
      reader.skip(2);
      value += "'";
    } else if (quote === '"' && char === "\\") {
      if (isBreak(reader.peek(1))) {
        reader.skip();
        reader.readBreak();
        return { value, joined: true };
      }
      value += escaped(reader);
    } else {
      value += reader.read();
    }
  }
  return { value, joined: false };
}

/** Reads blanks and line breaks in quotes, and returns what they are in the value. */
function quotedSpace(reader: TextReader, joined: boolean): string {
  let blanks = "";
  let first = "";
  let others = "";
  let broken = joined;
  for (let char = reader.peek(); isBlank(char) || isBreak(char); char = reader.peek()) {
    if (isBlank(char)) {
      if (broken) reader.skip();
      else blanks += reader.read();
    } else if (broken) {
      others += reader.readBreak();
    } else {
      first = reader.readBreak();
      broken = true;
    }
  }
  return broken ? fold(first, others) : blanks;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "'": "'",
  "\\": "\\",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};

const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function escaped(reader: TextReader): string {
  const letter = reader.peek(1);
  const plain = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
  const length = Object.hasOwn(HEX_LENGTHS, letter) ? HEX_LENGTHS[letter]! : 0;
  if (plain === undefined && length === 0) {
    throw scanProblem(reader, "found unknown escape character");
  }
  reader.skip(2);
  if (plain !== undefined) return plain;
  let code = 0;
  for (let at = 0; at < length; at++) {
    const digit = reader.peek(at);
    if (!/^[0-9a-fA-F]$/.test(digit)) {
      throw scanProblem(reader, "did not find expected hexdecimal number");
    }
    code = code * 16 + parseInt(digit, 16);
  }
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw scanProblem(reader, "found invalid Unicode character escape code");
  }
  reader.skip(length);
  return String.fromCodePoint(code);
}

/**
 * Reads a text without quotes.
 *
 * @param indent The indentation that its further lines need, if it is in no flow collection.
 * @returns The text, and whether it ends with a line break: a key can follow then.
 */
export function scanPlain(
  reader: TextReader,
  indent: number,
  inFlow: boolean,
): { value: string; broken: boolean } {
  let value = "";
  let blanks = "";
  let first = "";
  let others = "";
  let broken = false;
  while (!reader.atDocumentMarker() && reader.peek() !== "#") {
    const part = plainPart(reader, inFlow);
    if (part !== "") {
      value += (broken ? fold(first, others) : blanks) + part;
      broken = false;
      blanks = "";
      others = "";
    }
    if (!isBlank(reader.peek()) && !isBreak(reader.peek())) break;
    for (let char = reader.peek(); isBlank(char) || isBreak(char); char = reader.peek()) {
      if (isBlank(char)) {
        if (broken && reader.column < indent && char === "\t") {
          const problem = "found a tab character that violates indentation";
          throw scanProblem(reader, problem);
        }
        if (broken) reader.skip();
        else blanks += reader.read();
      } else if (broken) {
        others += reader.readBreak();
      } else {
        first = reader.readBreak();
        broken = true;
      }
    }
    if (!inFlow && reader.column < indent) break;
  }
  return { value, broken };
}

/** Reads the characters of a plain text up to a blank, or to what ends it. */
function plainPart(reader: TextReader, inFlow: boolean): string {
  let value = "";
  for (let char = reader.peek(); !isBlankOrEnd(char); char = reader.peek()) {
    if (char === ":" && isBlankOrEnd(reader.peek(1))) break;
    if (inFlow && ",?[]{}".includes(char)) break;
    value += reader.read();
  }
  return value;
}
