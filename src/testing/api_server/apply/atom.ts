import { ANY, isObject, type Json, type ListType, type Type } from "../values/mod.ts";

/** How a value takes part in a merge: as a whole, by its fields, or by its items. */
export type Atom =
  | { readonly kind: "leaf" }
  | { readonly kind: "map"; readonly type: Type }
  | { readonly kind: "list"; readonly type: ListType };

const LEAF: Atom = { kind: "leaf" };

/** How a value of a type takes part; where no schema says, objects go by their fields and lists are one whole. */
export function atomOf(type: Type, value: Json): Atom {
  switch (type.kind) {
    case "any":
      return isObject(value) ? { kind: "map", type } : LEAF;
    case "struct":
    case "map":
      return type.atomic ? LEAF : { kind: "map", type };
    case "list":
      return type.listType === "atomic" ? LEAF : { kind: "list", type };
    case "scalar":
      return LEAF;
  }
}

/** The type of a field; undefined when the type has no such field. */
export function memberType(type: Type, name: string): Type | undefined {
  switch (type.kind) {
    case "any":
      return ANY;
    case "map":
      return type.value;
    case "struct":
      return type.fields.get(name)?.type ?? type.additional;
    default:
      return undefined;
  }
}

/** Whether a type names the field, rather than taking any. */
export function namesField(type: Type, name: string): boolean {
  return type.kind === "struct" && type.fields.has(name);
}
