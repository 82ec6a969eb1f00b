import { isInteger, isObject, type Json, type JsonObject } from "../../values/mod.ts";
import { CelList, type CelMap, type Value } from "./value.ts";

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
