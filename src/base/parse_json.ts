/**
 * `JSON.parse` for JSON from outside the program: it keeps integers exact, and works around a bug of V8.
 *
 * A JavaScript number holds integers up to 2^53 - 1. Kubernetes has 64 bits for them, so a rounded integer would be
 * changed when the object is written back. Larger integers therefore become bigints.
 *
 * V8 expects the keys of an object in the order in which it has seen them before, and compares the expected key with
 * the text of the next one before it decodes the escapes in it. So once an object had the key `\`, the key `"\u003c"`
 * (a `<`) of a later object of the same shape is read as `\`: a user who can create one custom resource can change
 * the keys of another one, in the caches of every controller that sees both. The keys of managed fields, such as
 * `k:{"name":"a"}`, have escapes too. Found in Deno 2.9.6 (V8 15.0) and Node 24.21, not in Node 22 nor in Bun. Only
 * keys with a backslash can do it. V8 learns them from what it parses, and from copies of objects. So keys with a
 * backslash are rewritten before parsing, and later also escaped keys that begin like them. V8 can still learn a key
 * with a backslash that the program itself creates.
 *
 * The few texts that have one or the other are rewritten in one pass before the engine reads them, and the parsed
 * value is corrected in another one. A reviver of `JSON.parse` would know the text of each number too, but takes ten
 * times as long as no reviver, and its recursion ends at some 2,000 levels.
 *
 * @module
 */

import { BIG_DIGITS, hasBigInteger, isDigit } from "./big_integers.ts";
import { setOwn } from "./json.ts";

/**
 * Begins what is written otherwise in a rewritten text: a large integer is a string of this character and the digits. A
 * string that begins with the character begins with two of them. In keys, it stands before a character whose code is
 * {@linkcode SHIFT} more than that of the character that is meant, which may be the mark itself. So nothing is mistaken
 * for another, whatever the text has.
 */
const MARK = "\ue000";
const MARK_CODE = 0xe000;
/** Added to the code of a character that JSON must escape, and to that of the backslash. */
const SHIFT = 0x40;

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const BACKSLASH = 0x5c;

/** Whether this engine takes one key for another. The test uses a shape that no other object has. */
const isWrongAboutKeys = ((): boolean => {
  JSON.parse(String.raw`{"kubeloop parse_json":1,"\\":1}`);
  const parsed: object = JSON.parse(String.raw`{"kubeloop parse_json":1,"\u003c":1}`);
  return !Object.hasOwn(parsed, "<");
})();

/**
 * Parses JSON like `JSON.parse`, but an integer that a number does not hold exactly, beyond `Number.MAX_SAFE_INTEGER`,
 * becomes a bigint. A fraction or an exponent makes a number of any literal, as for Kubernetes.
 * {@linkcode stringifyJson} writes bigints as they were.
 *
 * @param text The JSON.
 * @param mayHaveBigInteger False if the caller knows that the text has no integer of 16 digits or more, so that it need
 * not be searched for one. Default true.
 * @throws {SyntaxError} If `text` is not JSON. The message may quote the text.
 */
export function parseJson(text: string, mayHaveBigInteger = true): unknown {
  const hasKeys = isWrongAboutKeys && text.includes("\\") &&
    (hasBackslashInKey(text) || mayHaveSeenKey(text));
  if (!hasKeys && !(mayHaveBigInteger && hasBigInteger(text))) return JSON.parse(text);
  const rewritten = rewrite(text, hasKeys);
  return rewritten === text ? JSON.parse(text) : corrected(JSON.parse(rewritten));
}

/** The beginnings of the keys with a backslash that were read. V8 may have learned them from a copy. */
const seenKeys = new Set<string>();
/** The most beginnings that are remembered. Once there are more, every escaped key is rewritten. */
const MAX_SEEN = 16;
/** The most characters of a beginning. They are fewer than it takes to make a search slow. */
const MAX_BEGINNING = 48;

/** Remembers a key, if it has a backslash. */
function remember(key: string): void {
  if (!isWrongAboutKeys || seenKeys.size > MAX_SEEN || !key.includes("\\")) return;
  seenKeys.add(`"${key.slice(0, MAX_BEGINNING)}`);
}

/** Reports whether the text has an escaped key that V8 may confuse with a key of an earlier text. */
function mayHaveSeenKey(text: string): boolean {
  if (seenKeys.size > MAX_SEEN) return true;
  for (const beginning of seenKeys) if (text.includes(beginning)) return true;
  return false;
}

const ESCAPED_BACKSLASHES = ["\\\\", "\\u005c", "\\u005C"];

/** Reports whether a key has an escaped backslash. Most texts have none at all, which costs three searches. */
function hasBackslashInKey(text: string): boolean {
  if (!ESCAPED_BACKSLASHES.some((escape) => text.includes(escape))) return false;
  const escapes = /\\(?:\\|u005c)/gi;
  for (let match; (match = escapes.exec(text)) !== null;) {
    // The first backslash of a row begins an escape, so it does not matter that the string begins before it.
    const end = stringEnd(text, match.index);
    if (isBeforeColon(text, end + 1)) return true;
    escapes.lastIndex = end;
  }
  return false;
}

