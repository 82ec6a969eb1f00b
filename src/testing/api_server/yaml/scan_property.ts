import { scanProblem, skipToLineEnd } from "./scan_scalar.ts";
import { isBlank, isBlankOrEnd, isBreakOrEnd, isNameChar, type TextReader } from "./text_reader.ts";
import type { TokenBody } from "./token.ts";

/** Reads an anchor (`&name`) or an alias (`*name`). */
export function scanAnchor(reader: TextReader): TokenBody {
  const type = reader.read() === "&" ? "anchor" : "alias";
  const name = reader.readWhile(isNameChar);
  const next = reader.peek();
  if (name === "" || !(isBlankOrEnd(next) || "?:,]}%@`".includes(next))) {
    throw scanProblem(reader, "did not find expected alphabetic or numeric character");
  }
  return { type, name };
}

/** Reads a tag, such as `!!str`. */
export function scanTag(reader: TextReader): TokenBody {
  let handle = "";
  let suffix: string;
  if (reader.peek(1) === "<") {
    reader.skip(2);
    suffix = tagUri(reader, "");
    if (reader.peek() !== ">") throw scanProblem(reader, "did not find the expected '>'");
    reader.skip();
  } else {
    const head = tagHandle(reader, false);
    if (head.length > 1 && head.endsWith("!")) {
      handle = head;
      suffix = tagUri(reader, "");
    } else {
      suffix = tagUri(reader, head);
      handle = "!";
      if (suffix === "") [handle, suffix] = ["", "!"];
    }
  }
  if (!isBlankOrEnd(reader.peek())) {
    throw scanProblem(reader, "did not find expected whitespace or line break");
  }
  return { type: "tag", handle, suffix };
}

/** Reads a directive: a line that begins with `%`. */
export function scanDirective(reader: TextReader): TokenBody {
  reader.skip();
  const name = reader.readWhile(isNameChar);
  if (name === "") throw scanProblem(reader, "could not find expected directive name");
  if (!isBlankOrEnd(reader.peek())) {
    throw scanProblem(reader, "found unexpected non-alphabetical character");
  }
  const directive = directiveValue(reader, name);
  skipToLineEnd(reader);
  if (!isBreakOrEnd(reader.peek())) {
    throw scanProblem(reader, "did not find expected comment or line break");
  }
  if (reader.peek() !== "") reader.readBreak();
  return directive;
}

function directiveValue(reader: TextReader, name: string): TokenBody {
  reader.readWhile(isBlank);
  if (name === "YAML") {
    const major = versionNumber(reader);
    if (reader.peek() !== ".") {
      throw scanProblem(reader, "did not find expected digit or '.' character");
    }
    reader.skip();
    return { type: "version-directive", version: `${major}.${versionNumber(reader)}` };
  }
  if (name !== "TAG") throw scanProblem(reader, "found unknown directive name");
  const handle = tagHandle(reader, true);
  if (!isBlank(reader.peek())) {
    throw scanProblem(reader, "did not find expected whitespace");
  }
  reader.readWhile(isBlank);
  const prefix = tagUri(reader, "");
  if (!isBlankOrEnd(reader.peek())) {
    throw scanProblem(reader, "did not find expected whitespace or line break");
  }
  return { type: "tag-directive", handle, prefix };
}

function versionNumber(reader: TextReader): number {
  const digits = reader.readWhile((char) => char >= "0" && char <= "9");
  if (digits === "") throw scanProblem(reader, "did not find expected version number");
  if (digits.length > 2) throw scanProblem(reader, "found extremely long version number");
  return Number(digits);
}

/** Reads what a tag begins with: `!`, `!!` or `!name!`. In a tag, `!name` can be a whole tag. */
function tagHandle(reader: TextReader, directive: boolean): string {
  if (reader.peek() !== "!") throw scanProblem(reader, "did not find expected '!'");
  const handle = reader.read() + reader.readWhile(isNameChar);
  if (reader.peek() === "!") return handle + reader.read();
  if (directive && handle !== "!") {
    throw scanProblem(reader, "did not find expected '!'");
  }
  return handle;
}

const URI = /^[0-9A-Za-z_;/?:@&=+$,.!~*'()[\]%-]$/;

/** Reads the rest of a tag. `head` is what was read of it, with its `!`. */
function tagUri(reader: TextReader, head: string): string {
  const rest = reader.readWhile((char) => URI.test(char));
  if (head === "" && rest === "") {
    throw scanProblem(reader, "did not find expected tag URI");
  }
  if (/%(?![0-9a-fA-F]{2})/.test(rest)) {
    throw scanProblem(reader, "did not find URI escaped octet");
  }
  try {
    return head.slice(1) + decodeURIComponent(rest);
  } catch {
    throw scanProblem(reader, "found an incorrect leading UTF-8 octet");
  }
}
