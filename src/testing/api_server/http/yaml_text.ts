import { getOwn, goFloat, isObject, type Json, type JsonObject } from "../../values/mod.ts";

/**
 * Encodes JSON as YAML, in the style of the API server: keys are sorted, lists are not indented, and ambiguous texts
 * are in double quotes. Long texts are not folded.
 */
export function yamlText(value: Json): string {
  const text = isLeaf(value) ? leaf("", "  ", value) : lines(value, "");
  return `${text.join("\n")}\n`;
}

function lines(value: Json, indent: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => entry(`${indent}- `, `${indent}  `, item));
  }
  return Object.keys(value as JsonObject).sort().flatMap((key) =>
    member(`${indent}${quoted(key)}:`, indent, getOwn(value as JsonObject, key) ?? null)
  );
}

/** Returns the lines of a member of an object: a single line, or a key with its children below. */
function member(head: string, indent: string, value: Json): string[] {
  if (isLeaf(value)) return leaf(`${head} `, `${indent}  `, value);
  return [head, ...lines(value, Array.isArray(value) ? indent : `${indent}  `)];
}

/** Returns the lines of a list item. Its first line follows the dash. */
function entry(head: string, indent: string, value: Json): string[] {
  if (isLeaf(value)) return leaf(head, indent, value);
  const [first = "", ...rest] = lines(value, indent);
  return [head + first.slice(indent.length), ...rest];
}

function isLeaf(value: Json): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/** Returns the lines of a value without children, after `head`. Further lines of the value are indented. */
function leaf(head: string, indent: string, value: Json): string[] {
  if (Array.isArray(value)) return [`${head}[]`];
  if (isObject(value)) return [`${head}{}`];
  if (typeof value === "number") return [head + numberText(value)];
  if (typeof value !== "string") return [head + String(value)];
  if (!value.includes("\n") || /[^\n\x20-\x7e]/.test(value)) return [head + quoted(value)];
  const chomp = value.endsWith("\n\n") ? "+" : value.endsWith("\n") ? "" : "-";
  const body = value.replace(/\n$/, "").split("\n");
  return [`${head}|${chomp}`, ...body.map((line) => (line === "" ? "" : indent + line))];
}

/** Returns the text of a number, which the server has read as YAML from its JSON: an integer of 64 bits, or a float. */
function numberText(value: number): string {
  const isInteger = Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64;
  return isInteger ? String(value) : goFloat(value);
}

/** The quoting style of a text. */
type Style = "plain" | "single" | "double";

const QUOTES: Readonly<Record<Style, string>> = { plain: "", single: "'", double: '"' };

/** Texts that a YAML 1.1 parser does not read as strings. */
const AMBIGUOUS =
  /^(|~|null|true|false|yes|no|on|off|y|n|[-+]?0[xob][0-9a-f_]+|[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9_]+)(e[-+]?[0-9]+)?|[-+]?\.(inf|nan)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?|<<|=)$/i;

/** Texts that need no quotes. */
const PLAIN = /^[^\s\-?:,[\]{}#&*!|>'"%@`=]|^[-?:][^\s,[\]{}]/;

/** Matches characters that Go's encoder writes only as escapes in double quotes, such as all characters of four bytes. */
const UNPRINTABLE = /[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

/** Matches characters that it escapes within double quotes. */
const ESCAPED = /[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

/** The escapes with a letter. */
const ESCAPES: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  "\x85": "N",
  "\u2028": "L",
  "\u2029": "P",
};

function styleOf(value: string): Style {
  if (AMBIGUOUS.test(value) || UNPRINTABLE.test(value)) return "double";
  return PLAIN.test(value) && !/: |\s#|:$|^\s|\s$/.test(value) ? "plain" : "single";
}

function escaped(char: string, style: Style): string {
  if (style === "double") {
    if (char === '"' || char === "\\") return `\\${char}`;
    return ESCAPED.test(char) ? `\\${ESCAPES[char] ?? numbered(char)}` : char;
  }
  return style === "single" && char === "'" ? "''" : char;
}

/** Returns the escape of a character with its number. */
function numbered(char: string): string {
  const code = char.codePointAt(0)!;
  const [letter, digits] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return letter + code.toString(16).toUpperCase().padStart(digits as number, "0");
}

/** Returns a text in the quoting style that it needs. */
function quoted(text: string): string {
  const style = styleOf(text);
  const body = [...text].map((char) => escaped(char, style)).join("");
  return QUOTES[style] + body + QUOTES[style];
}
