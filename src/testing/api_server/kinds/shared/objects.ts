import { getArray, getOwn, isObject, type Json, type JsonObject } from "../../../values/mod.ts";

/** Sets `key` if it is absent, null or the empty string. */
export function fill(object: JsonObject, key: string, value: Json): void {
  const present = getOwn(object, key);
  if (present === undefined || present === null || present === "") object[key] = value;
}

/** Sets `key` if it is absent or null. For fields that Go has as a pointer: there, the empty string is a value. */
export function fillPointer(object: JsonObject, key: string, value: Json): void {
  object[key] = getOwn(object, key) ?? value;
}

/** Returns the elements of the list at `path` that are objects, without all others. */
export function objects(value: Json | undefined, ...path: string[]): JsonObject[] {
  return getArray(value, ...path).filter(isObject);
}
