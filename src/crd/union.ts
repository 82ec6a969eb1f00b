import { jsonEqual, showJson, stringifyJson } from "../base/mod.ts";
import { cannotExpress } from "./cannot_express.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { mergeNodes } from "./merge.ts";

/** The keyword of a union. */
export type UnionKind = "anyOf" | "oneOf";

/** Keywords that the alternatives of a structural schema may have. All other keywords are structure. */
const VALIDATIONS: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "enum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "maximum",
  "maxItems",
  "maxLength",
  "maxProperties",
  "minimum",
  "minItems",
  "minLength",
  "minProperties",
  "multipleOf",
  "not",
  "oneOf",
  "pattern",
  "required",
]);

/** Keywords that would apply to every alternative, so that a single alternative must not have them. */
const FOR_ALL: readonly string[] = ["default", "x-kubernetes-validations"];

/** Marks an object that allows no other fields. Pruning enforces that, except in a union. */
export const CLOSED = "kubeloop:closed";

/**
 * Returns one structural schema of the values that match `own` and the alternatives.
 *
 * A structural schema has one structure, the types of the fields, for all alternatives. The alternatives may only restrict
 * values. So the structures of the alternatives are merged, and their restrictions become `anyOf` or `oneOf`.
 *
 * @param own The schema around the alternatives.
 * @param kind The keyword of the alternatives.
 * @param given The alternatives, converted.
 * @param path The path of the schema, for errors.
 */
export function unionOf(
  own: JsonObject,
  kind: UnionKind,
  given: JsonObject[],
  path: string,
): JsonObject {
  const nullable = given.some((one) => one["type"] === "null" || one["nullable"] === true);
  const base: JsonObject = nullable ? { nullable: true } : {};
  const parts = distinct(given.filter((one) => one["type"] !== "null").map(withoutNullable));
  const [first, ...others] = parts;
  if (first === undefined) return mergeNodes(own, { type: "null" }, path);
  const node = others.length === 0 ? { ...first, ...base } : combine(own, kind, parts, base, path);
  return mergeNodes(own, node, path);
}

function combine(
  own: JsonObject,
  kind: UnionKind,
  parts: JsonObject[],
  base: JsonObject,
  path: string,
): JsonObject {
  const types = new Set(parts.map((part) => part["type"] ?? own["type"]));
  if (types.has("number") && types.has("integer") && parts.every(isBareNumber)) {
    return { ...base, type: "number" };
  }
  if (types.size === 2 && types.has("integer") && types.has("string")) {
    return { ...base, ...intOrString(parts, path) };
  }
  if (types.size > 1) {
    const names = [...types].map((type) => type ?? "a value without a type").join(" and ");
    throw cannotExpress(path, `a union of ${names}`, "all alternatives must have one type");
  }
  const literals = parts.every(isLiteral);
  if (literals) return { ...base, ...enumOf(parts) };
  return { ...base, ...alternatives(kind, parts, path) };
}

function withoutNullable(node: JsonObject): JsonObject {
  const { nullable: _, ...rest } = node;
  return rest;
}

function distinct(nodes: JsonObject[]): JsonObject[] {
  return nodes.filter((node, index) =>
    nodes.findIndex((other) => jsonEqual(node, other)) === index
  );
}

function isBareNumber(node: JsonObject): boolean {
  return Object.keys(node).every((key) => key === "type");
}

/** Returns a schema of integers without the bounds of exact integers in JavaScript, which Zod writes. */
export function withoutSafeBounds(node: JsonObject): JsonObject {
  if (node["type"] !== "integer") return node;
  const copy = { ...node };
  if (copy["minimum"] === Number.MIN_SAFE_INTEGER) delete copy["minimum"];
  if (copy["maximum"] === Number.MAX_SAFE_INTEGER) delete copy["maximum"];
  return copy;
}

/** Merges the alternatives: different keywords restrict numbers and strings, so one schema can hold both. */
function intOrString(parts: JsonObject[], path: string): JsonObject {
  let merged: JsonObject = { "x-kubernetes-int-or-string": true };
  if (parts.some((part) => part["enum"] !== undefined)) {
    throw cannotExpress(path, "an enum of an integer and a string", "give all values one type");
  }
  for (const part of parts) {
    const { type: _, ...rest } = part;
    merged = mergeNodes(merged, rest, path);
  }
  return merged;
}

