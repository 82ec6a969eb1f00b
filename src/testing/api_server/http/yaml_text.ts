import {
  byteLength,
  getOwn,
  goFloat,
  isObject,
  type Json,
  type JsonObject,
  readJson,
} from "../../values/mod.ts";
import { yamlScalar } from "./yaml_scalar.ts";

/** The maximum size of a key that is written without a question mark, in bytes. */
const MAX_KEY_BYTES = 128;

/** Matches characters that the API server, which reads its own JSON as YAML, does not read. */
const UNREADABLE = /[\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** The line break that JSON does not escape and YAML folds. */
const BREAK = "\x85";

/**
 * Encodes JSON as YAML, in the style of the API server: keys are sorted, lists are not indented, ambiguous texts are in
 * double quotes, and long texts are folded. Returns undefined if a text has control characters.
 */
export function yamlText(json: string): string | undefined {
  if (UNREADABLE.test(json)) return undefined;
  const value = readJson(json.includes(BREAK) ? json.replace(/[ \x85]+/g, folded) : json);
  const text = isLeaf(value) ? leaf("", "  ", value) : lines(value, "");
  return `${text.join("\n")}\n`;
}

/** Folds line breaks and the spaces around them as a YAML parser does: one break becomes a space, of several one is dropped. */
function folded(text: string): string {
  if (!text.includes(BREAK)) return text;
  return "\\n".repeat(text.replaceAll(" ", "").length - 1) || " ";
}

function lines(value: Json, indent: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => entry(`${indent}- `, `${indent}  `, item));
  }
  return Object.keys(value as JsonObject).sort().flatMap((key) => {
    const child = getOwn(value as JsonObject, key) ?? null;
    if (byteLength(key) > MAX_KEY_BYTES) {
      return [
        ...entry(`${indent}? `, `${indent}  `, key),
        ...entry(`${indent}: `, `${indent}  `, child),
      ];
    }
    const head = yamlScalar(key, { column: indent.length, indent: undefined });
    return member(`${indent}${head}:`, indent, child);
  });
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
  return (head + yamlScalar(value, { column: [...head].length, indent })).split("\n");
}

/** Returns the text of a number, which the server has read as YAML from its JSON: an integer of 64 bits, or a float. */
function numberText(value: number): string {
  const isInteger = Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64;
  return isInteger ? String(value) : goFloat(value);
}
