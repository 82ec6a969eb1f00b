import {
  getOwn,
  goPrint,
  isNumber,
  isObject,
  type Json,
  type ListType,
  quote,
  type ScalarType,
  type Type,
} from "../../values/mod.ts";
import { memberType } from "./atom.ts";
import { fieldElement, itemElement, type PathElement, showPath } from "./path_element.ts";

/** Validates a configuration against its type; returns the server's error messages, each with the path of the value. */
export function checkTyped(value: Json, type: Type): string[] {
  const errors: string[] = [];
  check(value, type, [], errors);
  return errors;
}

function check(value: Json, type: Type, path: PathElement[], errors: string[]): void {
  const fail = (reason: string) => errors.push(`${showPath(path)}: ${reason}`);
  if (value === null) return;
  switch (type.kind) {
    case "any":
      return;
    case "scalar": {
      const reason = scalarError(value, type);
      if (reason !== undefined) fail(reason);
      return;
    }
    case "list": {
      if (!Array.isArray(value)) {
        fail(`expected list, got &{${goPrint(value)}}`);
        return;
      }
      const seen = new Set<PathElement>();
      value.forEach((item, index) => {
        const element = type.listType === "atomic" ? `i:${index}` : itemElement(type, item);
        const misfit = type.listType === "atomic" ? undefined : itemError(item, type);
        if (element === undefined || misfit !== undefined) {
          fail(`element ${index}: ${misfit}`);
          return;
        }
        if (seen.has(element)) fail(`duplicate entries for key ${showPath([element])}`);
        seen.add(element);
        check(item, type.item, [...path, element], errors);
      });
      return;
    }
  }
  if (!isObject(value)) {
    fail(`expected map, got &{${goPrint(value)}}`);
    return;
  }
  for (const key of Object.keys(value)) {
    const inner = [...path, fieldElement(key)];
    const member = memberType(type, key);
    if (member === undefined) {
      // The server does not check the remaining fields of this object.
      errors.push(`${showPath(inner)}: field not declared in schema`);
      return;
    }
    check(getOwn(value, key) ?? null, member, inner, errors);
  }
}

/** Returns why an item of a set or of a map list has no path element. */
function itemError(item: Json, { listType, keys }: ListType): string | undefined {
  if (listType === "set") {
    if (item === null) {
      return "associative list without keys has an element that's an explicit null";
    }
    if (Array.isArray(item)) return "not supported: associative list with lists as elements";
    return isObject(item)
      ? "associative list without keys has an element that's a map type"
      : undefined;
  }
  if (item === null) return "associative list with keys may not have a null element";
  if (!isObject(item)) return "associative list with keys may not have non-map elements";
  const hasKey = keys.some((key) => (getOwn(item, key.name) ?? key.default ?? null) !== null);
  if (hasKey) return undefined;
  const names = keys.map((key) => JSON.stringify(key.name)).join(" ");
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

function scalarError(value: Json, type: ScalarType): string | undefined {
  switch (type.name) {
    case "int32":
    case "int64":
    case "float":
      return isNumber(value) ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case "bool":
      return typeof value === "boolean" ? undefined : `expected boolean, got &{${goPrint(value)}}`;
    case "quantity":
    case "intOrString":
    case "time":
    case "microTime":
      return typeof value === "object"
        ? `expected any scalar, got &{${goPrint(value)}}`
        : undefined;
    default:
      return typeof value === "string" ? undefined : `expected string, got ${goValue(value)}`;
  }
}

function goType(value: Json): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (isObject(value)) return "map[string]interface {}";
  return typeof value === "boolean" ? "bool" : "string";
}

/** Formats a value as Go's `%#v` prints the wrapper around it. */
function goValue(value: Json): string {
  return `&value.valueUnstructured{Value:${goSyntax(value)}}`;
}

/** Formats a value as Go's `%#v` does. */
function goSyntax(value: Json): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object") return String(value);
  const members = Array.isArray(value) ? value.map(goSyntax) : Object.keys(value).sort()
    .map((key) => `${quote(key)}:${goSyntax(value[key] ?? null)}`);
  return `${goType(value)}{${members.join(", ")}}`;
}
