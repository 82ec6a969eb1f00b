import { describeError, MAX_JSON_DEPTH, setOwn } from "../base/mod.ts";
import type { Json, JsonObject } from "./json.ts";

/** The largest number of values. An object of an API server, which has at most 3 MiB, has fewer with names. */
const MAX_VALUES = 2_000_000;

/** The number of characters of a path that a message shows. */
const MAX_SHOWN = 200;

/** An object or a list of which some members are copied. */
interface Open {
  readonly source: object;
  readonly copied: Json[] | JsonObject;
  readonly names: readonly string[];
  /** The number of names that are copied. */
  done: number;
}

/**
 * Copies a value that is to be validated into plain JSON, as deep as an API server takes it. Symbols and fields that are
 * undefined are left out, as `JSON.stringify` does.
 *
 * @param value The value, of any type.
 * @param path The path of the value, for errors.
 * @throws {TypeError} If a part is no JSON: a cycle, a function, a getter that throws, too deep or too large.
 */
export function plainValue(value: unknown, path: string): Json {
  const open: Open[] = [];
  const sources = new Set<object>();
  let values = 0;
  const refuse = (what: string, cause?: unknown) => {
    const names = open.map(({ source, names, done }) =>
      Array.isArray(source) ? `[${done - 1}]` : `.${names[done - 1]}`
    );
    const place = path + names.join("");
    const shown = place.length > MAX_SHOWN ? `${place.slice(0, MAX_SHOWN)}…` : place;
    return new TypeError(`${shown}: cannot read the value: ${what}`, { cause });
  };
  const enter = (one: unknown): Json => {
    if (++values > MAX_VALUES) throw refuse(`it has more than ${MAX_VALUES} values`);
    if (one === null || typeof one === "string" || typeof one === "boolean") return one;
    if (typeof one === "bigint" || Number.isFinite(one)) return one as number | bigint;
    if (typeof one !== "object") {
      const isNamed = typeof one === "number" || one === undefined;
      throw refuse(`${isNamed ? String(one) : `a ${typeof one}`} is not JSON`);
    }
    if (sources.has(one)) throw refuse("it contains itself");
    if (open.length >= MAX_JSON_DEPTH) {
      throw refuse(`it has more than ${MAX_JSON_DEPTH} levels`);
    }
    const isList = Array.isArray(one);
    const copied: Json[] | JsonObject = isList ? [] : {};
    const names = isList ? Array.from(one, (_, index) => String(index)) : Object.keys(one);
    sources.add(one);
    open.push({ source: one, copied, names, done: 0 });
    return copied;
  };
  const read = (source: object, name: string): unknown => {
    try {
      return (source as Record<string, unknown>)[name];
    } catch (error) {
      throw refuse(describeError(error), error);
    }
  };
  const root = enter(value);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const { source, copied, names } = last;
    const name = names[last.done];
    if (name === undefined) {
      sources.delete(source);
      open.pop();
      continue;
    }
    last.done++;
    const member = read(source, name);
    if (Array.isArray(copied)) copied.push(enter(member));
    else if (member !== undefined) setOwn(copied, name, enter(member));
  }
  return root;
}
