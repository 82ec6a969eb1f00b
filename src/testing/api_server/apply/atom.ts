import { ANY, isObject, type Json, type ListType, type Type } from "../../values/mod.ts";

/** The granularity at which a value is merged and owned: as a whole, by its fields, or by its items. */
export type Atom =
  | { readonly kind: "leaf" }
  | { readonly kind: "map"; readonly type: Type }
  | { readonly kind: "list"; readonly type: ListType };

const LEAF: Atom = { kind: "leaf" };

/** Returns the granularity of a value of a type. Without a schema, objects merge by field and lists are atomic. */
export function atomOf(type: Type, value: Json): Atom {
  switch (type.kind) {
    case "any":
      return isObject(value) && type.atomic !== true ? { kind: "map", type } : LEAF;
    case "struct":
    case "map":
      return type.atomic ? LEAF : { kind: "map", type };
    case "list":
      return type.listType === "atomic" ? LEAF : { kind: "list", type };
    case "scalar":
      return LEAF;
  }
}

/** Returns the type of a field; undefined if `type` has no such field. */
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

/** Reports whether `type` declares the field by name, as opposed to accepting arbitrary keys. */
export function namesField(type: Type, name: string): boolean {
  return type.kind === "struct" && type.fields.has(name);
}
