import {
  getOwn,
  isObject,
  type Json,
  type JsonObject,
  setOwn,
  sortKeys,
} from "../../values/mod.ts";

/**
 * Applies a JSON merge patch (RFC 7386): null removes a member, objects merge, other values replace the old one.
 *
 * As in the library of the real server, the members of every object that the patch reaches are sorted, and objects in
 * new lists lose their nulls, too.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return isObject(target) ? patch : withoutNulls(patch);
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) delete result[key];
    else setOwn(result, key, mergePatch(getOwn(result, key), value));
  }
  return sortKeys(result);
}

/** Returns a value of a patch without the members that are null; items of lists stay. */
function withoutNulls(value: Json): Json {
  return Array.isArray(value) ? value.map((item) => mergePatch(undefined, item)) : value;
}
