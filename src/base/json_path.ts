import { LruMap } from "./lru_map.ts";

/**
 * A path into an object: member names joined by dots, or an array of member names. In the text form, a dot within a
 * name is written `\.`. The index of an element of an array is a name.
 */
export type JsonPath = string | readonly string[];

const MAX_KNOWN = 1_000;
/** Bounded, because a program may generate paths. */
const known = new LruMap<string, readonly string[]>(MAX_KNOWN);

/**
 * Returns the member names of a path.
 *
 * @throws {SyntaxError} When the path is text that is empty or has an empty part.
 */
export function parsePath(path: JsonPath): readonly string[] {
  if (typeof path !== "string") return path;
  let names = known.get(path);
  if (names === undefined) {
    names = namesIn(path);
    known.set(path, names);
  }
  return names;
}

/** Returns the member names in the text of a path. Text with an empty part has an empty name. */
export function splitPath(path: string): readonly string[] {
  return path.split(/(?<!\\)\./).map((name) => name.replaceAll("\\.", "."));
}

function namesIn(path: string): readonly string[] {
  const names = splitPath(path);
  if (!names.includes("")) return names;
  throw new SyntaxError(
    `Cannot read the path ${
      JSON.stringify(path)
    }: expected names joined by dots, as in "metadata.labels.app"`,
  );
}

/** Returns the value of a parsed object at a path; undefined if there is none. */
export function valueIn(object: unknown, names: readonly string[]): unknown {
  let value = object;
  for (const name of names) {
    if (typeof value !== "object" || value === null || !isMember(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Reports whether JSON includes the member: inherited members and the length of an array do not count. */
export function isMember(value: object, name: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, name);
}