function isLiteral(node: JsonObject): boolean {
  return node["enum"] !== undefined &&
    Object.keys(node).every((key) => ["description", "enum", "title", "type"].includes(key));
}

function enumOf(parts: JsonObject[]): JsonObject {
  const values = parts.flatMap((part) => part["enum"] as Json[]);
  const [type] = parts.flatMap((part) => part["type"] ?? []);
  return { enum: values, ...(type === undefined ? {} : { type }) };
}

function alternatives(kind: UnionKind, parts: JsonObject[], path: string): JsonObject {
  const shared = sharedBy(parts);
  let base: JsonObject = shared;
  const rests = parts.map((part) => without(part, shared));
  const branches: JsonObject[] = [];
  const names = new Set(parts.flatMap((part) => Object.keys(fields(part))));
  for (const [index, rest] of rests.entries()) {
    refuseForAll(rest, `${path}.${kind}[${index}]`);
    const [structure, validation] = splitNode(rest);
    base = mergeStructure(base, structure, path);
    const part = parts[index]!;
    if (part[CLOSED] === true) {
      const absent = [...names].filter((name) => !Object.hasOwn(fields(part), name)).sort();
      if (absent.length > 0) {
        validation["not"] = { anyOf: absent.map((name) => ({ required: [name] })) };
      }
    }
    branches.push(validation);
  }
  delete base[CLOSED];
  if (hasDiscriminator(parts)) return mergeNodes(base, { oneOf: branches }, path);
  if (kind === "anyOf" && branches.some((branch) => Object.keys(branch).length === 0)) return base;
  return mergeNodes(base, { [kind]: branches }, path);
}

function fields(node: JsonObject): JsonObject {
  return isObject(node["properties"]) ? node["properties"] : {};
}

/** Returns the common part of all alternatives: equal keywords, equal fields, and fields that all require. */
function sharedBy(parts: JsonObject[]): JsonObject {
  const [first = {}, ...others] = parts;
  const shared: JsonObject = {};
  for (const [keyword, value] of Object.entries(first)) {
    if (keyword === CLOSED) continue;
    if (others.every((other) => jsonEqual(other[keyword], value))) shared[keyword] = value;
  }
  const properties = Object.entries(fields(first)).filter(([name, schema]) =>
    others.every((other) => jsonEqual(fields(other)[name], schema))
  );
  if (first["properties"] !== undefined) shared["properties"] = Object.fromEntries(properties);
  const required = (node: JsonObject) => Array.isArray(node["required"]) ? node["required"] : [];
  const all = required(first).filter((name) => others.every((one) => required(one).includes(name)));
  if (all.length > 0) shared["required"] = all;
  return shared;
}

/** Returns a schema without the shared part. */
function without(part: JsonObject, shared: JsonObject): JsonObject {
  const rest: JsonObject = {};
  for (const [keyword, value] of Object.entries(part)) {
    if (keyword === CLOSED || jsonEqual(shared[keyword], value)) continue;
    if (keyword === "properties" && isObject(value)) {
      const common = fields(shared);
      rest[keyword] = Object.fromEntries(
        Object.entries(value).filter(([name]) => !Object.hasOwn(common, name)),
      );
    } else if (keyword === "required" && Array.isArray(value)) {
      const common = shared["required"];
      const left = value.filter((name) => !Array.isArray(common) || !common.includes(name));
      if (left.length > 0) rest[keyword] = left;
    } else rest[keyword] = value;
  }
  return rest;
}

function refuseForAll(node: JsonObject, path: string): void {
  for (const keyword of FOR_ALL) {
    if (node[keyword] !== undefined) {
      throw cannotExpress(
        path,
        `"${keyword}" in one alternative of a union`,
        "it would hold for all alternatives",
      );
    }
  }
  for (const [name, field] of Object.entries(fields(node))) {
    if (isObject(field)) refuseForAll(field, `${path}.${name}`);
  }
  if (isObject(node["items"])) refuseForAll(node["items"], `${path}[*]`);
}

