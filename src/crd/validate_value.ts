import { jsonEqual } from "../base/mod.ts";
import {
  type FieldError,
  fieldPath,
  invalidValue,
  requiredValue,
  unsupportedValue,
  wrongType,
} from "./field_error.ts";
import { isNumeric, isObject, type Json, type JsonObject, typeOf } from "./json.ts";
import type { MatchPattern } from "./linear_patterns.ts";

/** Maximum number of errors. */
const MAX_ERRORS = 100;

/** The result of {@linkcode validateValue}. */
export interface Findings {
  /** The errors, at most 100. */
  readonly errors: readonly FieldError[];
  /** Whether a pattern was left to the server. */
  readonly isOpen: boolean;
}

/**
 * Validates a value against a structural schema. CEL rules, formats and the uniqueness of lists are not checked. Unknown
 * fields are ignored, because the server prunes them.
 *
 * @param schema The structural schema, as {@linkcode finishSchema} returns it.
 * @param path The path of the value, for errors.
 * @param matches Matches patterns.
 */
export function validateValue(
  value: Json,
  schema: JsonObject,
  path: string,
  matches: MatchPattern,
): Findings {
  const validation = new Validation(matches);
  validation.check(value, schema, path);
  return validation;
}

/** The validation of one value. */
class Validation implements Findings {
  readonly errors: FieldError[] = [];
  isOpen = false;
  readonly #matches: MatchPattern;

  constructor(matches: MatchPattern) {
    this.#matches = matches;
  }

  check(value: Json, schema: JsonObject, path: string): void {
    const { errors } = this;
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
    if (typeof value === "string") this.#checkText(value, schema, path);
    else if (isNumeric(value)) checkNumber(value, schema, path, errors);
    else if (Array.isArray(value)) this.#checkArray(value, schema, path);
    else if (isObject(value)) this.#checkObject(value, schema, path);
    this.#checkParts(value, schema, path);
  }

  #checkText(value: string, schema: JsonObject, path: string): void {
    checkLimits([...value].length, value, LENGTHS, schema, path, this.errors);
    const { pattern } = schema;
    if (typeof pattern !== "string") return;
    const isMatch = this.#matches(value, pattern);
    if (isMatch === undefined) this.isOpen = true;
    if (isMatch !== false) return;
    this.errors.push(invalidValue(path, value, `should match '${pattern}'`));
  }

  #checkArray(value: Json[], schema: JsonObject, path: string): void {
    checkLimits(value.length, value.length, ITEMS, schema, path, this.errors);
    const { items } = schema;
    if (!isObject(items)) return;
    value.forEach((one, index) => this.check(one, items, fieldPath(path, index)));
  }

  #checkObject(value: JsonObject, schema: JsonObject, path: string): void {
    const names = Object.keys(value);
    checkLimits(names.length, names.length, PROPERTIES, schema, path, this.errors);
    const required = Array.isArray(schema["required"]) ? schema["required"] : [];
    for (const name of required.map(String)) {
      if (!Object.hasOwn(value, name)) this.errors.push(requiredValue(fieldPath(path, name)));
    }
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const others = schema["additionalProperties"];
    for (const name of names) {
      const field = Object.hasOwn(properties, name) ? properties[name] : others;
      if (!isObject(field)) continue;
      const place = field === others ? `${path}[${name}]` : fieldPath(path, name);
      this.check(value[name]!, field, place);
    }
  }

  /** Checks `allOf`, `anyOf`, `oneOf` and `not`. */
  #checkParts(value: Json, schema: JsonObject, path: string): void {
    const { errors } = this;
    const findingsOf = (part: Json): Findings =>
      isObject(part) ? validateValue(value, part, path, this.#matches) : NOTHING;
    const noteOpen = (parts: readonly Findings[]) => {
      const isOpen = parts.some((part) => part.isOpen);
      if (isOpen) this.isOpen = true;
      return isOpen;
    };
    const { allOf, anyOf, oneOf, not } = schema;
    if (Array.isArray(allOf)) {
      const parts = allOf.map(findingsOf);
      noteOpen(parts);
      for (const part of parts) errors.push(...part.errors);
    }
    if (Array.isArray(anyOf)) {
      const parts = anyOf.map(findingsOf);
      noteOpen(parts);
      if (parts.every((part) => part.errors.length > 0)) {
        errors.push(invalidValue(path, value, "must validate at least one schema (anyOf)"));
        errors.push(...parts[0]?.errors ?? []);
      }
    }
    // A part may match only because a pattern was left to the server.
    if (Array.isArray(oneOf)) {
      const parts = oneOf.map(findingsOf);
      const isOpen = noteOpen(parts);
      const matching = parts.filter((part) => part.errors.length === 0).length;
      if (matching === 0 || (matching > 1 && !isOpen)) {
        const why = `must validate one and only one schema (oneOf), but validates ${matching}`;
        errors.push(invalidValue(path, value, why));
      }
    }
    if (isObject(not)) {
      const part = findingsOf(not);
      if (part.errors.length === 0 && !noteOpen([part])) {
        errors.push(invalidValue(path, value, "must not validate the schema (not)"));
      }
    }
  }
}

const NOTHING: Findings = { errors: [], isOpen: false };

function wantedType(schema: JsonObject): string | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return "integer,string";
  return typeof schema["type"] === "string" ? schema["type"] : undefined;
}

function hasType(value: Json, wanted: string): boolean {
  const type = typeOf(value);
  return wanted.split(",").includes(type) || (wanted === "number" && type === "integer");
}

/** A limit: the keyword, the check of a size, and the required size in words. */
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

/** Reports whether a number is a multiple of another, with the tolerance of the server: 0.3 is a multiple of 0.1. */
function isMultiple(size: number | bigint, of: number | bigint): boolean {
  // Rounding would make 2^53 + 1 even.
  if (typeof size === "bigint" && Number.isInteger(Number(of))) return size % BigInt(of) === 0n;
  const [value, factor] = [Number(size), Number(of)];
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  const whole = Math.round(times);
  return times === whole || Math.abs(times - whole) / (Math.abs(times) + Math.abs(whole)) < 1e-9;
}
