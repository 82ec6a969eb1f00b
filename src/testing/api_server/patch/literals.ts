import {
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  MAX_PATH,
  setOwn,
} from "../../values/mod.ts";
import type { JsonPatchOperation } from "./json_patch.ts";
import { pointerKeys } from "./json_pointer.ts";

/** Starts a text in place of a number. No text of an object has it, because Go has no half of a surrogate pair. */
const MARK = "\ud800";

/** Matches the JSON of a text in place of a number. */
export const MARKED: RegExp = /"\\ud800([^"]*)"/g;

/** Matches the path of a number in the value of an operation of a JSON patch. */
const IN_VALUE = /^\[([0-9]+)\]\.value(.*)$/s;

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

/**
 * Returns the literals in the values of the operations of a JSON patch by the paths at which the result has them. Those at
 * long paths are left out, as by the parser.
 */
export function literalsOfResult(
  operations: readonly JsonPatchOperation[],
  literals: ReadonlyMap<string, string>,
  document: Json,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const places = new Map<string, string>();
  for (const [path, literal] of literals) {
    const [, index, rest] = IN_VALUE.exec(path) ?? [];
    const target = operations[Number(index)]?.path;
    if (typeof target !== "string" || target.length > MAX_PATH) continue;
    const place = places.get(target) ?? pathOf(target, document);
    places.set(target, place);
    found.set(place + rest, literal);
  }
  return found;
}

/** Returns the path of a JSON pointer, in which a key of a list is an index. */
function pathOf(pointer: string, document: Json): string {
  let here: Json | undefined = document;
  let path = "";
  for (const key of pointerKeys(pointer)) {
    if (Array.isArray(here)) path += `[${key === "-" ? here.length : key}]`;
    else path += path === "" ? key : `.${key}`;
    here = Array.isArray(here) ? here[Number(key)] : isObject(here) ? here[key] : undefined;
  }
  return path;
}

/** Reports whether a `test` operation compares with a number that Go does not read as an integer. */
export function testsLiteral(
  operations: readonly JsonPatchOperation[],
  literals: ReadonlyMap<string, string>,
): boolean {
  return [...literals.keys()].some((path) => {
    const [, index] = IN_VALUE.exec(path) ?? [];
    return operations[Number(index)]?.op === "test";
  });
}
