import { isObject, type Json, type JsonObject } from "./json.ts";
import type { StructType, Type } from "./type.ts";

/** How {@linkcode encodeJson} writes. */
export interface EncodeOptions {
  /** Two spaces per level, as the server answers browsers and `?pretty=true`. */
  readonly indent?: boolean;
  /** Whether `<`, `>` and `&` are escaped, as Go does in bodies. Default true. */
  readonly escapeHtml?: boolean;
}

/** JSON puts keys like "10" first, whatever the order they were set in. */
const INTEGER_KEY = /^(0|[1-9][0-9]*)$/;
const ESCAPED = /[<>&\u2028\u2029]/;
const ESCAPED_ALL = /[<>&\u2028\u2029]/g;

/**
 * JSON as the real server writes it, with no newline at the end. Equal objects have equal texts.
 *
 * @param schema The type of `value`: a built-in kind is written in the order of its fields, a custom resource
 * alphabetically. Absent: keys keep their order, but for objects with keys that look like integers, whose order JavaScript
 * cannot hold; those are maps, and are sorted.
 */
export function encodeJson(
  value: unknown,
  schema?: StructType,
  options: EncodeOptions = {},
): string {
  const writer = new Writer(options.indent === true);
  const json = (value ?? null) as Json;
  let text: string;
  if (schema === undefined) text = writer.plain(json, "\n");
  else if (schema.name === "") text = writer.sorted(json, "\n");
  else text = writer.typed(json, schema, "\n");
  if (options.escapeHtml === false || !ESCAPED.test(text)) return text;
  return text.replace(
    ESCAPED_ALL,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

class Writer {
  readonly #indent: boolean;

  constructor(indent: boolean) {
    this.#indent = indent;
  }

  /** As it comes. */
  plain(value: Json, newline: string): string {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const inner = this.#indent ? `${newline}  ` : "";
    if (Array.isArray(value)) {
      return this.#wrap("[", "]", value.map((one) => this.plain(one, inner)), newline);
    }
    const keys = Object.keys(value);
    if (keys.length > 1 && INTEGER_KEY.test(keys[0]!)) keys.sort();
    return this.#object(value, keys, newline, (one) => this.plain(one, inner));
  }

  /** All keys in alphabetical order. */
  sorted(value: Json, newline: string): string {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
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

  /** Structs in the order of their fields, maps in alphabetical order. */
  typed(value: Json, type: Type, newline: string): string {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
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
