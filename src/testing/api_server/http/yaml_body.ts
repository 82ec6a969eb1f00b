import { parse } from "@std/yaml/parse";
import { isObject, type Json, type JsonObject, MAX_JSON_DEPTH, setOwn } from "../values/mod.ts";
import { MAX_BODY_BYTES } from "./body.ts";

/**
 * Thrown for text that is not YAML. The message imitates that of the API server's parser, as far as another parser can.
 */
export class YamlError extends Error {
  /** Always `YamlError`. */
  override readonly name: string = "YamlError";
}

/**
 * Parses YAML text to JSON. Every alias becomes a copy of what it stands for, within the bounds of the API server.
 *
 * @throws {YamlError} If it is not YAML, or if its aliases stand for too much.
 */
export function parseYamlBody(text: string): Json {
  checkAliases(text);
  let value: unknown;
  try {
    value = parse(text, { schema: "json", allowDuplicateKeys: true }) ?? null;
  } catch (error) {
    throw new YamlError(`yaml: ${reasonOf(error, text)}`);
  }
  return new Copy().of(value as Json, 0);
}

const EXCESSIVE = "yaml: document contains excessive aliasing";

/** The maximum product of the number of aliases and the length of the text. */
const MAX_ALIASED = 10_000_000;

/**
 * Refuses text in which many aliases can stand for long texts. The parser joins the texts in a list that is a key, so
 * this must be known before it runs.
 */
function checkAliases(text: string): void {
  let aliases = 0;
  for (let at = text.indexOf("*"); at >= 0; at = text.indexOf("*", at + 1)) {
    // Bullets and wildcards are no aliases: a name follows the asterisk of an alias.
    if (/[^\s*,[\]{}"'/]/.test(text[at + 1] ?? " ")) aliases++;
  }
  if (aliases * text.length > MAX_ALIASED && text.includes("&")) throw new YamlError(EXCESSIVE);
}

/** Copies a parsed document, in which aliases are references to the same object. */
class Copy {
  readonly #seen = new Set<object>();
  readonly #parents = new Set<object>();
  /** The values that were copied, and how many of them come from aliases. */
  #count = 0;
  #aliased = 0;
  #aliasDepth = 0;
  #characters = 0;

  of(value: Json, depth: number): Json {
    if (depth > MAX_JSON_DEPTH) throw new YamlError("yaml: exceeded max depth of 10000");
    this.#charge(typeof value === "string" ? value.length : 0);
    if (typeof value !== "object" || value === null) return value;
    if (this.#parents.has(value)) throw new YamlError("yaml: anchor value contains itself");
    const alias = this.#seen.has(value);
    this.#seen.add(value);
    this.#parents.add(value);
    if (alias) this.#aliasDepth++;
    const copy = Array.isArray(value)
      ? value.map((item) => this.of(item, depth + 1))
      : this.#object(value, depth);
    if (alias) this.#aliasDepth--;
    this.#parents.delete(value);
    return copy;
  }

  #object(value: JsonObject, depth: number): JsonObject {
    const copy: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      this.#charge(key.length);
      const inner = this.of(member ?? null, depth + 1);
      if (key === "<<") mergeInto(copy, inner, value);
      else setOwn(copy, key, inner);
    }
    return copy;
  }

  /** Counts one value with its text. Go's parser has the same rule for the share of aliases. */
  #charge(characters: number): void {
    this.#count++;
    if (this.#aliasDepth > 0) this.#aliased++;
    this.#characters += characters;
    const excessive = this.#aliased > 100 && this.#count > 1000 &&
      this.#aliased / this.#count > allowedShare(this.#count);
    if (excessive || this.#characters > MAX_BODY_BYTES) throw new YamlError(EXCESSIVE);
  }
}

/** Returns the share of a document of `count` values that may come from aliases: 99 % of a small one, 10 % of a large one. */
function allowedShare(count: number): number {
  const [small, large] = [400_000, 4_000_000];
  const scaled = 0.99 - 0.89 * (count - small) / (large - small);
  return Math.min(0.99, Math.max(0.1, scaled));
}

/** Adds the members of a merge key (`<<`), which yield to the members of the mapping itself. */
function mergeInto(copy: JsonObject, merged: Json, own: JsonObject): void {
  const parts = Array.isArray(merged) ? merged : [merged];
  for (const part of parts) {
    if (!isObject(part)) {
      throw new YamlError("yaml: map merge requires map or sequence of maps as the value");
    }
    for (const [key, member] of Object.entries(part)) {
      if (!Object.hasOwn(own, key) && !Object.hasOwn(copy, key)) setOwn(copy, key, member ?? null);
    }
  }
}

function reasonOf(error: unknown, text: string): string {
  if (error instanceof RangeError) return "exceeded max depth of 10000";
  const { message } = error as Error;
  const alias = /unidentified alias "([^"]*)"/i.exec(message)?.[1];
  if (alias !== undefined) return `unknown anchor '${alias}' referenced`;
  // Parsers report different expectations. They agree only on the line.
  const line = Math.min(Number(/at line ([0-9]+)/.exec(message)?.[1] ?? "1"), lineCount(text));
  const reason = /flow collection|unexpected end/.test(message)
    ? "did not find expected node content"
    : "could not find expected ':'";
  return `line ${line}: ${reason}`;
}

function lineCount(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}
