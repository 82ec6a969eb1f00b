import { stripEnd } from "../base/mod.ts";

/** Words that YAML 1.1 reads as a boolean or null, in any case that one of its parsers takes. */
const WORD = /^(?:y|n|yes|no|on|off|true|false|null|~|=|<<)$/i;
/** Text that may be a number in any base, a time, or infinity. */
const NUMBER = /^[-+]?\.?(?:[0-9][0-9a-fx_.,:oe+-]*|inf|nan)$/i;
const DATE = /^[0-9]{4}-[0-9]/;

/**
 * Returns a text as a scalar of YAML that every parser reads as this text, also between brackets: without quotes if it
 * is simple, and otherwise between double quotes.
 */
export function yamlText(text: string): string {
  const isPlain = /^[A-Za-z_/][-A-Za-z0-9_./]*$/.test(text) && !isAmbiguous(text);
  return isPlain ? text : quoted(text);
}

/**
 * Returns a text as a scalar of YAML in one line that stands between no brackets, with as few escapes as there can be.
 */
export function blockText(text: string): string {
  if (isAmbiguous(text) || NOT_PRINTED.test(text)) return quoted(text);
  if (PLAIN.test(text) && !/: |:$| #|^(?:---|\.\.\.)/.test(text)) return text;
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * A text without quotes: it begins with no indicator, has spaces only inside, and nothing that ends it between
 * brackets.
 */
const PLAIN = /^(?:[^\s?:,[\]{}#&*!|>'"%@`-]|-[^\s,[\]{}])(?:[^,[\]{}]*[^\s,[\]{}])?$/;

/** Characters that need an escape. Lone surrogates become U+FFFD. */
// deno-lint-ignore no-control-regex
const NOT_PRINTED = /[\0-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\p{Surrogate}]/u;

/** Reports whether a parser may read a text as something other than a text. */
function isAmbiguous(text: string): boolean {
  return text === "" || WORD.test(text) || NUMBER.test(text) || DATE.test(text);
}

function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns a text of several lines as a block with its lines; undefined if it needs escapes. */
export function literalBlock(text: string, indent: string): string | undefined {
  if (!text.includes("\n") || NOT_PRINTED.test(text.replace(/[\n\t]/g, ""))) return undefined;
  // A block whose first line is empty or indented, or that has lines of spaces, depends on more than it shows.
  if (/^\s|\n[ \t]+(?:\n|$)/.test(text)) return undefined;
  const body = stripEnd(text, "\n");
  const breaks = text.slice(body.length);
  const chomping = breaks === "" ? "-" : breaks === "\n" ? "" : "+";
  const lines = body.split("\n").map((line) => line === "" ? "" : indent + line);
  return `|${chomping}\n${lines.join("\n")}${breaks === "" ? "\n" : breaks}`;
}
