import { patternOf } from "../../structural/mod.ts";
import { CelError, CelList } from "../values/mod.ts";
import { formatText } from "./format_text.ts";
import { define, type Overload } from "./overload.ts";

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

function charAt(text: string, index: bigint): string {
  const chars = [...text];
  if (index < 0n || index > chars.length) throw outOfRange(index);
  return chars[Number(index)] ?? "";
}

function indexOf(text: string, part: string, offset = 0n): bigint {
  if (part === "") return offset;
  if (offset < 0n) throw outOfRange(offset);
  const chars = [...text];
  if (offset >= chars.length) return -1n;
  const start = chars.slice(0, Number(offset)).join("").length;
  const found = text.indexOf(part, start);
  return found < 0 ? -1n : BigInt([...text.slice(0, found)].length);
}

function lastIndexOf(text: string, part: string, offset?: bigint): bigint {
  const chars = [...text];
  if (part === "") return offset ?? BigInt(chars.length);
  if (offset !== undefined && offset < 0n) throw outOfRange(offset);
  if (offset !== undefined && offset >= chars.length) return -1n;
  const limit = offset === undefined ? text.length : chars.slice(0, Number(offset)).join("").length;
  const found = text.lastIndexOf(part, limit);
  return found < 0 ? -1n : BigInt([...text.slice(0, found)].length);
}

function replace(text: string, old: string, next: string, count = -1n): string {
  if (count < 0n) return text.replaceAll(old, () => next);
  if (count === 0n) return text;
  const parts = splitText(text, old, old === "" ? -1n : count + 1n);
  if (old !== "") return parts.join(next);
  // An empty text is before each character and at the end.
  const places = [...parts, ""];
  return places.map((part, index) => (BigInt(index) < count ? next : "") + part).join("");
}

function splitText(text: string, separator: string, count: bigint): string[] {
  if (count === 0n) return [];
  const all = separator === "" ? [...text] : text.split(separator);
  if (count < 0n || all.length <= count) return all;
  const last = Number(count) - 1;
  return [...all.slice(0, last), all.slice(last).join(separator)];
}

function substring(text: string, start: bigint, end?: bigint): string {
  const chars = [...text];
  if (end !== undefined && start > end) {
    throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > chars.length) throw outOfRange(start);
  if (end !== undefined && end > chars.length) throw outOfRange(end);
  return chars.slice(Number(start), end === undefined ? undefined : Number(end)).join("");
}

const QUOTED: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function join(list: CelList, separator = ""): string {
  for (const item of list.items) {
    if (typeof item !== "string") throw new CelError(`join: invalid input: ${item}`);
  }
  return list.items.join(separator);
}

const lower = (text: string) => text.replace(/[A-Z]/g, (char) => char.toLowerCase());
const upper = (text: string) => text.replace(/[a-z]/g, (char) => char.toUpperCase());

/** Returns at most `count` matches of a pattern; all if `count` is negative. */
function findAll(text: string, pattern: string, count = -1n): string[] {
  try {
    return patternOf(pattern).find(text, count < 0n ? Infinity : Number(count));
  } catch (error) {
    throw new CelError(`Illegal regex: ${(error as Error).message}`);
  }
}

const list = (items: string[]) => new CelList(items);

/** The functions of strings and patterns. */
export const STRINGS: readonly Overload[] = [
  define("charAt", "string_char_at_int", "string.int -> string", charAt),
  define("indexOf", "string_index_of_string", "string.string -> int", indexOf),
  define("indexOf", "string_index_of_string_int", "string.string, int -> int", indexOf),
  define("lastIndexOf", "string_last_index_of_string", "string.string -> int", lastIndexOf),
  define(
    "lastIndexOf",
    "string_last_index_of_string_int",
    "string.string, int -> int",
    lastIndexOf,
  ),
  define("lowerAscii", "string_lower_ascii", "string. -> string", lower),
  define("upperAscii", "string_upper_ascii", "string. -> string", upper),
  define("replace", "string_replace_string_string", "string.string, string -> string", replace),
  define(
    "replace",
    "string_replace_string_string_int",
    "string.string, string, int -> string",
    replace,
  ),
  define(
    "split",
    "string_split_string",
    "string.string -> list(string)",
    (text: string, separator: string) => list(splitText(text, separator, -1n)),
  ),
  define(
    "split",
    "string_split_string_int",
    "string.string, int -> list(string)",
    (text: string, separator: string, count: bigint) => list(splitText(text, separator, count)),
  ),
  define("substring", "string_substring_int", "string.int -> string", substring),
  define("substring", "string_substring_int_int", "string.int, int -> string", substring),
  define("trim", "string_trim", "string. -> string", (text: string) => text.trim()),
  define("format", "string_format", "string.list(dyn) -> string", formatText),
  define("strings.quote", "strings_quote", "string -> string", (text: string) => {
    return `"${[...text].map((char) => QUOTED[char] ?? char).join("")}"`;
  }),
  define("join", "list_join", "list(string). -> string", join),
  define("join", "list_join_string", "list(string).string -> string", join),
  define(
    "find",
    "string_find_string",
    "string.string -> string",
    (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? "",
  ),
  define(
    "findAll",
    "string_find_all_string",
    "string.string -> list(string)",
    (text: string, pattern: string) => list(findAll(text, pattern)),
  ),
  define(
    "findAll",
    "string_find_all_string_int",
    "string.string, int -> list(string)",
    (text: string, pattern: string, count: bigint) => list(findAll(text, pattern, count)),
  ),
];
