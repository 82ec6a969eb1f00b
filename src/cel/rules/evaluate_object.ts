import {
  applyStructuralDefaults,
  blocksRules,
  compileStructural,
  prune,
  type Structural,
  TooLargeError,
  validateStructural,
} from "../../structural/mod.ts";
import { type FieldError, invalidValue, type JsonObject } from "../../values/mod.ts";
import { evaluateRules } from "./rule_validator.ts";

/** Rules for numbers, as of the newest minor version of Kubernetes. */
const NUMBERS = { inRange: true, rounded: true } as const;

/** The error of the server for an object whose other errors keep it from evaluating the rules. */
const NOT_CHECKED: FieldError = {
  field: "<nil>",
  reason: "FieldValueInvalid",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
};

/** The compiled schemas. */
const known = new WeakMap<JsonObject, Structural>();

/**
 * Evaluates the CEL rules of a schema for an object as it is sent to a server: with pruning, defaults and validation before.
 *
 * @param schema The schema of whole objects.
 * @param object The object, as sent.
 * @param oldObject The object before an update; undefined for a new object.
 */
export function evaluateObject(
  schema: JsonObject,
  object: JsonObject,
  oldObject: JsonObject | undefined,
): readonly FieldError[] {
  let structural = known.get(schema);
  if (structural === undefined) {
    structural = compileStructural(schema);
    known.set(schema, structural);
  }
  try {
    const read = readAs(object, structural);
    const old = oldObject && readAs(oldObject, structural);
    const errors = validateStructural(read, structural, { old, numbers: NUMBERS });
    if (errors.some(blocksRules)) return [NOT_CHECKED];
    return evaluateRules(structural, read, old).errors;
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return [invalidValue("", "", error.message)];
  }
}

/** Returns an object as the server reads it: without unknown fields, and with defaults. */
function readAs(object: JsonObject, schema: Structural): JsonObject {
  return applyStructuralDefaults(prune(object, schema).object, schema);
}
