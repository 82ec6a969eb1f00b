import { ANY, isObject, type Json, type JsonObject, setOwn, type Type } from "../../values/mod.ts";
import { atomOf, memberType } from "./atom.ts";
import type { FieldSet } from "./field_set.ts";
import { fieldElement, itemElement } from "./path_element.ts";

/** Returns a value without the paths of `set`. An object or list that becomes empty is replaced by null. */
export function removeTyped(value: Json, set: FieldSet, type: Type): Json {
  const atom = atomOf(type, value);
  if (atom.kind === "map" && isObject(value)) {
    const result: JsonObject = {};
    for (const key of Object.keys(value)) {
      const element = fieldElement(key);
      if (set.members.has(element)) continue;
      const below = set.below(element);
      const member = value[key] ?? null;
      const kept = below.isEmpty
        ? member
        : removeTyped(member, below, memberType(type, key) ?? ANY);
      setOwn(result, key, kept);
    }
    return Object.keys(result).length > 0 ? result : null;
  }
  if (atom.kind === "list" && Array.isArray(value)) {
    const result: Json[] = [];
    for (const item of value) {
      const element = itemElement(atom.type, item);
      if (element !== undefined && set.members.has(element)) continue;
      const below = element === undefined ? undefined : set.below(element);
      const whole = below === undefined || below.isEmpty;
      result.push(whole ? item : removeTyped(item, below, atom.type.item));
    }
    return result.length > 0 ? result : null;
  }
  return value;
}
