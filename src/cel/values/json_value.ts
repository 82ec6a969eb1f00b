import { encodeBase64 } from "../../base/mod.ts";
import { isInteger, isObject, type Json, type JsonObject, setOwn } from "../../values/mod.ts";
import { MessageValue } from "./message_value.ts";
import { showDuration, showTimestamp, showValue } from "./show.ts";
import {
  CelError,
  CelList,
  type CelMap,
  Duration,
  isCelMap,
  Preserved,
  Timestamp,
  typeName,
  Uint,
  type Value,
} from "./value.ts";

/** A JSON object as a map, whose values are converted when an expression uses them. */
class JsonMap implements CelMap {
  readonly isMap = true;
  readonly ofObject = false;
  readonly #json: JsonObject;

  constructor(json: JsonObject) {
    this.#json = json;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== "string" || !Object.hasOwn(this.#json, key)) return undefined;
    return jsonValue(this.#json[key]!);
  }

  keys(): readonly Value[] {
    return Object.keys(this.#json);
  }
}

/** Returns JSON without a schema as expressions see it: whole numbers are integers. */
export function jsonValue(json: Json): Value {
  if (Array.isArray(json)) return new CelList(json.map(jsonValue));
  if (isObject(json)) return new JsonMap(json);
  return isInteger(json) ? BigInt(json) : json;
}

/**
 * Returns the JSON of a value that an expression has made.
 *
 * @throws {CelError} If values of its type have no JSON.
 */
export function valueToJson(value: Value): Json {
  if (typeof value === "bigint") return integer(value);
  if (value === null || typeof value !== "object") return value;
  if (value instanceof CelList) return value.items.map(valueToJson);
  if (value instanceof MessageValue) return objectOf(value.fields);
  if (isCelMap(value)) {
    return objectOf(value.keys().map((key) => [keyName(key), value.get(key)!] as const));
  }
  if (value instanceof Preserved) return value.json;
  if (value instanceof Uint) return integer(value.value);
  if (value instanceof Timestamp) return showTimestamp(value);
  if (value instanceof Duration) return showDuration(value);
  if (value instanceof Uint8Array) return encodeBase64(value);
  const name = typeName(value).replace(/^.*\./, "");
  const types = [name, "*structpb.Value"].map((type) => `'${type}'`);
  throw new CelError(`type conversion error from ${types.join(" to ")}`);
}

function objectOf(entries: Iterable<readonly [string, Value]>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of entries) setOwn(object, name, valueToJson(value));
  return object;
}

function keyName(key: Value): string {
  if (typeof key === "string") return key;
  throw new CelError(
    `map key ${JSON.stringify(showValue(key))} is of type ${typeName(key)}, not string`,
  );
}

/** Returns an integer as JSON: as a text if a double cannot hold it. */
function integer(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
