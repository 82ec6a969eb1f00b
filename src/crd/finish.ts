import { showJson, stringifyJson } from "../base/mod.ts";
import { cannotExpress } from "./cannot_express.ts";
import { checkStructure, SCALARS } from "./extensions.ts";
import { checkFormat } from "./formats.ts";
import { findPruned } from "./find_pruned.ts";
import { isNumeric, isObject, type Json, type JsonObject, sortKeys } from "./json.ts";
import { leavePatterns } from "./linear_patterns.ts";
import { mergeNodes } from "./merge.ts";
import { CLOSED } from "./union.ts";
import { validateValue } from "./validate_value.ts";

const PRESERVE = "x-kubernetes-preserve-unknown-fields";
const INT_OR_STRING = "x-kubernetes-int-or-string";

const TYPES: readonly string[] = [...SCALARS, "array", "object"];

/** Keywords that do not restrict values. A schema with only these keywords allows any value. */
const FREE: ReadonlySet<string> = new Set([
  "default",
  "description",
  "example",
  "externalDocs",
  "nullable",
  "title",
]);

/**
 * Makes a converted schema structural and canonical: each level has a type, a field with a default is optional, and keys,
 * enums and required fields are sorted.
 *
 * @param node The schema, as {@linkcode toStructural} returns it.
 * @param path The path of the schema, for errors.
 * @throws {TypeError} If a level has no type, or the API server would refuse the schema for another reason.
 */
export function finishSchema(node: JsonObject, path: string): JsonObject {
  return sortKeys(finish(node, path)) as JsonObject;
}

function finish(given: JsonObject, path: string): JsonObject {
  let node = finishParts(given, path);
  // A multiple of an integer is an integer. ArkType converts it so, other libraries do not.
  if (node["type"] === "number" && Number.isInteger(node["multipleOf"])) node["type"] = "integer";
  setStructure(node, path);
  const { items, additionalProperties } = node;
  if (isObject(items)) node["items"] = finish(items, `${path}[*]`);
  if (isObject(additionalProperties)) {
    node["additionalProperties"] = finish(additionalProperties, `${path}[*]`);
  }
  finishProperties(node, path);
  checkStructure(node, path);
  node = finishEnum(node, path);
  checkDefault(node, path);
  return node;
}

/** Sorts enums and checks formats, also in the parts of `allOf`, `anyOf`, `oneOf` and `not`. */
function finishParts(given: JsonObject, path: string): JsonObject {
  const node = { ...given };
  delete node[CLOSED];
  checkFormat(node, path);
  if (Array.isArray(node["enum"])) node["enum"] = sortValues(node["enum"]);
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const parts = node[keyword];
    if (Array.isArray(parts)) {
      // The order of the parts is insignificant, and ArkType sorts them.
      node[keyword] = sortValues(parts.map((part) => finishInner(part as JsonObject, path)));
    }
  }
  if (isObject(node["not"])) node["not"] = finishInner(node["not"], path);
  return node;
}

function finishInner(given: JsonObject, path: string): JsonObject {
  const node = finishParts(given, path);
  if (isObject(node["items"])) node["items"] = finishInner(node["items"], path);
  if (isObject(node["properties"])) {
    node["properties"] = Object.fromEntries(
      Object.entries(node["properties"]).map((
        [name, field],
      ) => [name, finishInner(field as JsonObject, `${path}.${name}`)]),
    );
  }
  return node;
}

/** Sorts values and removes duplicates. ArkType sorts the values of a union, so their original order may be unknown. */
function sortValues(values: Json[]): Json[] {
  const texts = new Map(values.map((value) => [stringifyJson(value, { sorted: true }), value]));
  return [...texts].sort(([a, x], [b, y]) =>
    isNumeric(x) && isNumeric(y) ? (x < y ? -1 : 1) : a < b ? -1 : 1
  ).map(([, value]) => value);
}

/** Adds the keywords that make a schema structural. */
function setStructure(node: JsonObject, path: string): void {
  if (node[INT_OR_STRING] === true) delete node["type"];
  const { type } = node;
  if (type === undefined) {
    if (node[INT_OR_STRING] === true || node[PRESERVE] === true) return;
    if (!Object.keys(node).every((key) => FREE.has(key) || key.startsWith("x-kubernetes-"))) {
      throw cannotExpress(path, "a schema without a type", 'say the "type"');
    }
    node[PRESERVE] = true;
    delete node["nullable"];
    return;
  }
  if (!TYPES.includes(String(type))) {
    const remedy = type === "null"
      ? "null is only possible beside another type"
      : `the types are ${TYPES.join(", ")}`;
    throw cannotExpress(path, `the type ${showJson(type)}`, remedy);
  }
  if (type === "array" && node["items"] === undefined) node["items"] = {};
  if (type === "object") setFields(node, path);
}

function setFields(node: JsonObject, path: string): void {
  const { properties, additionalProperties } = node;
  const named = isObject(properties) && Object.keys(properties).length > 0;
  if (named && additionalProperties !== undefined) {
    throw cannotExpress(
      path,
      '"additionalProperties" beside "properties"',
      "the server allows one of them: put the other fields into a field of their own",
    );
  }
  const open = additionalProperties !== undefined || node[PRESERVE] === true ||
    node["x-kubernetes-embedded-resource"] === true;
  if (properties === undefined && !open) {
    throw cannotExpress(
      path,
      "an object without fields",
      'the server prunes all fields that are not listed: list "properties", or say "additionalProperties": true',
    );
  }
  if (!named) delete node["properties"];
  const required = Array.isArray(node["required"]) ? node["required"] : [];
  const missing = required.find((name) =>
    !(isObject(properties) && Object.hasOwn(properties, String(name)))
  );
  if (missing !== undefined && !open) {
    throw cannotExpress(
      path,
      `the required field "${missing}"`,
      'it is not in "properties", so the server prunes it',
    );
  }
}

function finishProperties(node: JsonObject, path: string): void {
  const { properties } = node;
  if (!isObject(properties)) return;
  const finished = Object.fromEntries(
    Object.entries(properties).map((
      [name, field],
    ) => [name, finish(field as JsonObject, `${path}.${name}`)]),
  );
  node["properties"] = finished;
  if (!Array.isArray(node["required"])) return;
  // The server sets defaults before it checks required fields.
  const required = node["required"].filter((name) =>
    finished[String(name)]?.["default"] === undefined
  );
  if (required.length > 0) node["required"] = required.sort();
  else delete node["required"];
}

function finishEnum(node: JsonObject, path: string): JsonObject {
  const { enum: values, ...rest } = node;
  if (!Array.isArray(values)) return node;
  if (node["type"] === "boolean" && values.length === 2) return rest;
  if (node["nullable"] !== true) return node;
  // The server refuses null in `enum` even if the field is nullable, but accepts it in a part of `anyOf`.
  return mergeNodes(rest, { anyOf: [{ enum: values }, { enum: [null] }] }, path);
}

function checkDefault(node: JsonObject, path: string): void {
  if (node["default"] === undefined) return;
  if (node["default"] === null) {
    throw cannotExpress(path, "the default null", "the server takes it for none: make it optional");
  }
  const [error] = validateValue(node["default"], node, `${path}.default`, leavePatterns).errors;
  if (error !== undefined) {
    throw new TypeError(
      `${error.field}: the default does not match its own schema: ${error.message}`,
    );
  }
  const pruned = findPruned(node["default"], node, `${path}.default`);
  if (pruned === undefined) return;
  throw new TypeError(
    `${pruned}: the default has a field that its own schema does not have: the server would prune it`,
  );
}
