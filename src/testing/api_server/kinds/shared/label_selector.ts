import type { LabelSelector } from "@kubeloop/controller/types";
import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  item,
  type JsonObject,
  labelValue,
  qualifiedName,
  required,
} from "../../../values/mod.ts";
import { objects } from "./objects.ts";
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

/** Reports whether a label selector selects by nothing, so that it matches everything. */
export function isEmptySelector(selector: JsonObject): boolean {
  return Object.keys(getObject(selector, "matchLabels")).length === 0 &&
    objects(selector, "matchExpressions").length === 0;
}

/** Reports whether labels match a label selector. An empty selector matches everything. */
export function matchesSelector(
  selector: LabelSelector | JsonObject,
  labels: Readonly<Record<string, string>> | JsonObject = {},
): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector as LabelSelector;
  const value = (key: string) => getOwn(labels, key) as string | undefined;
  return Object.entries(matchLabels).every(([key, wanted]) => value(key) === wanted) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const found = value(key);
      switch (operator) {
        case "In":
          return found !== undefined && values.includes(found);
        case "NotIn":
          return found === undefined || !values.includes(found);
        case "Exists":
          return found !== undefined;
        default:
          return found === undefined;
      }
    });
}
