import { ANY, isObject, type Json, type Type } from "../values/mod.ts";
import { atomOf, memberType, namesField } from "./atom.ts";
import { FieldSet } from "./field_set.ts";
import { fieldElement, fieldName, itemElement, type PathElement } from "./path_element.ts";

/** The paths of a configuration that was applied: its leaves, the items of its lists, and what is empty. */
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

/** The set with the fields that a schema names and that only lead on as members: they are then compared as such. */
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