/** Structural keywords that would apply to both alternatives although only one of them has them. */
const STRUCTURAL: readonly string[] = [
  "additionalProperties",
  "items",
  "nullable",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
];

/** Reports whether a schema has a type of its own, rather than the type of the schema around the union. */
function isTyped(node: JsonObject): boolean {
  return node["type"] !== undefined || node["x-kubernetes-int-or-string"] === true;
}

/** Merges the structures of a field in two alternatives. Refuses a keyword of one of them that would apply to both. */
function mergeField(a: JsonObject, b: JsonObject, path: string): JsonObject {
  const lone = isTyped(a) && isTyped(b)
    ? STRUCTURAL.find((keyword) => (a[keyword] === undefined) !== (b[keyword] === undefined))
    : undefined;
  if (lone === undefined) return mergeStructure(a, b, path);
  throw cannotExpress(path, `alternatives of which one has "${lone}"`, ONE_STRUCTURE);
}

const ONE_STRUCTURE = "a field has one structure in all alternatives: give it another name";

/** Merges the structures of two alternatives, which may have different fields. */
function mergeStructure(a: JsonObject, b: JsonObject, path: string): JsonObject {
  const both = ["properties", "items"];
  const merged: JsonObject = { ...a };
  for (const [keyword, value] of Object.entries(b)) {
    const own = merged[keyword];
    if (own === undefined) merged[keyword] = value;
    else if (jsonEqual(own, value) || keyword === "description" || keyword === "title") continue;
    else if (keyword === "properties" && isObject(own) && isObject(value)) {
      const properties = { ...own };
      for (const [name, field] of Object.entries(value)) {
        const other = Object.hasOwn(own, name) ? own[name] : undefined;
        properties[name] = isObject(other) && isObject(field)
          ? mergeField(other, field, `${path}.${name}`)
          : field;
      }
      merged[keyword] = properties;
    } else if (both.includes(keyword) && isObject(own) && isObject(value)) {
      merged[keyword] = mergeField(own, value, `${path}[*]`);
    } else {
      throw cannotExpress(
        path,
        `alternatives with a different "${keyword}" (${showJson(own)} and ${showJson(value)})`,
        ONE_STRUCTURE,
      );
    }
  }
  return merged;
}

/**
 * Splits a schema into its structure and the restrictions that `anyOf`, `oneOf` and `not` may contain. The schema of
 * additional properties belongs to the structure.
 */
export function splitNode(node: JsonObject): [structure: JsonObject, validation: JsonObject] {
  const structure: JsonObject = {};
  const validation: JsonObject = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === "properties" && isObject(value)) {
      const inner: JsonObject = {};
      const checks: JsonObject = {};
      for (const [name, field] of Object.entries(value)) {
        const [first, second] = splitNode(field as JsonObject);
        inner[name] = first;
        if (Object.keys(second).length > 0) checks[name] = second;
      }
      structure[keyword] = inner;
      if (Object.keys(checks).length > 0) validation[keyword] = checks;
    } else if (keyword === "items" && isObject(value)) {
      const [first, second] = splitNode(value);
      structure[keyword] = first;
      if (Object.keys(second).length > 0) validation[keyword] = second;
    } else if (VALIDATIONS.has(keyword)) validation[keyword] = value;
    else structure[keyword] = value;
  }
  return [structure, validation];
}

/** Reports whether a required field has different values in each alternative, so that at most one alternative matches. */
function hasDiscriminator(parts: JsonObject[]): boolean {
  const [first = {}] = parts;
  return Object.keys(fields(first)).some((name) => {
    const seen = new Set<string>();
    return parts.every((part) => {
      const field = fields(part)[name];
      const values = isObject(field) ? field["enum"] : undefined;
      const required = part["required"];
      if (!Array.isArray(values) || !Array.isArray(required) || !required.includes(name)) {
        return false;
      }
      const texts = values.map((value) => stringifyJson(value, { sorted: true }));
      if (texts.some((text) => seen.has(text))) return false;
      texts.forEach((text) => seen.add(text));
      return true;
    });
  });
}
