import type { Release } from "../../release/mod.ts";
import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";
import { checkRuleForms, checkRules } from "@kubeloop/controller/internal/cel";
import {
  compileStructural,
  hasRules,
  PatternError,
  patternOf,
  prune,
  type Structural,
  validateStructural,
} from "../../schema/mod.ts";
import { numberRules } from "../shared/mod.ts";
import { mergeErrors, wrongType } from "./crd_merge_validation.ts";

type Level = "root" | "item" | "field";

/** The keywords that are refused, in the order of their errors. */
const UNSUPPORTED = [
  "id",
  "additionalItems",
  "patternProperties",
  "definitions",
  "dependencies",
  "$ref",
];

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];

const TYPELESS: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/**
 * The keywords that a value validation must not contain, each with the reason in the error. Only the structural part of
 * the schema, outside `allOf`, `anyOf`, `oneOf` and `not`, may contain them.
 */
const STRUCTURE_ONLY: Readonly<Record<string, string>> = {
  type: "must be empty to be structural",
  additionalProperties: "must be undefined to be structural",
  default: "must be undefined to be structural",
  title: "must be empty to be structural",
  description: "must be empty to be structural",
  nullable: "must be false to be structural",
  "x-kubernetes-preserve-unknown-fields": "must be false to be structural",
  "x-kubernetes-embedded-resource": "must be false to be structural",
  "x-kubernetes-int-or-string": "must be false to be structural",
  "x-kubernetes-list-map-keys": "must be empty to be structural",
  "x-kubernetes-list-type": "must be undefined to be structural",
  "x-kubernetes-map-type": "must be undefined to be structural",
  "x-kubernetes-validations": "must be empty to be structural",
};

/**
 * Returns the validation errors of the `openAPIV3Schema` of a CRD. The schema must be structural, defaults must match
 * it, and its rules must compile and not cost too much.
 *
 * @param options `isNew`: whether the CRD is new or the schema has changed.
 */
export function validateSchema(
  raw: JsonObject,
  field: string,
  { isNew, release }: { readonly isNew: boolean; readonly release: Release },
): FieldError[] {
  const form = validateForm(raw, field);
  // A schema with such keywords cannot be read as a structural one, so it is not checked further.
  const structure = hasUnsupported(raw)
    ? []
    : validateStructure(raw, "root", field, new PatternCheck()).sort(byText);
  const root = getOwn(raw, "nullable") === true
    ? [forbiddenField(child(field, "nullable"), "nullable cannot be true at the root")]
    : [];
  const errors = [...root, ...structure, ...form];
  if (errors.length > 0) return errors;
  const schema = compileStructural(raw);
  const defaults = validateDefaults(schema, field, release);
  if (defaults.length > 0 || !hasRules(schema)) return defaults;
  return checkRules(schema, field, isNew);
}

/** The maximum size of all compiled patterns of a schema. In large real schemas, it is a few thousand. */
const MAX_PATTERNS_SIZE = 200_000;

/** Checks the patterns of one schema. */
class PatternCheck {
  #size = 0;

