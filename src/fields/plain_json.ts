import { isRecord, setOwn, visibleText } from "../base/mod.ts";

/** The maximum depth. A value that contains itself exceeds it. */
const MAX_DEPTH = 200;

/** The maximum length of a path in a message, in characters. */
const MAX_SHOWN = 200;

/**
 * Returns a copy of a value as the API server will read it. Fields that are null or undefined are omitted, so that they are
 * not applied. A value with `toJSON()`, such as a date, is replaced by the result.
 *
 * @param value The value.
 * @param path The path of the value, for errors.
 * @throws {TypeError} If JSON cannot express the value, or would lose something of it.
 */
export function plainJson(value: unknown, path = ""): unknown {
  return copy(value, path, 0);
}

function copy(value: unknown, path: string, depth: number): unknown {
  const refuse = (what: string) =>
    new TypeError(`Cannot write ${visibleText(path, MAX_SHOWN) || "this value"}: ${what}`);
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      throw refuse(`JSON has no ${value}`);
    case "object":
      break;
    default:
      throw refuse(`JSON has no ${typeof value}`);
  }
  if (value === null) return null;
  if (depth > MAX_DEPTH) throw refuse(`it contains itself, or has more than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    return Array.from(value, (item, index) => copy(item, `${path}[${index}]`, depth + 1));
  }
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") {
    // An invalid date becomes null.
    const converted: unknown = toJSON.call(value);
    if (converted === null) throw refuse("it is no valid date");
    return copy(converted, path, depth + 1);
  }
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) {
    throw refuse(`a ${value.constructor.name} is no JSON: give an object, an array or a string`);
  }
  const result: Record<string, unknown> = {};
  if (!isRecord(value)) return result;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined || member === null) continue;
    setOwn(result, key, copy(member, path === "" ? key : `${path}.${key}`, depth + 1));
  }
  return result;
}
