import { isObject, type Json, type JsonObject, scalarText } from "./json.ts";
import type { StructType, Type } from "./type.ts";

/** The options of {@linkcode encodeJson}. */
export interface EncodeOptions {
  /** Whether to indent by two spaces per level, as the server does for browsers and `?pretty=true`. Default false. */
  readonly indent?: boolean;
  /** Whether to escape `<`, `>`, `&`, U+2028 and U+2029, as Go does in response bodies. Default true. */
  readonly escapeHtml?: boolean;
}

/** Matches keys like "10". JavaScript lists them before all other keys, whatever order they were set in. */
const INTEGER_KEY = /^(0|[1-9][0-9]*)$/;
/** Matches such a key in JSON. It also matches some texts, which then take the longer way. */
const INTEGER_KEY_IN_TEXT = /"(?:0|[1-9][0-9]*)":/;
const ESCAPED = /[<>&\u2028\u2029]/;
const ESCAPED_ALL = /[<>&\u2028\u2029]/g;

/**
 * Encodes a value as JSON as a real API server does, without a trailing newline.
 *
 * With a schema, equal objects have equal encodings, except where the schema of a built-in kind allows any value.
 *
 * @param schema The type of `value`. A built-in kind is written in the order of its fields, a custom resource in
 * alphabetical order. Without a schema, keys keep their order. The exception is objects of several keys that have
 * integer keys: JavaScript cannot keep the order of these. Such objects are maps, so their keys are sorted.
 */
export function encodeJson(
  value: unknown,
  schema?: StructType,
  options: EncodeOptions = {},
): string {
  const indent = options.indent === true;
  const writer = new Writer(indent);
  const json = (value ?? null) as Json;
  let text: string;
  if (schema === undefined) text = indent ? writer.plain(json, "\n") : plainText(json, writer);
  else if (schema.name === "") text = writer.sorted(json, "\n");
  else text = writer.typed(json, schema, "\n");
  if (options.escapeHtml === false || !ESCAPED.test(text)) return text;
  return text.replace(
    ESCAPED_ALL,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Writes keys in their own order, natively unless there may be integer keys. */
function plainText(value: Json, writer: Writer): string {
  const text = nativeText(value);
  return text === undefined || INTEGER_KEY_IN_TEXT.test(text) ? writer.plain(value, "\n") : text;
}

/** Returns what the engine writes; undefined if it cannot, because of a bigint. */
function nativeText(value: Json): string | undefined {
  // A program may have given bigints a method that writes them as text.
  if ("toJSON" in BigInt.prototype) return undefined;
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

class Writer {
  readonly #indent: boolean;

  constructor(indent: boolean) {
    this.#indent = indent;
  }

  /** Writes keys in their own order; sorts them if the object has integer keys. */
  plain(value: Json, newline: string): string {
    if (typeof value !== "object" || value === null) return scalarText(value);
    const inner = this.#indent ? `${newline}  ` : "";
    if (Array.isArray(value)) {
      return this.#wrap("[", "]", value.map((one) => this.plain(one, inner)), newline);
    }
    const keys = Object.keys(value);
    if (keys.length > 1 && INTEGER_KEY.test(keys[0]!)) keys.sort();
    return this.#object(value, keys, newline, (one) => this.plain(one, inner));
  }

  /** Writes all keys in alphabetical order. */
  sorted(value: Json, newline: string): string {
    if (typeof value !== "object" || value === null) return scalarText(value);
    const inner = this.#indent ? `${newline}  ` : "";
    if (Array.isArray(value)) {
      return this.#wrap("[", "]", value.map((one) => this.sorted(one, inner)), newline);
    }
    return this.#object(
      value,
      Object.keys(value).sort(),
      newline,
      (one) => this.sorted(one, inner),
    );
  }

  /** Writes structs in the order of their fields and maps in alphabetical order. */
  typed(value: Json, type: Type, newline: string): string {
    if (typeof value !== "object" || value === null) return scalarText(value);
    const inner = this.#indent ? `${newline}  ` : "";
    if (type.kind === "list" && Array.isArray(value)) {
      return this.#wrap("[", "]", value.map((one) => this.typed(one, type.item, inner)), newline);
    }
    if (type.kind === "map" && isObject(value)) {
      return this.#object(
        value,
        Object.keys(value).sort(),
        newline,
        (one) => this.typed(one, type.value, inner),
      );
    }
    if (type.kind !== "struct" || !isObject(value)) return this.plain(value, newline);
    const keys: string[] = [];
    for (const name of type.fields.keys()) if (Object.hasOwn(value, name)) keys.push(name);
    return this.#object(
      value,
      keys,
      newline,
      (one, key) => this.typed(one, type.fields.get(key)!.type, inner),
    );
  }

  #object(
    value: JsonObject,
    keys: readonly string[],
    newline: string,
    write: (value: Json, key: string) => string,
  ): string {
    const parts: string[] = [];
    for (const key of keys) {
      const member = value[key];
      if (member === undefined) continue;
      parts.push(`${JSON.stringify(key)}:${this.#indent ? " " : ""}${write(member, key)}`);
    }
    return this.#wrap("{", "}", parts, newline);
  }

  #wrap(open: string, close: string, parts: readonly string[], newline: string): string {
    if (parts.length === 0) return open + close;
    if (!this.#indent) return open + parts.join(",") + close;
    const inner = `${newline}  `;
    return open + inner + parts.join(`,${inner}`) + newline + close;
  }
}
