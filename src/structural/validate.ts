import {
  child,
  duplicate,
  encodeJson,
  type FieldError,
  getArray,
  getOwn,
  getString,
  invalidValue,
  isInteger,
  isNumber,
  isObject,
  item as itemPath,
  type Json,
  jsonEqual,
  jsonKey,
  type JsonObject,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "../values/mod.ts";
import { hasFormat } from "./formats.ts";
import { type Pattern, PatternError, patternOf } from "./pattern.ts";
import { propertyOf, type Structural } from "./structural.ts";

/**
 * The path of a value: `field` as in {@linkcode FieldError.field}, `text` as in error messages.
 *
 * They differ if a status is validated by itself.
 */
interface Place {
  readonly field: string;
  readonly text: string;
  /** The field of errors that name none: that of the value as a whole. */
  readonly whole: string;
  readonly work: Work;
  readonly numbers: NumberRules;
}

/** The rules for numbers that differ between minor versions of Kubernetes. */
export interface NumberRules {
  /** Whether numbers must be in the range of their type and format, as since Kubernetes 1.36. */
  readonly inRange: boolean;
  /** Whether `multipleOf` takes a quotient just below an integer for that integer, as since Kubernetes 1.37. */
  readonly rounded: boolean;
}

/** Options of {@linkcode validateStructural}. */
export interface ValidateOptions {
  /** The path of the value, as in {@linkcode FieldError.field}. Default: empty, for a whole object. */
  readonly field?: string;
  /** The value before an update. Parts of the value that are equal to it are not validated (ratcheting). */
  readonly old?: Json | undefined;
  readonly numbers: NumberRules;
}

/** The work that one validation has done. */
interface Work {
  /** The steps of patterns: for each text, its length times the size of the pattern. */
  patternSteps: number;
  /** The number of values that were compared with a part of `allOf`, `anyOf`, `oneOf` or `not`. */
  parts: number;
  /** The characters of the options that the errors show. */
  shownOptions: number;
}

/** The number of errors after which no further values are checked. */
const MAX_ERRORS = 1000;

/** The maximum number of values that are compared with a part of `allOf`, `anyOf`, `oneOf` or `not`. */
const MAX_PARTS = 300_000;

/** The number of characters of options after which errors do not show them any more. */
const MAX_SHOWN_OPTIONS = 1_000_000;

/**
 * The maximum number of steps that the patterns of one object may take, about three seconds at worst. Patterns match in
 * linear time, but a long text with a large pattern still takes long.
 */
const MAX_PATTERN_STEPS = 300_000_000;

/** Validates a value against its schema and returns the errors. */
export function validateStructural(
  value: Json,
  schema: Structural,
  { field = "", old, numbers }: ValidateOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const work: Work = { patternSteps: 0, parts: 0, shownOptions: 0 };
  check(
    value,
    schema,
    { field, text: "", whole: field || "<nil>", work, numbers },
    errors,
    old,
    true,
  );
  if (work.parts > MAX_PARTS) {
    errors.push(
      invalidValue(field, "", "has more values and alternatives than this server checks"),
    );
  }
  return errors;
}

/** Reports whether an error keeps a real server from evaluating CEL rules. */
export function blocksRules(error: FieldError): boolean {
  return [
    "FieldValueNotSupported",
    "FieldValueRequired",
    "FieldValueTooLong",
    "FieldValueTooMany",
    "FieldValueTypeInvalid",
  ].includes(error.reason);
}

function down(place: Place, name: string): Place {
  return { ...place, field: child(place.field, name), text: child(place.text, name) };
}

/** Returns the place of a property that `additionalProperties` describes. Its text has a dot also at the top. */
function downUndeclared(place: Place, name: string): Place {
  return { ...down(place, name), text: `${place.text}.${name}` };
}

function downItem(place: Place, index: number): Place {
  return { ...place, field: itemPath(place.field, index), text: itemPath(place.text, index) };
}

function check(
  value: Json,
  schema: Structural,
  place: Place,
  errors: FieldError[],
  old: Json | undefined,
  root = false,
): void {
  if (errors.length > MAX_ERRORS || (value === null && schema.nullable)) return;
  if (old !== undefined && jsonEqual(value, old)) return;
  if (!hasType(value, schema)) {
    const wanted = schema.intOrString ? "integer,string" : schema.type;
    errors.push(wrongType(value, wanted, getString(schema.raw, "format"), place));
    if (isNumber(value)) errors.push(...checkRange(value, "Checked", schema.raw, place));
    checkOptions(value, schema.raw, place, errors);
    checkLogic(value, schema.raw, place, errors);
    return;
  }
  if (!Array.isArray(value)) checkValue(value, schema.raw, place, errors);
  if (Array.isArray(value)) {
    checkOptions(value, schema.raw, place, errors);
    const items = schema.items;
    if (items !== undefined) {
      const before = previousItems(schema, old);
      value.forEach((one, index) => {
        check(one, items, downItem(place, index), errors, before(one));
      });
    }
    checkArray(value, schema.raw, place, errors);
    checkListType(value, schema, place, errors);
  } else if (isObject(value)) {
    if (schema.embedded && !root) {
      for (const name of ["apiVersion", "kind"]) {
        if (getOwn(value, name) === undefined) errors.push(required(child(place.field, name)));
      }
    }
    for (const key of Object.keys(value).sort()) {
      if (root && ["apiVersion", "kind", "metadata"].includes(key)) continue;
      const property = propertyOf(schema, key);
      if (property === undefined) continue;
      const before = isObject(old) ? getOwn(old, key) : undefined;
      const below = schema.properties.has(key) ? down(place, key) : downUndeclared(place, key);
      check(value[key] ?? null, property, below, errors, before);
    }
  }
  checkLogic(value, schema.raw, place, errors);
}

/**
 * Returns a function that finds the old version of a list item. Only items of map lists have one: other items have no
 * identity.
 */
export function previousItems(
  { listType, mapKeys, items }: Structural,
  old: Json | undefined,
): (value: Json) => Json | undefined {
  if (listType !== "map" || !Array.isArray(old)) return () => undefined;
  const keyOf = (value: Json) =>
    jsonKey(mapKeys.map((key) => {
      const own = isObject(value) ? getOwn(value, key) : undefined;
      return own ?? items?.properties.get(key)?.default ?? null;
    }));
  const known = new Map<string, Json>();
  for (const value of old) if (!known.has(keyOf(value))) known.set(keyOf(value), value);
  return (value) => known.get(keyOf(value));
}

function typeName(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isNumber(value)) return isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** Returns the error of a value of another type than that of its schema. */
function wrongType(value: Json, wanted: string, format: string, place: Place): FieldError {
  const hasFormat = place.numbers.inRange && Object.hasOwn(FORMATS, format) &&
    typeof value !== "string" && !Array.isArray(value) && value !== null;
  const found = hasFormat ? isNumber(value) ? "float64" : "" : typeName(value);
  const type = hasFormat ? format : wanted;
  return typeInvalid(
    place.field,
    found,
    `${place.text} in body must be of type ${type}: ${JSON.stringify(found)}`,
  );
}

/** The formats of numbers, with the type that they refine. */
const FORMATS: Readonly<Record<string, string>> = {
  int32: "integer",
  int64: "integer",
  float: "number",
  double: "number",
};

const MAX_FLOAT = 3.4028235677973366e38;

/** Returns the error of a number that is not in the range of a type and its format. */
function checkRange(
  value: number | bigint,
  what: string,
  raw: JsonObject,
  place: Place,
): FieldError[] {
  const type = getString(raw, "type");
  if (!place.numbers.inRange || isInRange(value, type, getString(raw, "format"))) return [];
  const format = getString(raw, "format");
  const known = Object.hasOwn(FORMATS, format) && FORMATS[format] === type;
  const form = known ? `with format ${format}` : "(default format)";
  return [
    invalidValue(place.whole, "", `${what} value must be of type ${type} ${form} in ${place.text}`),
  ];
}

function isInRange(value: number | bigint, type: string, format: string): boolean {
  if (type === "number") return format !== "float" || Math.abs(Number(value)) < MAX_FLOAT;
  if (type !== "integer") return true;
  if (typeof value === "number" && !Number.isInteger(value)) return false;
  // As Go prints it: with the shortest digits that identify the number, and zeros after them.
  if (Math.abs(Number(value)) >= 1e21) return false;
  const whole = BigInt(String(value));
  return BigInt.asIntN(format === "int32" ? 32 : 64, whole) === whole;
}

function hasType(value: Json, schema: Structural): boolean {
  const actual = typeName(value);
  if (schema.intOrString) return actual === "integer" || actual === "string";
  if (schema.type === "" || actual === schema.type) return true;
  return schema.type === "number" && actual === "integer";
}

/**
 * Checks the rules that do not concern the structure.
 *
 * These may also be part of `allOf`, `anyOf`, `oneOf` and `not`.
 */
function checkValue(value: Json, raw: JsonObject, place: Place, errors: FieldError[]): void {
  if (isNumber(value)) errors.push(...checkRange(value, "Checked", raw, place));
  checkOptions(value, raw, place, errors);
  if (typeof value === "string") checkText(value, raw, place, errors);
  else if (isNumber(value)) checkNumber(value, raw, place, errors);
  else if (Array.isArray(value)) checkArray(value, raw, place, errors);
  else if (isObject(value)) checkObject(value, raw, place, errors);
}

function checkOptions(value: Json, raw: JsonObject, place: Place, errors: FieldError[]): void {
  const options = getArray(raw, "enum");
  if (options.length > 0 && !optionsOf(options).texts.has(jsonKey(value))) {
    const { shown, length } = optionsOf(options);
    place.work.shownOptions += length;
    const some = place.work.shownOptions > MAX_SHOWN_OPTIONS ? [] : shown;
    errors.push(notSupported(place.field, value, some));
  }
}

/** The options of an `enum`, prepared for comparisons with many values. */
interface Options {
  readonly texts: ReadonlySet<string>;
  /** The options as errors show them. */
  readonly shown: readonly string[];
  /** The number of characters of `shown`. */
  readonly length: number;
}

const knownOptions = new WeakMap<Json[], Options>();

function optionsOf(options: Json[]): Options {
  let known = knownOptions.get(options);
  if (known === undefined) {
    const shown = options.map((option) =>
      typeof option === "string" ? option : encodeJson(option, undefined, { escapeHtml: false })
    );
    const length = shown.reduce((sum, text) => sum + text.length, 0);
    known = { texts: new Set(options.map(jsonKey)), shown, length };
    knownOptions.set(options, known);
  }
  return known;
}

function limit(raw: JsonObject, name: string): number | undefined {
  const value = getOwn(raw, name);
  return isNumber(value) ? Number(value) : undefined;
}

function should(place: Place, value: Json, what: string): FieldError {
  return invalidValue(place.field, value, `${place.text} in body should ${what}`);
}

function checkText(value: string, raw: JsonObject, place: Place, errors: FieldError[]): void {
  checkTextItself(value, raw, place, errors);
  const format = getString(raw, "format");
  if (format !== "" && !hasFormat(value, format)) {
    errors.push(
      typeInvalid(
        place.field,
        value,
        `${place.text} in body must be of type ${format}: ${JSON.stringify(value)}`,
      ),
    );
  }
}

/** Checks length and pattern of a string. Only the first error is reported. */
function checkTextItself(value: string, raw: JsonObject, place: Place, errors: FieldError[]): void {
  const length = [...value].length;
  const max = limit(raw, "maxLength");
  const min = limit(raw, "minLength");
  const pattern = getString(raw, "pattern");
  if (max !== undefined && length > max) errors.push(tooLong(place.field, max));
  else if (min !== undefined && length < min) {
    errors.push(should(place, value, `be at least ${min} chars long`));
  } else if (pattern !== "") {
    const mismatch = mismatchOf(value, pattern, place.work);
    if (mismatch !== undefined) errors.push(should(place, value, `match '${mismatch}'`));
  }
}

/** Returns the pattern as the error shows it, or undefined if `value` matches. */
function mismatchOf(value: string, text: string, work: Work): string | undefined {
  let pattern: Pattern;
  try {
    pattern = patternOf(text);
  } catch (error) {
    if (error instanceof PatternError) return `${text}, but pattern is invalid: ${error.message}`;
    throw error;
  }
  work.patternSteps += (value.length + 1) * pattern.size;
  if (work.patternSteps > MAX_PATTERN_STEPS) {
    return `${text}, but this server does not match texts of that length`;
  }
  return pattern.matches(value) ? undefined : text;
}

function checkNumber(
  value: number | bigint,
  raw: JsonObject,
  place: Place,
  errors: FieldError[],
): void {
  const step = limit(raw, "multipleOf");
  if (step !== undefined) {
    errors.push(...checkRange(step, "MultipleOf", raw, place), ...checkStep(value, step, place));
  }
  const max = limit(raw, "maximum");
  if (max !== undefined) errors.push(...checkRange(max, "Maximum boundary", raw, place));
  const exclusiveMax = getOwn(raw, "exclusiveMaximum") === true;
  if (max !== undefined && (exclusiveMax ? value >= max : value > max)) {
    errors.push(should(place, value, `be less than ${exclusiveMax ? "" : "or equal to "}${max}`));
  }
  const min = limit(raw, "minimum");
  if (min !== undefined) errors.push(...checkRange(min, "Minimum boundary", raw, place));
  const exclusiveMin = getOwn(raw, "exclusiveMinimum") === true;
  if (min !== undefined && (exclusiveMin ? value <= min : value < min)) {
    errors.push(
      should(place, value, `be greater than ${exclusiveMin ? "" : "or equal to "}${min}`),
    );
  }
}

/** Checks `multipleOf`. Like the real server, it drops the fraction of the step if the value is an integer. */
function checkStep(value: number | bigint, step: number, place: Place): FieldError[] {
  const factor = typeName(value) === "integer" ? Math.trunc(step) : step;
  if (factor <= 0) {
    const why = `factor MultipleOf declared for ${place.text} must be positive: ${factor}`;
    return [invalidValue(place.field, factor, why)];
  }
  const isMultiple = typeof value === "bigint"
    ? value % BigInt(factor) === 0n
    : isNearInteger(factor < 1 ? 1 / factor * value : value / factor, place.numbers.rounded);
  return isMultiple ? [] : [should(place, value, `be a multiple of ${factor}`)];
}

/** Reports whether a quotient is an integer but for the error of floats. */
function isNearInteger(quotient: number, rounded: boolean): boolean {
  if (rounded) {
    const nearest = Math.round(quotient);
    return quotient === nearest || Math.abs(quotient - nearest) < 1e-9 * Math.abs(nearest);
  }
  const whole = Math.trunc(quotient);
  if (quotient === whole) return true;
  return Math.abs(quotient - whole) / (Math.abs(quotient) + Math.abs(whole)) < 1e-9;
}

function checkArray(value: Json[], raw: JsonObject, place: Place, errors: FieldError[]): void {
  const max = limit(raw, "maxItems");
  if (max !== undefined && value.length > max) errors.push(tooMany(place.field, value.length, max));
  const min = limit(raw, "minItems");
  if (min !== undefined && value.length < min) {
    errors.push(should(place, value.length, `have at least ${min} items`));
  }
}

function checkObject(value: JsonObject, raw: JsonObject, place: Place, errors: FieldError[]): void {
  const count = Object.keys(value).length;
  const max = limit(raw, "maxProperties");
  if (max !== undefined && count > max) errors.push(tooMany(place.field, count, max));
  const min = limit(raw, "minProperties");
  if (min !== undefined && count < min) {
    errors.push(should(place, count, `have at least ${min} properties`));
  }
  for (const name of getArray(raw, "required").map(String)) {
    if (!Object.hasOwn(value, name)) errors.push(required(child(place.field, name)));
  }
}

/** Checks that a list of type `set` or `map` has no duplicates. */
function checkListType(
  value: Json[],
  schema: Structural,
  place: Place,
  errors: FieldError[],
): void {
  if (schema.listType === "atomic") return;
  const stray = schema.listType === "map"
    ? value.findIndex((one) => one !== null && !isObject(one))
    : -1;
  if (stray >= 0) {
    const why = "must be an object for an array of list-type map";
    errors.push(invalidValue(itemPath(place.field, stray), value[stray], why));
    return;
  }
  const identities = value.map((one) => {
    if (schema.listType === "set" || !isObject(one)) return one;
    const keys: JsonObject = {};
    for (const key of schema.mapKeys) keys[key] = getOwn(one, key) ?? null;
    return keys;
  });
  const known = new Set<string>();
  identities.forEach((identity, index) => {
    const text = jsonKey(identity);
    if (known.has(text)) errors.push(duplicate(itemPath(place.field, index), identity));
    known.add(text);
  });
}

/** Checks the rules `anyOf`, `oneOf`, `allOf` and `not`. */
function checkLogic(value: Json, raw: JsonObject, place: Place, errors: FieldError[]): void {
  const failed = (what: string) =>
    invalidValue("<nil>", "", `${JSON.stringify(place.text)} ${what}`);
  const results = (name: string) =>
    getArray(raw, name).filter(isObject).map((part) => checkPart(value, part, place));
  const any = results("anyOf");
  if (any.length > 0 && any.every((part) => part.length > 0)) {
    errors.push(failed("must validate at least one schema (anyOf)"), ...any[0]!);
  }
  const one = results("oneOf");
  const valid = one.filter((part) => part.length === 0).length;
  if (one.length > 0 && valid !== 1) {
    const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
    errors.push(failed(`must validate one and only one schema (oneOf). ${found}`));
    if (valid === 0) errors.push(...one[0]!);
  }
  const all = results("allOf");
  if (all.some((part) => part.length > 0)) {
    const none = all.every((part) => part.length > 0) ? ". None validated" : "";
    errors.push(...all.flat(), failed(`must validate all the schemas (allOf)${none}`));
  }
  const not = getOwn(raw, "not");
  if (isObject(not) && checkPart(value, not, place).length === 0) {
    errors.push(failed("must not validate the schema (not)"));
  }
}

function checkPart(value: Json, part: JsonObject, place: Place): FieldError[] {
  const errors: FieldError[] = [];
  if (++place.work.parts > MAX_PARTS) return errors;
  checkValue(value, part, place, errors);
  if (isObject(value)) {
    const properties = getOwn(part, "properties");
    for (const key of isObject(properties) ? Object.keys(properties) : []) {
      const schema = (properties as JsonObject)[key];
      if (isObject(schema) && Object.hasOwn(value, key)) {
        errors.push(...checkPart(value[key] ?? null, schema, down(place, key)));
      }
    }
  } else if (Array.isArray(value)) {
    const items = getOwn(part, "items");
    if (isObject(items)) {
      value.forEach((one, index) => errors.push(...checkPart(one, items, downItem(place, index))));
    }
  }
  const type = getString(part, "type");
  if (
    type !== "" && typeName(value) !== type && !(type === "number" && typeName(value) === "integer")
  ) {
    errors.push(
      typeInvalid(
        place.field,
        typeName(value),
        `${place.text} in body must be of type ${type}: ${JSON.stringify(typeName(value))}`,
      ),
    );
  }
  checkLogic(value, part, place, errors);
  return errors;
}
