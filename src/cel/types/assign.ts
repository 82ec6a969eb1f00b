import { type CelType, DYN, listOf, mapOf, sameType, typeOf } from "./type.ts";

/** The types that are bound to type parameters so far. */
export type Mapping = Map<string, CelType>;

const isLoose = ({ kind }: CelType) => kind === "dyn" || kind === "error";

/** Reports whether values of `from` may be used where `to` is wanted. Adds to the mapping if so, and only then. */
export function isAssignable(mapping: Mapping, to: CelType, from: CelType): boolean {
  return allAssignable(mapping, [to], [from]);
}

/** Reports whether each type may be used for the other at the same place. Adds to the mapping if all may. */
export function allAssignable(
  mapping: Mapping,
  left: readonly CelType[],
  right: readonly CelType[],
): boolean {
  const copy: Mapping = new Map(mapping);
  if (!listAssignable(copy, left, right)) return false;
  for (const [name, type] of copy) mapping.set(name, type);
  return true;
}

function listAssignable(
  mapping: Mapping,
  left: readonly CelType[],
  right: readonly CelType[],
): boolean {
  return left.length === right.length &&
    left.every((type, index) => assignable(mapping, type, right[index]!));
}

function assignable(mapping: Mapping, a: CelType, b: CelType): boolean {
  if (b.kind === "param") {
    const result = bindParam(mapping, a, b);
    if (result !== undefined) return result;
  }
  if (a.kind === "param") return bindParam(mapping, b, a) ?? false;
  if (isLoose(a) || isLoose(b)) return true;
  if (a.kind === "null") return isNullable(b);
  if (b.kind === "null") return isNullable(a);
  if (a.kind === "type") return b.kind === "type";
  if (a.kind !== b.kind || a.name !== b.name) return false;
  return listAssignable(mapping, a.params, b.params);
}

function isNullable({ kind }: CelType): boolean {
  return ["null", "opaque", "struct", "duration", "timestamp"].includes(kind);
}

/** Binds a type parameter; false if it is bound to another type, undefined if it cannot be bound. */
function bindParam(mapping: Mapping, type: CelType, param: CelType): boolean | undefined {
  if (sameType(type, param)) return true;
  const known = mapping.get(param.name);
  if (known !== undefined) {
    if (sameType(type, known)) return true;
    if (!assignable(mapping, type, known)) return false;
    const general = mostGeneral(type, known);
    if (isFree(mapping, param, general)) mapping.set(param.name, general);
    return true;
  }
  if (!isFree(mapping, param, type)) return undefined;
  mapping.set(param.name, type);
  return true;
}

function isFree(mapping: Mapping, param: CelType, type: CelType): boolean {
  if (sameType(param, type)) return false;
  if (type.kind === "param") {
    const known = mapping.get(type.name);
    return known === undefined || isFree(mapping, param, known);
  }
  return type.params.every((one) => isFree(mapping, param, one));
}

/** Returns the more general one of two types. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isAsGeneral(a, b) ? a : b;
}

function isAsGeneral(a: CelType, b: CelType): boolean {
  if (a.kind === "dyn" || a.kind === "param") return true;
  if (b.kind === "dyn" || b.kind === "param") return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === "type") return true;
  return a.name === b.name && a.params.length === b.params.length &&
    a.params.every((param, index) => isAsGeneral(param, b.params[index]!));
}

/** Replaces the type parameters of a type by the bound types, and unbound parameters by `dyn` if wanted. */
export function substitute(mapping: Mapping, type: CelType, unknownToDyn: boolean): CelType {
  if (type.kind === "param") {
    const known = mapping.get(type.name);
    if (known !== undefined) return substitute(mapping, known, unknownToDyn);
    return unknownToDyn ? DYN : type;
  }
  if (type.params.length === 0) return type;
  const params = type.params.map((param) => substitute(mapping, param, unknownToDyn));
  switch (type.kind) {
    case "list":
      return listOf(params[0]!);
    case "map":
      return mapOf(params[0]!, params[1]!);
    case "type":
      return typeOf(params[0]!);
    default:
      return { ...type, params };
  }
}
