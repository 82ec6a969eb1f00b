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

/** The operators of requirements that need values. */
const WITH_VALUES: readonly string[] = ["In", "NotIn"];
/** The operators of requirements that take no values. */
const WITHOUT_VALUES: readonly string[] = ["Exists", "DoesNotExist"];

/** Returns the validation errors of a label selector. */
export function validateLabelSelector(selector: JsonObject, field: string): FieldError[] {
  const errors = validateLabels(getObject(selector, "matchLabels"), child(field, "matchLabels"));
  objects(selector, "matchExpressions").forEach((expression, index) => {
    const at = item(child(field, "matchExpressions"), index);
    const operator = getString(expression, "operator");
    const values = getArray(expression, "values").map(String);
    errors.push(...operandErrors(operator, values, at));
    if (!WITH_VALUES.includes(operator) && !WITHOUT_VALUES.includes(operator)) {
      errors.push(
        invalidValue(child(at, "operator"), operator, "not a valid selector operator"),
      );
    }
    errors.push(...labelRequirementErrors(getString(expression, "key"), values, at));
  });
  return errors;
}

/** Returns the error of a requirement with too many values, or too few, for its operator; none if that is unknown. */
export function operandErrors(
  operator: string,
  values: readonly string[],
  field: string,
): FieldError[] {
  const list = child(field, "values");
  if (WITH_VALUES.includes(operator) && values.length === 0) {
    return [required(list, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (WITHOUT_VALUES.includes(operator) && values.length > 0) {
    const reason = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return [forbiddenField(list, reason)];
  }
  return [];
}

/** Returns the errors of a requirement whose key or values are not valid for a label. */
export function labelRequirementErrors(
  key: string,
  values: readonly string[],
  field: string,
): FieldError[] {
  return [
    ...qualifiedName(key).map((text) => invalidValue(child(field, "key"), key, text)),
    ...values.flatMap((value, index) => {
      const at = item(child(field, "values"), index);
      return labelValue(value).map((text) => invalidValue(at, value, text));
    }),
  ];
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
