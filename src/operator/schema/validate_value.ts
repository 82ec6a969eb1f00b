import { jsonEqual } from "../../base/mod.ts";
import {
  type FieldError,
  fieldPath,
  invalidValue,
  requiredValue,
  unsupportedValue,
  wrongType,
} from "./field_error.ts";
import { isNumeric, isObject, type Json, type JsonObject, typeOf } from "./json.ts";
import { mismatches } from "./patterns.ts";

/** The largest number of errors in one result. */
const MAX_ERRORS = 100;

/**
 * Validates a value against a structural schema, as far as that is possible without the server: CEL rules, formats and
 * the uniqueness of lists are not checked, and unknown fields are ignored, because the server prunes them.
 *
 * @param value The value.
 * @param schema The structural schema, as {@linkcode finishSchema} returns it.
 * @param path The path of the value, for errors.
 */
export function validateValue(value: Json, schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  check(value, schema, path, errors);
  return errors;
}

function check(value: Json, schema: JsonObject, path: string, errors: FieldError[]): void {
  if (errors.length >= MAX_ERRORS) return;
  if (value === null && schema["nullable"] === true) return;
  const wanted = wantedType(schema);
  if (wanted !== undefined && !hasType(value, wanted)) {
    errors.push(wrongType(path, value, wanted));
    return;
  }
  const { enum: values } = schema;
  if (Array.isArray(values) && !values.some((one) => jsonEqual(one, value))) {
    errors.push(unsupportedValue(path, value, values));
  }
  if (typeof value === "string") checkText(value, schema, path, errors);
  else if (isNumeric(value)) checkNumber(value, schema, path, errors);
  else if (Array.isArray(value)) checkArray(value, schema, path, errors);
  else if (isObject(value)) checkObject(value, schema, path, errors);
  checkParts(value, schema, path, errors);
}

function wantedType(schema: JsonObject): string | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return "integer,string";
  return typeof schema["type"] === "string" ? schema["type"] : undefined;
}

function hasType(value: Json, wanted: string): boolean {
  const type = typeOf(value);
  return wanted.split(",").includes(type) || (wanted === "number" && type === "integer");
}

/** A limit: the keyword, whether a size is above it, and what the size should be. */
type Limit = readonly [
  keyword: string,
  isWrong: (size: number, limit: number) => boolean,
  (limit: number) => string,
];

const LENGTHS: readonly Limit[] = [
  ["minLength", (size, limit) => size < limit, (limit) => `be at least ${limit} chars long`],
  ["maxLength", (size, limit) => size > limit, (limit) => `be at most ${limit} chars long`],
];
const ITEMS: readonly Limit[] = [
  ["minItems", (size, limit) => size < limit, (limit) => `have at least ${limit} items`],
  ["maxItems", (size, limit) => size > limit, (limit) => `have at most ${limit} items`],
];
const PROPERTIES: readonly Limit[] = [
  ["minProperties", (size, limit) => size < limit, (limit) => `have at least ${limit} properties`],
  ["maxProperties", (size, limit) => size > limit, (limit) => `have at most ${limit} properties`],
];

function checkLimits(
  size: number,
  value: Json,
  limits: readonly Limit[],
  schema: JsonObject,
  path: string,
  errors: FieldError[],
): void {
  for (const [keyword, isWrong, should] of limits) {
    const limit = schema[keyword];
    if (typeof limit !== "number" || !isWrong(size, limit)) continue;
    errors.push(invalidValue(path, value, `should ${should(limit)}`));
  }
}

function checkText(value: string, schema: JsonObject, path: string, errors: FieldError[]): void {
  checkLimits([...value].length, value, LENGTHS, schema, path, errors);
  const { pattern } = schema;
  if (typeof pattern !== "string" || !mismatches(value, pattern)) return;
  errors.push(invalidValue(path, value, `should match '${pattern}'`));
}

function checkNumber(
  value: number | bigint,
  schema: JsonObject,
  path: string,
  errors: FieldError[],
): void {
  const { minimum, maximum, multipleOf } = schema;
  if (isNumeric(minimum)) {
    const open = schema["exclusiveMinimum"] === true;
    if (open ? value <= minimum : value < minimum) {
      const what = open ? "greater than" : "greater than or equal to";
      errors.push(invalidValue(path, value, `should be ${what} ${minimum}`));
    }
  }
  if (isNumeric(maximum)) {
    const open = schema["exclusiveMaximum"] === true;
    if (open ? value >= maximum : value > maximum) {
      const what = open ? "less than" : "less than or equal to";
      errors.push(invalidValue(path, value, `should be ${what} ${maximum}`));
    }
  }
  if (isNumeric(multipleOf) && !isMultiple(value, multipleOf)) {
    errors.push(invalidValue(path, value, `should be a multiple of ${multipleOf}`));
  }
}

/** Reports whether a number is a multiple of another, with the tolerance of the server: 0.3 is one of 0.1. */
function isMultiple(size: number | bigint, of: number | bigint): boolean {
  // Rounding would make 2^53 + 1 even.
  if (typeof size === "bigint" && Number.isInteger(Number(of))) return size % BigInt(of) === 0n;
  const [value, factor] = [Number(size), Number(of)];
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  const whole = Math.round(times);
  return times === whole || Math.abs(times - whole) / (Math.abs(times) + Math.abs(whole)) < 1e-9;
}

function checkArray(value: Json[], schema: JsonObject, path: string, errors: FieldError[]): void {
  checkLimits(value.length, value.length, ITEMS, schema, path, errors);
  const { items } = schema;
  if (!isObject(items)) return;
  value.forEach((one, index) => check(one, items, fieldPath(path, index), errors));
}

function checkObject(
  value: JsonObject,
  schema: JsonObject,
  path: string,
  errors: FieldError[],
): void {
  const names = Object.keys(value);
  checkLimits(names.length, names.length, PROPERTIES, schema, path, errors);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  for (const name of required.map(String)) {
    if (!Object.hasOwn(value, name)) errors.push(requiredValue(fieldPath(path, name)));
  }
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const others = schema["additionalProperties"];
  for (const name of names) {
    const field = Object.hasOwn(properties, name) ? properties[name] : others;
    if (!isObject(field)) continue;
    const place = field === others ? `${path}[${name}]` : fieldPath(path, name);
    check(value[name]!, field, place, errors);
  }
}

/** Checks `allOf`, `anyOf`, `oneOf` and `not`. */
function checkParts(value: Json, schema: JsonObject, path: string, errors: FieldError[]): void {
  const errorsOf = (part: Json) => isObject(part) ? validateValue(value, part, path) : [];
  const { allOf, anyOf, oneOf, not } = schema;
  if (Array.isArray(allOf)) errors.push(...allOf.flatMap(errorsOf));
  if (Array.isArray(anyOf)) {
    const found = anyOf.map(errorsOf);
    if (found.every((part) => part.length > 0)) {
      errors.push(invalidValue(path, value, "must validate at least one schema (anyOf)"));
      errors.push(...found[0] ?? []);
    }
  }
  if (Array.isArray(oneOf)) {
    const matching = oneOf.filter((part) => errorsOf(part).length === 0).length;
    if (matching !== 1) {
      const why = `must validate one and only one schema (oneOf), but validates ${matching}`;
      errors.push(invalidValue(path, value, why));
    }
  }
  if (isObject(not) && errorsOf(not).length === 0) {
    errors.push(invalidValue(path, value, "must not validate the schema (not)"));
  }
}
