import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getString,
  invalidValue,
  item,
  type JsonObject,
  labelValue,
  qualifiedName,
  required,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { validateLabels } from "./object_meta.ts";

/** Returns the validation errors of a label selector. */
export function validateLabelSelector(selector: JsonObject, field: string): FieldError[] {
  const errors = validateLabels(getObject(selector, "matchLabels"), child(field, "matchLabels"));
  objects(selector, "matchExpressions").forEach((expression, index) => {
    const at = item(child(field, "matchExpressions"), index);
    const operator = getString(expression, "operator");
    const values = getArray(expression, "values").map(String);
    const list = child(at, "values");
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0) {
        errors.push(required(list, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length > 0) {
        const text = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
        errors.push(forbiddenField(list, text));
      }
    } else {
      errors.push(
        invalidValue(child(at, "operator"), operator, "not a valid selector operator"),
      );
    }
    const key = getString(expression, "key");
    errors.push(...qualifiedName(key).map((text) => invalidValue(child(at, "key"), key, text)));
    values.forEach((value, position) => {
      const where = item(list, position);
      errors.push(...labelValue(value).map((text) => invalidValue(where, value, text)));
    });
  });
  return errors;
}
