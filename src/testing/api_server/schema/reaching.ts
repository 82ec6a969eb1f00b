import type { StructType, Type } from "../../values/mod.ts";

/**
 * Returns a function that reports whether a type is one of the structs with the given names, or contains one. A walk over
 * an object needs to follow only such types.
 */
export function reaching(
  names: Pick<ReadonlyMap<string, unknown>, "has">,
): (type: Type) => boolean {
  const known = new WeakMap<StructType, boolean>();
  const reaches = (type: Type): boolean => {
    if (type.kind === "list") return reaches(type.item);
    if (type.kind === "map") return reaches(type.value);
    if (type.kind !== "struct") return false;
    const before = known.get(type);
    if (before !== undefined) return before;
    // A struct may contain itself.
    known.set(type, false);
    const found = names.has(type.id ?? "") ||
      [...type.fields.values()].some((field) => reaches(field.type));
    known.set(type, found);
    return found;
  };
  return reaches;
}
