import { ANY, isObject, type Json, type Type } from "../../values/mod.ts";
import { atomOf, memberType, namesField } from "./atom.ts";
import { FieldSet } from "./field_set.ts";
import { fieldElement, fieldName, itemElement, type PathElement } from "./path_element.ts";

/**
 * Returns the paths that an applied configuration owns: its leaves, the items of merged lists, null and empty objects,
 * and the keys that the schema does not name.
 */
export function toFieldSet(value: Json, type: Type): FieldSet {
  const set = new FieldSet();
  collect(value, type, [], set);
  return set;
}

function collect(value: Json, type: Type, path: PathElement[], set: FieldSet): void {
  const atom = atomOf(type, value);
  if (atom.kind === "leaf") {
    set.insert(path);
  } else if (atom.kind === "map") {
    if (!isObject(value)) return;
    for (const key of Object.keys(value)) {
      const member = value[key] ?? null;
      const inner = [...path, fieldElement(key)];
      collect(member, memberType(type, key) ?? ANY, inner, set);
      const empty = member === null || (isObject(member) && Object.keys(member).length === 0);
      if (empty || !namesField(type, key)) set.insert(inner);
    }
  } else if (Array.isArray(value)) {
    for (const item of value) {
      const element = itemElement(atom.type, item);
      if (element === undefined) continue;
      const inner = [...path, element];
      collect(item, atom.type.item, inner, set);
      set.insert(inner);
    }
  }
}

/**
 * Returns a copy of `set` in which every field that the schema names is a member, even if only longer paths have it.
 *
 * Set operations between two such copies then treat these fields as paths of their own.
 */
export function withNamedFields(set: FieldSet, type: Type): FieldSet {
  const result = new FieldSet();
  for (const element of set.members) result.members.add(element);
  for (const [element, child] of set.children) {
    const name = fieldName(element);
    if (name !== undefined && namesField(type, name)) result.members.add(element);
    const inner = name !== undefined
      ? memberType(type, name)
      : type.kind === "list"
      ? type.item
      : ANY;
    result.children.set(element, withNamedFields(child, inner ?? ANY));
  }
  return result;
}