  /** Returns the error of the `pattern` in `raw`, if it has one. */
  check(raw: JsonObject, field: string): FieldError[] {
    const text = getString(raw, "pattern");
    if (text === "") return [];
    try {
      if (this.#size <= MAX_PATTERNS_SIZE) this.#size += patternOf(text).size;
      if (this.#size <= MAX_PATTERNS_SIZE) return [];
      throw new PatternError("the patterns of the schema are too large together");
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      const why = `must be a valid regular expression, but isn't: ${error.message}`;
      return [invalidValue(child(field, "pattern"), text, why)];
    }
  }
}

/** Compares errors by their text. The real server sorts structural errors so, because Go maps have no order. */
function byText(a: FieldError, b: FieldError): number {
  const left = `${a.field}: ${a.message}`;
  const right = `${b.field}: ${b.message}`;
  return left < right ? -1 : left > right ? 1 : 0;
}

function* subschemas(raw: JsonObject, field: string): Generator<[JsonObject, string, Level]> {
  const items = getOwn(raw, "items");
  const lists = Array.isArray(items) ? items : [];
  if (isObject(items)) yield [items, child(field, "items"), "item"];
  const properties = getObject(raw, "properties");
  for (const name of Object.keys(properties).sort()) {
    const schema = properties[name];
    if (isObject(schema)) yield [schema, item(child(field, "properties"), name), "field"];
  }
  const additional = getOwn(raw, "additionalProperties");
  if (isObject(additional)) yield [additional, child(field, "additionalProperties"), "field"];
  for (const [index, one] of lists.entries()) {
    if (isObject(one)) yield [one, item(child(field, "items"), index), "item"];
  }
}

/** Reports whether the items of a list have a schema each. */
function hasItemList(raw: JsonObject): boolean {
  return getArray(raw, "items").length > 0;
}

/** Reports whether a schema or one of its parts has a keyword that no structural schema can express. */
function hasUnsupported(raw: JsonObject): boolean {
  return hasItemList(raw) || UNSUPPORTED.some((keyword) => isGiven(getOwn(raw, keyword))) ||
    [...subschemas(raw, "")].some(([schema]) => hasUnsupported(schema));
}

/** Returns the errors of keywords that are invalid in any schema, structural or not. */
function validateForm(raw: JsonObject, field: string): FieldError[] {
  const errors = [
    ...typeErrors(raw, field),
    ...UNSUPPORTED.filter((keyword) => isGiven(getOwn(raw, keyword)))
      .map((keyword) => forbiddenField(child(field, keyword), `${keyword} is not supported`)),
  ];
  if (getString(raw, "type") === "null") {
    const why = "type cannot be set to null, use nullable as an alternative";
    errors.push(forbiddenField(child(field, "type"), why));
  }
  if (hasItemList(raw)) {
    const why = "items must be a schema object and not an array";
    errors.push(forbiddenField(child(field, "items"), why));
  }
  if (getOwn(raw, "uniqueItems") === true) {
    errors.push(
      forbiddenField(
        child(field, "uniqueItems"),
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ),
    );
  }
  const additional = getOwn(raw, "additionalProperties");
  if (
    additional !== undefined && additional !== true &&
    Object.keys(getObject(raw, "properties")).length > 0
  ) {
    errors.push(
      forbiddenField(
        child(field, "additionalProperties"),
        "additionalProperties and properties are mutual exclusive",
      ),
    );
  }
  if (getOwn(raw, "x-kubernetes-preserve-unknown-fields") === false) {
    const where = child(field, "x-kubernetes-preserve-unknown-fields");
    errors.push(invalidValue(where, false, "must be true or undefined"));
  }
  errors.push(...mergeErrors(raw, field));
  for (const [schema, where] of subschemas(raw, field)) errors.push(...validateForm(schema, where));
  if (getArray(raw, "x-kubernetes-validations").length > 0) {
    errors.push(...checkRuleForms(compileStructural(raw), field));
  }
  return errors;
}

/** Returns the error of a type that no value has. */
function typeErrors(raw: JsonObject, field: string): FieldError[] {
  const type = getString(raw, "type");
  if (type === "" || TYPES.includes(type)) return [];
  return [notSupported(child(field, "type"), type, TYPES)];
}

/** Returns the reasons why a schema is not structural. */
function validateStructure(
  raw: JsonObject,
  level: Level,
  field: string,
  patterns: PatternCheck,
): FieldError[] {
  const errors: FieldError[] = [];
  const type = getString(raw, "type");
  const free = getOwn(raw, "x-kubernetes-int-or-string") === true ||
    getOwn(raw, "x-kubernetes-preserve-unknown-fields") === true;
  const embedded = getOwn(raw, "x-kubernetes-embedded-resource") === true;
  if (type === "array" && !isObject(getOwn(raw, "items"))) {
    errors.push(required(child(field, "items"), "must be specified"));
  }
  for (const [schema, where, inner] of subschemas(raw, field)) {
    errors.push(...validateStructure(schema, inner, where, patterns));
  }
  errors.push(...extensionErrors(raw, field));
  if (level === "root" && getOwn(raw, "additionalProperties") !== undefined) {
    errors.push(
      forbiddenField(child(field, "additionalProperties"), "must not be used at the root"),
    );
  }
  if (embedded && type !== "object") {
    errors.push(wrongType(type, "must be object if x-kubernetes-embedded-resource is true", field));
  } else if (type === "" && !free) errors.push(required(child(field, "type"), TYPELESS[level]));
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalidValue(child(field, "type"), type, "must be object at the root"));
  }
  const properties = getObject(raw, "properties");
  if (
    embedded && Object.keys(properties).length === 0 &&
    getOwn(raw, "x-kubernetes-preserve-unknown-fields") !== true
  ) {
    const reason =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(required(child(field, "properties"), reason));
  }
  if (embedded && getOwn(raw, "additionalProperties") !== undefined) {
    const reason = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(forbiddenField(child(field, "additionalProperties"), reason));
  }
  if (level === "root" || embedded) {
    for (const name of ["kind", "apiVersion"]) {
      const own = getOwn(properties, name);
      const is = getString(own, "type");
      if (!isObject(own) || is === "string") continue;
      const at = child(item(child(field, "properties"), name), "type");
      errors.push(invalidValue(at, is, "must be string"));
    }
  }
  const metadata = getOwn(properties, "metadata");
  if ((level === "root" || embedded) && isObject(metadata)) {
    errors.push(...validateMetadata(metadata, level, item(child(field, "properties"), "metadata")));
  }
  errors.push(...validateNested(raw, field, patterns, isIntOrString(raw), inAllOf(raw)));
  return errors;
}

