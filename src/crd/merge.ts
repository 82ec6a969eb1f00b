import { jsonEqual } from "../base/mod.ts";
import { cannotExpress } from "./cannot_express.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/** Keywords for people. The value of the outer schema wins. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  "description",
  "example",
  "externalDocs",
  "title",
]);

/** Keywords whose larger value is stricter. */
const LARGER: ReadonlySet<string> = new Set([
  "minItems",
  "minLength",
  "minProperties",
]);

/** Keywords whose smaller value is stricter. */
const SMALLER: ReadonlySet<string> = new Set([
  "maxItems",
  "maxLength",
  "maxProperties",
]);

/** Validations whose values are combined by `allOf`. */
const REPEATABLE: ReadonlySet<string> = new Set([
  "anyOf",
  "format",
  "multipleOf",
  "not",
  "oneOf",
  "pattern",
]);

/**
 * Returns one structural schema of the values that match both schemas.
 *
 * @param a The outer schema. Its description and its default win.
 * @param b The other schema.
 * @param path The path of the schemas, for errors.
 */
export function mergeNodes(a: JsonObject, b: JsonObject, path: string): JsonObject {
  const merged: JsonObject = { ...a };
  for (const [keyword, value] of Object.entries(b)) {
    const own = merged[keyword];
    if (own === undefined) merged[keyword] = value;
    else if (!jsonEqual(own, value) || keyword === "x-kubernetes-validations") {
      mergeKeyword(merged, keyword, own, value, path);
    }
  }
  mergeNullable(merged, a, b);
  mergeBound(merged, a, b, "minimum", "exclusiveMinimum", (x, y) => x > y);
  mergeBound(merged, a, b, "maximum", "exclusiveMaximum", (x, y) => x < y);
  return merged;
}

function mergeKeyword(
  merged: JsonObject,
  keyword: string,
  own: Json,
  value: Json,
  path: string,
): void {
  if (FOR_PEOPLE.has(keyword) || keyword === "default" || BOUNDS.has(keyword)) return;
  if (LARGER.has(keyword)) merged[keyword] = Math.max(Number(own), Number(value));
  else if (SMALLER.has(keyword)) merged[keyword] = Math.min(Number(own), Number(value));
  else if (keyword === "type") merged[keyword] = mergeType(own, value, path);
  else if (REPEATABLE.has(keyword)) {
    merged["allOf"] = [...asArray(merged["allOf"]), { [keyword]: value }];
  } else if (keyword === "required") {
    merged[keyword] = [...new Set([...asArray(own), ...asArray(value)])].sort();
  } else if (keyword === "allOf" || keyword === "x-kubernetes-validations") {
    merged[keyword] = [...asArray(own), ...asArray(value)];
  } else if (keyword === "enum") {
    const both = asArray(own).filter((one) =>
      asArray(value).some((other) => jsonEqual(one, other))
    );
    if (both.length === 0) throw cannotExpress(path, "enums without a common value", "allow one");
    merged[keyword] = both;
  } else if (keyword === "properties" && isObject(own) && isObject(value)) {
    merged[keyword] = mergeProperties(own, value, path);
  } else if (
    ["additionalProperties", "items"].includes(keyword) && isObject(own) && isObject(value)
  ) {
    merged[keyword] = mergeNodes(own, value, `${path}[*]`);
  } else {
    throw cannotExpress(path, `two values of "${keyword}"`, "the parts of an allOf must agree");
  }
}

const BOUNDS: ReadonlySet<string> = new Set([
  "exclusiveMaximum",
  "exclusiveMinimum",
  "maximum",
  "minimum",
  "nullable",
]);

function asArray(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function mergeType(own: Json, value: Json, path: string): Json {
  const types = [own, value];
  if (types.includes("integer") && types.includes("number")) return "integer";
  throw cannotExpress(path, `the types ${own} and ${value} together`, "no value has both");
}

function mergeProperties(own: JsonObject, value: JsonObject, path: string): JsonObject {
  const merged = { ...own };
  for (const [name, schema] of Object.entries(value)) {
    const other = Object.hasOwn(own, name) ? own[name] : undefined;
    merged[name] = isObject(other) && isObject(schema)
      ? mergeNodes(other, schema, `${path}.${name}`)
      : schema;
  }
  return merged;
}

/** Null is allowed if both schemas allow it. A schema without a type does not count. */
function mergeNullable(merged: JsonObject, a: JsonObject, b: JsonObject): void {
  const typed = [a, b].filter((one) => one["type"] !== undefined);
  const nullable = typed.length === 0
    ? a["nullable"] === true || b["nullable"] === true
    : typed.every((one) => one["nullable"] === true);
  if (nullable) merged["nullable"] = true;
  else delete merged["nullable"];
}

function mergeBound(
  merged: JsonObject,
  a: JsonObject,
  b: JsonObject,
  bound: string,
  exclusive: string,
  tighter: (x: number, y: number) => boolean,
): void {
  const x = a[bound];
  const y = b[bound];
  if (typeof x !== "number" || typeof y !== "number") return;
  const from = x === y ? (a[exclusive] === true ? a : b) : tighter(x, y) ? a : b;
  merged[bound] = from[bound]!;
  if (from[exclusive] === true) merged[exclusive] = true;
  else delete merged[exclusive];
}
