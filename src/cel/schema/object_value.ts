import {
  isInteger,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  quote,
} from "../../values/mod.ts";
import type { Structural } from "../../structural/mod.ts";
import { parseDuration, parseTimestamp } from "../functions/mod.ts";
import {
  CelError,
  CelList,
  type CelMap,
  Duration,
  Preserved,
  Timestamp,
  type Value,
} from "../values/mod.ts";
import { escapeField } from "./escape.ts";

const NANOS_PER_DAY = 86_400_000_000_000n;

/** The fields of metadata that expressions can see. */
const METADATA = ["name", "generateName"];

/** An object or map of a request, whose values are converted when an expression uses them. */
class ObjectValue implements CelMap {
  readonly isMap = true;
  readonly ofObject = true;
  readonly #json: JsonObject;
  readonly #names = new Map<string, string>();
  readonly #read: (name: string) => Value | undefined;
  readonly #known = new Map<string, Value | undefined>();

  constructor(
    json: JsonObject,
    names: Iterable<string>,
    read: (name: string) => Value | undefined,
  ) {
    this.#json = json;
    this.#read = read;
    for (const name of names) this.#names.set(escapeField(name) ?? name, name);
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  get(key: Value): Value | undefined {
    const name = typeof key === "string" ? this.#names.get(key) : undefined;
    if (name === undefined) return undefined;
    if (!this.#known.has(name)) this.#known.set(name, this.#read(name));
    return this.#known.get(name);
  }

  keys(): readonly Value[] {
    return [...this.#names.keys()];
  }
}

/** A map of a request. Its keys are not escaped. */
class MapValue implements CelMap {
  readonly isMap = true;
  readonly ofObject = true;
  readonly #json: JsonObject;
  readonly #values: Structural;

  constructor(json: JsonObject, values: Structural) {
    this.#json = json;
    this.#values = values;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== "string" || !Object.hasOwn(this.#json, key)) return undefined;
    return toValue(this.#json[key]!, this.#values);
  }

  keys(): readonly Value[] {
    return Object.keys(this.#json);
  }
}

/**
 * Returns a value of a request as expressions see it.
 *
 * @param root Whether the value is a whole object, which has apiVersion, kind and metadata.
 * @throws {CelError} If the value does not fit its schema.
 */
export function toValue(json: Json, schema: Structural, root: boolean = schema.embedded): Value {
  if (json === null) {
    if (schema.nullable) return null;
    throw new CelError("invalid data, got null for schema with nullable=false");
  }
  if (schema.intOrString) {
    if (typeof json === "string") return json;
    if (typeof json === "number") return BigInt(Math.trunc(json));
    if (typeof json === "bigint") return json;
    throw new CelError(
      "invalid data, expected XIntOrString value to be either a string or integer",
    );
  }
  switch (root ? "object" : schema.type) {
    case "object":
      if (isObject(json)) return objectValue(json, schema, root);
      throw new CelError("invalid data, expected a map for the provided schema with type=object");
    case "array":
      if (Array.isArray(json)) return listValue(json, schema);
      throw new CelError("invalid data, expected an array for the provided schema with type=array");
    case "string":
      if (typeof json === "string") return textValue(json, String(schema.raw["format"] ?? ""));
      throw new CelError(`invalid data, expected string, got ${goType(json)}`);
    case "number":
      if (isNumber(json)) return Number(json);
      throw new CelError(`invalid data, expected float, got ${goType(json)}`);
    case "integer":
      if (isInteger(json)) return BigInt(json);
      throw new CelError(`invalid data, expected int, got ${goType(json)}`);
    case "boolean":
      if (typeof json === "boolean") return json;
      throw new CelError(`invalid data, expected bool, got ${goType(json)}`);
    default:
      return new Preserved(json);
  }
}

function goType(json: Json): string {
  if (Array.isArray(json)) return "[]interface {}";
  if (isNumber(json)) return isInteger(json) ? "int64" : "float64";
  return typeof json === "object" ? "map[string]interface {}" : `${typeof json}`;
}

function objectValue(json: JsonObject, schema: Structural, root: boolean): Value {
  const { additional, properties } = schema;
  if (typeof additional === "object") return new MapValue(json, additional);
  const read = (name: string): Value | undefined => {
    const value = json[name];
    if (value === undefined || value === null) return undefined;
    if (root && name === "metadata") return isObject(value) ? metadata(value) : undefined;
    if (root && (name === "apiVersion" || name === "kind")) return String(value);
    return toValue(value, properties.get(name)!);
  };
  const names = Object.keys(json).filter((name) =>
    properties.has(name) || (root && ["apiVersion", "kind", "metadata"].includes(name))
  );
  return new ObjectValue(json, names, read);
}

function metadata(json: JsonObject): Value {
  const names = METADATA.filter((name) => typeof json[name] === "string");
  return new ObjectValue(
    Object.fromEntries(names.map((name) => [name, json[name]!])),
    names,
    (name) => json[name] as string,
  );
}

function listValue(json: readonly Json[], { items, listType, mapKeys }: Structural): Value {
  if (items === undefined) {
    throw new CelError("invalid array type, expected Items with a non-empty Schema");
  }
  const mode = listType === "set"
    ? { type: "set" } as const
    : listType === "map"
    ? { type: "map", keys: mapKeys } as const
    : undefined;
  return new CelList(json.map((one) => toValue(one, items)), { mode, ofObject: true });
}

function textValue(text: string, format: string): Value {
  switch (format) {
    case "duration": {
      const nanos = parseLongDuration(text);
      if (nanos === undefined) {
        throw new CelError(`Invalid duration ${text}: unable to parse ${quote(text)} as duration`);
      }
      return new Duration(nanos);
    }
    case "date":
    case "date-time": {
      const time = parseTimestamp(format === "date" ? `${text}T00:00:00Z` : text.toUpperCase());
      if (time === undefined) {
        throw new CelError(`Invalid ${format} formatted string ${text}: unable to parse`);
      }
      return new Timestamp(time.nanos, time.offsetMinutes);
    }
    case "byte":
      try {
        return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
      } catch {
        throw new CelError(`Invalid byte formatted string ${text}: illegal base64 data`);
      }
    default:
      return text;
  }
}

/** Parses a duration, which may also have days and weeks, such as `2d`. */
function parseLongDuration(text: string): bigint | undefined {
  const plain = parseDuration(text);
  if (plain !== undefined) return plain;
  const found = /^(\d+) ?(d|w)[a-z]*$/.exec(text);
  if (found === null) return undefined;
  return BigInt(found[1]!) * NANOS_PER_DAY * (found[2] === "w" ? 7n : 1n);
}