/** Returns the errors of what a schema says about the metadata: only about names, if it is that of the whole object. */
function validateMetadata(metadata: JsonObject, level: Level, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = getString(metadata, "type");
  if (type !== "object") errors.push(invalidValue(child(field, "type"), type, "must be object"));
  if (level !== "root") return errors;
  const names = Object.keys(getObject(metadata, "properties"));
  const known = names.every((name) => name === "name" || name === "generateName");
  const said = Object.keys(metadata).filter((name) =>
    !["description", "default", "properties", "type"].includes(name)
  );
  if (known && said.length === 0) return errors;
  const reason =
    "must not specify anything other than name and generateName, but metadata is implicitly specified";
  return [...errors, forbiddenField(field, reason)];
}

/** Returns an error for each extension that excludes the one for a number or text. */
function extensionErrors(raw: JsonObject, field: string): FieldError[] {
  if (getOwn(raw, "x-kubernetes-int-or-string") !== true) return [];
  return ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"]
    .filter((name) => getOwn(raw, name) === true)
    .map((name) =>
      invalidValue(child(field, name), true, "must be false if x-kubernetes-int-or-string is true")
    );
}

/**
 * Reports whether `anyOf` is `integer, string`, as for an int-or-string: the only place where a value validation may
 * have a type.
 */
function isIntOrString(raw: JsonObject): boolean {
  return jsonEqual(getOwn(raw, "anyOf"), [{ type: "integer" }, { type: "string" }]);
}

/** Reports whether the first part of `allOf` has such an `anyOf`. */
function inAllOf(raw: JsonObject): boolean {
  const [first] = getArray(raw, "allOf");
  return isObject(first) && isIntOrString(first);
}

/** Validates `pattern`, and the schemas in `allOf`, `anyOf`, `oneOf` and `not`. */
function validateNested(
  raw: JsonObject,
  field: string,
  patterns: PatternCheck,
  typedAnyOf: boolean,
  typedInAllOf: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["allOf", "anyOf", "oneOf"]) {
    if (name === "anyOf" && typedAnyOf) continue;
    getArray(raw, name).forEach((part, index) => {
      if (!isObject(part)) return;
      const typed = typedInAllOf && name === "allOf" && index === 0;
      errors.push(...validateRule(part, item(child(field, name), index), patterns, typed));
    });
  }
  const not = getOwn(raw, "not");
  if (isObject(not)) errors.push(...validateRule(not, child(field, "not"), patterns));
  return [...errors, ...patterns.check(raw, field)];
}

function validateRule(
  raw: JsonObject,
  field: string,
  patterns: PatternCheck,
  typedAnyOf = false,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [keyword, reason] of Object.entries(STRUCTURE_ONLY)) {
    if (isGiven(getOwn(raw, keyword))) errors.push(forbiddenField(child(field, keyword), reason));
  }
  const properties = getObject(raw, "properties");
  for (const name of Object.keys(properties)) {
    const schema = properties[name];
    const where = item(child(field, "properties"), name);
    if (name === "metadata") {
      errors.push(forbiddenField(where, "must not be specified in a nested context"));
    }
    if (isObject(schema)) errors.push(...validateRule(schema, where, patterns));
  }
  const items = getOwn(raw, "items");
  if (isObject(items)) errors.push(...validateRule(items, child(field, "items"), patterns));
  return [...errors, ...validateNested(raw, field, patterns, typedAnyOf, false)];
}

function isGiven(value: Json | undefined): boolean {
  if (Array.isArray(value) && value.length === 0) return false;
  return value !== undefined && value !== false && value !== "" && value !== null;
}

/** Returns the errors of defaults that do not match their own schema. */
function validateDefaults(schema: Structural, field: string, release: Release): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.default !== undefined) {
    const where = child(field, "default");
    const numbers = numberRules(release);
    errors.push(...validateStructural(schema.default, schema, { field: where, numbers }));
    if (isObject(schema.default) && prune(schema.default, schema).unknown.length > 0) {
      errors.push(invalidValue(where, schema.default, "must not have unknown fields"));
    }
  }
  if (schema.items !== undefined) {
    errors.push(...validateDefaults(schema.items, child(field, "items"), release));
  }
  for (const [name, property] of schema.properties) {
    errors.push(...validateDefaults(property, item(child(field, "properties"), name), release));
  }
  if (typeof schema.additional === "object") {
    errors.push(
      ...validateDefaults(schema.additional, child(field, "additionalProperties"), release),
    );
  }
  return errors;
}
