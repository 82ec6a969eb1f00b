import { isRecord, parseJson } from "../../base/mod.ts";

/** The number of levels that the API server takes. A value with more may contain itself. */
const MAX_LEVELS = 10_000;

/**
 * Returns a value as JSON, however deep it is: `JSON.stringify` of some runtimes ends with a RangeError for the depth that an
 * API server takes.
 *
 * @throws {TypeError} If JSON cannot express the value, or it has more than 10,000 levels.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return deepText(value);
  }
}

/** Returns a copy of a value as the API server will read it: without undefined fields, and with dates as text. */
export function jsonCopy(value: unknown): unknown {
  return parseJson(jsonText(value));
}

/** An object or a list of which some members are written. */
interface Open {
  readonly members: Iterator<readonly [key: string, value: unknown]>;
  readonly end: "]" | "}";
  isEmpty: boolean;
}

/** `JSON.stringify` without recursion. */
function deepText(root: unknown): string {
  const pieces: string[] = [];
  const open: Open[] = [];
  const write = (value: unknown) => {
    if (Array.isArray(value)) {
      pieces.push("[");
      open.push({ members: itemsOf(value), end: "]", isEmpty: true });
    } else if (isRecord(value)) {
      pieces.push("{");
      open.push({ members: fieldsOf(value), end: "}", isEmpty: true });
    } else {
      pieces.push(JSON.stringify(value) ?? "null");
    }
    if (open.length > MAX_LEVELS) {
      throw new TypeError(`The value has more than ${MAX_LEVELS} levels, or contains itself`);
    }
  };
  write(replaced(root, ""));
  for (let current; (current = open.at(-1)) !== undefined;) {
    const { done, value: member } = current.members.next();
    if (done) {
      pieces.push(current.end);
      open.pop();
      continue;
    }
    const [key, value] = member;
    pieces.push(current.isEmpty ? "" : ",");
    current.isEmpty = false;
    if (current.end === "}") pieces.push(JSON.stringify(key), ":");
    write(value);
  }
  return pieces.join("");
}

function* itemsOf(list: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (let i = 0; i < list.length; i++) yield [String(i), replaced(list[i], String(i))];
}

/** Returns the fields that JSON has. */
function* fieldsOf(object: Record<string, unknown>): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(object)) {
    const value = replaced(object[key], key);
    if (value !== undefined && typeof value !== "function" && typeof value !== "symbol") {
      yield [key, value];
    }
  }
}

/** Returns what stands for a value in JSON, such as the text of a date. */
function replaced(value: unknown, key: string): unknown {
  if (!isRecord(value)) return value;
  const { toJSON } = value;
  return typeof toJSON === "function" ? toJSON.call(value, key) : value;
}
