import { isNumber, isObject, type Json, type JsonObject, setOwn } from "../../values/mod.ts";
import type { JsonPatchOperation } from "./json_patch.ts";

/** Starts a text in place of a number. No text of an object has it, because Go has no half of a surrogate pair. */
const MARK = "\ud800";

/** Matches the JSON of a text in place of a number. */
export const MARKED: RegExp = /"\\ud800([^"]*)"/g;

/** Replaces the numbers at the paths of `literals` by texts, which {@linkcode MARKED} matches. */
export function withMarks(value: Json, path: string, literals: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) {
    return value.map((one, index) => withMarks(one, `${path}[${index}]`, literals));
  }
  if (isObject(value)) {
    const result: JsonObject = {};
    for (const key of Object.keys(value)) {
      const inner = path === "" ? key : `${path}.${key}`;
      setOwn(result, key, withMarks(value[key] ?? null, inner, literals));
    }
    return result;
  }
  const literal = isNumber(value) ? literals.get(path) : undefined;
  return literal === undefined ? value : MARK + literal;
}

/** Returns the literals in the values of the operations of a JSON patch by the paths at which the result has them. */
export function literalsOfResult(
  operations: readonly JsonPatchOperation[],
  literals: ReadonlyMap<string, string>,
  document: Json,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [path, literal] of literals) {
    const [, index, rest] = /^\[([0-9]+)\]\.value(.*)$/s.exec(path) ?? [];
    const target = operations[Number(index)]?.path;
    if (typeof target === "string") found.set(pathOf(target, document) + rest, literal);
  }
  return found;
}

/** Returns the path of a JSON pointer, in which a key of a list is an index. */
function pathOf(pointer: string, document: Json): string {
  let here: Json | undefined = document;
  let path = "";
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(here)) path += `[${key === "-" ? here.length : key}]`;
    else path += path === "" ? key : `.${key}`;
    here = Array.isArray(here) ? here[Number(key)] : isObject(here) ? here[key] : undefined;
  }
  return path;
}

/** Reports whether the value of an operation has a number that Go does not read as an integer. */
export function hasLiteral(index: number, literals: ReadonlyMap<string, string>): boolean {
  return [...literals.keys()].some((path) => path.startsWith(`[${index}].value`));
}