/** Returns the position of the quote that ends the string around `at`, or the end of the text. */
function stringEnd(text: string, at: number): number {
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

/** Reports whether a colon follows at `at`, after whitespace or at once. */
function isBeforeColon(text: string, at: number): boolean {
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return text[at] === ":";
}

/**
 * Rewrites large integers, and keys that have the mark.
 *
 * @param text The text. If it is not JSON, the rewritten one is not JSON either.
 * @param hasKeys Whether escaped keys are rewritten too, so that none has a backslash.
 */
function rewrite(text: string, hasKeys: boolean): string {
  let rewritten = "";
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const start = at;
    const code = text.charCodeAt(at);
    let written: string | undefined;
    if (code === QUOTE) {
      at = stringEnd(text, start + 1) + 1;
      written = rewrittenString(text, start, at, hasKeys);
    } else if (isDigit(code) || code === MINUS) {
      at = numberEnd(text, start);
      written = rewrittenNumber(text, start, at);
    } else {
      at++;
    }
    if (written === undefined) continue;
    rewritten += text.slice(copied, start) + written;
    copied = at;
  }
  return copied === 0 ? text : rewritten + text.slice(copied);
}

/** Returns a rewritten string with its quotes, or undefined if it needs no rewriting. */
function rewrittenString(
  text: string,
  start: number,
  end: number,
  hasKeys: boolean,
): string | undefined {
  if (!hasMarkOrEscape(text, start, end)) return undefined;
  const string = text.slice(start, end);
  if (!isBeforeColon(text, end)) {
    return BEGINS_WITH_MARK.test(string) ? `"${MARK}${string.slice(1)}` : undefined;
  }
  return hasKeys || HAS_MARK.test(string) ? string.replace(MARKED, written) : undefined;
}

/** An escape in a string, or the mark. */
const MARKED = /\\(?:u[0-9a-f]{4}|.)|\ue000/gis;
const HAS_MARK = /\ue000|\\ue000/i;
const BEGINS_WITH_MARK = /^"(?:\ue000|\\ue000)/i;
const LETTERS = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));

/** Returns how an escape in a key is written without a backslash. Returns an escape that JSON does not have unchanged. */
function written(escape: string): string {
  const letter = escape[1];
  let character = escape;
  if (letter !== undefined) {
    if (letter === "u" && escape.length > 2) {
      character = String.fromCharCode(parseInt(escape.slice(2), 16));
    } else if ('"\\/'.includes(letter)) character = letter;
    else character = LETTERS.get(letter) ?? escape;
  }
  if (character.length > 1) return escape;
  const code = character.charCodeAt(0);
  const isMarked = code < 0x20 || code === QUOTE || code === BACKSLASH || code === MARK_CODE;
  return isMarked ? MARK + String.fromCharCode(code + SHIFT) : character;
}

function hasMarkOrEscape(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH || code === MARK_CODE) return true;
  }
  return false;
}

/** Returns the position after the characters of a number: digits, `+`, `-`, `.`, `E` and `e`. */
function numberEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isInNumber = isDigit(code) || code === 0x2b || code === MINUS || code === 0x2e ||
      (code | 0x20) === 0x65;
    if (!isInNumber) return at;
  }
  return text.length;
}

/** The maximum number of digits of an integer that is kept. Kubernetes refuses integers above about 1.8e308. */
const MAX_DIGITS = 308;

/** Returns a rewritten integer that a number cannot hold, or undefined if it needs no rewriting. */
function rewrittenNumber(text: string, start: number, end: number): string | undefined {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  const digits = end - first;
  if (digits < BIG_DIGITS || digits > MAX_DIGITS || text.charCodeAt(first) === ZERO) {
    return undefined;
  }
  for (let at = first; at < end; at++) {
    if (!isDigit(text.charCodeAt(at))) return undefined;
  }
  const literal = text.slice(start, end);
  // A number in place of a key is not JSON, but a string would be.
  const isKept = Number.isSafeInteger(Number(literal)) || isBeforeColon(text, end);
  return isKept ? undefined : `"${MARK}${literal}"`;
}

/** Puts large integers and keys back into a parsed value, however deep it is. */
function corrected(value: unknown): unknown {
  const root = [value];
  const rest: object[] = [root];
  for (let object; (object = rest.pop()) !== undefined;) {
    if (Array.isArray(object)) correctItems(object, rest);
    else correctFields(object as Record<string, unknown>, rest);
  }
  return root[0];
}

function correctItems(items: unknown[], rest: object[]): void {
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    const correct = correctedTop(item);
    if (correct !== item) items[i] = correct;
    if (typeof correct === "object" && correct !== null) rest.push(correct);
  }
}

function correctFields(fields: Record<string, unknown>, rest: object[]): void {
  for (const key of Object.keys(fields)) {
    const field = fields[key];
    const correct = correctedTop(field);
    if (correct !== field) setOwn(fields, key, correct);
    if (typeof correct === "object" && correct !== null) rest.push(correct);
  }
}

/** Puts a large integer, a string or the keys of an object back, but nothing inside an object. */
function correctedTop(value: unknown): unknown {
  if (typeof value === "string") return value.charCodeAt(0) === MARK_CODE ? unmarked(value) : value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  return keys.some((key) => key.includes(MARK)) ? withoutMarks(value, keys) : value;
}

/** The marks in a key. */
const MARKS = /\ue000./gs;

function withoutMarks(object: object, keys: readonly string[]): object {
  const renamed: Record<string, unknown> = {};
  for (const key of keys) {
    const name = key.replace(MARKS, (mark) => String.fromCharCode(mark.charCodeAt(1) - SHIFT));
    remember(name);
    setOwn(renamed, name, (object as Record<string, unknown>)[key]);
  }
  return renamed;
}

/** Returns the value of a string that begins with the mark: a large integer, or a string of the text. */
function unmarked(string: string): bigint | string {
  return string.charCodeAt(1) === MARK_CODE ? string.slice(1) : BigInt(string.slice(1));
}
