import { type CelType, parseType, splitTypes } from "../types/mod.ts";
import {
  CelError,
  isCelMap,
  isOpaque,
  Optional,
  typeName,
  TypeValue,
  type Value,
} from "../values/mod.ts";

/** One form of a function: its types and what it does. */
export interface Overload {
  /** The name of the function. */
  readonly name: string;
  /** The identifier, by which costs know the overload. */
  readonly id: string;
  /** Whether the function is called as a method of its first argument. */
  readonly method: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly run: (...args: Value[]) => Value;
}

/**
 * Declares an overload.
 *
 * @param signature The types, such as `string, int -> bool`. A method has a period after its object: `string.int -> bool`.
 */
export function define(
  name: string,
  id: string,
  signature: string,
  run: (...args: never[]) => Value,
): Overload {
  const [left = "", right = ""] = signature.split(" -> ");
  const method = left.includes(".");
  return {
    name,
    id,
    method,
    args: splitTypes(left.replace(".", ",")).map(parseType),
    result: parseType(right),
    run: run as unknown as Overload["run"],
  };
}

/** Reports whether a value may be an argument of a type. */
export function accepts(type: CelType, value: Value): boolean {
  switch (type.kind) {
    case "dyn":
    case "param":
    case "error":
      return true;
    case "type":
      return value instanceof TypeValue;
    case "null":
      return value === null;
    case "map":
      return typeof value === "object" && value !== null && isCelMap(value);
    case "struct":
      return value !== null &&
        (isOpaque(value) ? value.opaque === type : type.fields !== undefined && isCelMap(value));
    case "opaque":
      return type.name === "optional_type"
        ? value instanceof Optional
        : value !== null && isOpaque(value) && value.opaque === type;
    default:
      return typeName(value) === type.name;
  }
}

/** The operators that values of some types have: for others, the message of an error names the operator. */
const TRAITS: Readonly<Record<string, readonly string[]>> = {
  "_+_": ["bytes", "double", "google.protobuf.Duration", "int", "list", "string"]
    .concat("google.protobuf.Timestamp", "uint"),
  "_-_": ["google.protobuf.Duration", "double", "int", "google.protobuf.Timestamp", "uint"],
  "_*_": ["double", "int", "uint"],
  "_/_": ["double", "int", "uint"],
  "_%_": ["int", "uint"],
  "-_": ["bool", "double", "int"],
  "!_": ["bool"],
};
const ORDERED = ["bool", "bytes", "double", "google.protobuf.Duration", "int", "string"]
  .concat("google.protobuf.Timestamp", "uint");
for (const name of ["_<_", "_<=_", "_>_", "_>=_"]) {
  (TRAITS as Record<string, readonly string[]>)[name] = ORDERED;
}

/** Returns the error of a call whose arguments fit no overload. */
export function noOverload(name: string, args: readonly Value[]): CelError {
  const trait = TRAITS[name];
  if (trait !== undefined) {
    const has = trait.includes(typeName(args[0]!));
    return new CelError(has ? "no such overload" : `no such overload: ${name}`);
  }
  if (["size", "matches"].includes(name)) return new CelError(`no such overload: ${name}`);
  if (["@in", "contains", "endsWith", "startsWith"].includes(name)) {
    return new CelError("no such overload");
  }
  return new CelError(`no such overload: ${name}(${args.map(typeName).join(", ")})`);
}
