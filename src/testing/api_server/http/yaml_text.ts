import { getOwn, isObject, type Json, type JsonObject } from "../values/mod.ts";

/** A text is broken at the next space once a line is longer than this. */
const BEST_WIDTH = 80;

/**
 * JSON as YAML, in the style of the API server: sorted keys, lists not indented, double quotes where a text could be read
 * as something else, long texts folded.
 */
export function yamlText(value: Json): string {
  const text = isLeaf(value) ? leaf("", "  ", value) : lines(value, "");
  return `${text.join("\n")}\n`;
}

function lines(value: Json, indent: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => entry(`${indent}- `, `${indent}  `, item));
  }
  return Object.keys(value as JsonObject).sort(compareKeys).flatMap((key) =>
    member(`${indent}${quoted(key)}:`, indent, getOwn(value as JsonObject, key) ?? null)
  );
}

/** Letters come after everything else, and numbers are compared as such: `f:9` before `f:10`. */
function compareKeys(left: string, right: string): number {
  const a = [...left];
  const b = [...right];
  const at = a.findIndex((char, index) => char !== b[index]);
  if (at < 0 || at >= b.length) return a.length - b.length;
  const letters = [a[at]!, b[at]!].map((char) => /\p{L}/u.test(char));
  if (letters[0] !== letters[1]) return letters[0] ? 1 : -1;
  const digits = letters[0] ? ["", ""] : [digitsFrom(a, at), digitsFrom(b, at)];
  // A zero counts by the place it has in the number that began before it.
  const started = (a[at] === "0" || b[at] === "0") && /[1-9][0-9]*$/.test(a.slice(0, at).join(""));
  const [x, y] = digits.map((text) => BigInt((started ? "1" : "0") + text));
  if (x !== y) return x! < y! ? -1 : 1;
  return digits[0]!.length - digits[1]!.length || (a[at]! < b[at]! ? -1 : 1);
}

function digitsFrom(chars: readonly string[], at: number): string {
  return /^[0-9]*/.exec(chars.slice(at).join(""))![0];
}

/** A member of an object: on one line, or with its children below. */
function member(head: string, indent: string, value: Json): string[] {
  if (isLeaf(value)) return leaf(`${head} `, `${indent}  `, value);
  return [head, ...lines(value, Array.isArray(value) ? indent : `${indent}  `)];
}

/** An item of a list: its first line follows the dash. */
function entry(head: string, indent: string, value: Json): string[] {
  if (isLeaf(value)) return leaf(head, indent, value);
  const [first = "", ...rest] = lines(value, indent);
  return [head + first.slice(indent.length), ...rest];
}

function isLeaf(value: Json): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/** A value without children, behind `head`; what does not fit on its line goes below, indented. */
function leaf(head: string, indent: string, value: Json): string[] {
  if (Array.isArray(value)) return [`${head}[]`];
  if (isObject(value)) return [`${head}{}`];
  if (typeof value !== "string") return [head + String(value)];
  if (!value.includes("\n") || /[^\n\x20-\x7e]/.test(value)) return folded(head, indent, value);
  const chomp = value.endsWith("\n\n") ? "+" : value.endsWith("\n") ? "" : "-";
  const body = value.replace(/\n$/, "").split("\n");
  return [`${head}|${chomp}`, ...body.map((line) => (line === "" ? "" : indent + line))];
}

/** A text in the style that it needs, broken where a line gets too long. */
function folded(head: string, indent: string, value: string): string[] {
  const style = styleOf(value);
  const quote = QUOTES[style];
  const result: string[] = [];
  const chars = [...value];
  let line = head + quote;
  let column = [...line].length;
  let afterSpace = false;
  chars.forEach((char, at) => {
    const isSpace = char === " ";
    const inside = style === "plain" || (at > 0 && at < chars.length - 1);
    const spaceNext = chars[at + 1] === " ";
    const breaks = isSpace && inside && !afterSpace && column > BEST_WIDTH;
    afterSpace = isSpace;
    if (breaks && (style === "double" || !spaceNext)) {
      result.push(line);
      // In double quotes, a space at the start of a line has to be escaped.
      line = indent + (spaceNext ? "\\" : "");
      column = line.length;
      return;
    }
    const written = escaped(char, style);
    line += written;
    column += [...written].length;
  });
  return [...result, line + quote];
}

/** How a text is written. */
type Style = "plain" | "single" | "double";

const QUOTES: Readonly<Record<Style, string>> = { plain: "", single: "'", double: '"' };

/** Texts that a YAML 1.1 parser reads as something else. */
const AMBIGUOUS =
  /^(|~|null|true|false|yes|no|on|off|y|n|[-+]?0[xob][0-9a-f_]+|[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9_]+)(e[-+]?[0-9]+)?|[-+]?\.(inf|nan)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?|<<|=)$/i;

/** Texts that need no quotes. */
const PLAIN = /^[^\s\-?:,[\]{}#&*!|>'"%@`=]|^[-?:][^\s,[\]{}]/;

function styleOf(value: string): Style {
  if (AMBIGUOUS.test(value) || /\p{Cc}/u.test(value)) return "double";
  return PLAIN.test(value) && !/: |\s#|:$|^\s|\s$/.test(value) ? "plain" : "single";
}

function escaped(char: string, style: Style): string {
  if (style === "double") return JSON.stringify(char).slice(1, -1);
  return style === "single" && char === "'" ? "''" : char;
}

function quoted(key: string): string {
  const style = styleOf(key);
  const body = [...key].map((char) => escaped(char, style)).join("");
  return QUOTES[style] + body + QUOTES[style];
}
