import {
  child,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getArray,
  getString,
  invalidValue,
  item,
  type JsonObject,
  labelValue,
  qualifiedName,
  required,
} from "../../../values/mod.ts";
import { objects } from "./objects.ts";

const OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];

/** Returns the errors of a selector of nodes. */
export function validateNodeSelector(selector: JsonObject, field: string): FieldError[] {
  const list = child(field, "nodeSelectorTerms");
  const terms = objects(selector, "nodeSelectorTerms");
  if (terms.length === 0) return [required(list, "must have at least one node selector term")];
  return terms.flatMap((term, index) => validateNodeSelectorTerm(term, item(list, index)));
}

/**
 * Returns the errors of a term of a selector of nodes.
 *
 * @param options `anyValue`: whether values that no label can have are accepted.
 */
export function validateNodeSelectorTerm(
  term: JsonObject,
  field: string,
  { anyValue = false }: { readonly anyValue?: boolean } = {},
): FieldError[] {
  return [
    ...objects(term, "matchExpressions").flatMap((one, index) =>
      validateRequirement(one, item(child(field, "matchExpressions"), index), anyValue)
    ),
    ...objects(term, "matchFields").flatMap((one, index) =>
      validateFieldRequirement(one, item(child(field, "matchFields"), index))
    ),
  ];
}

function validateRequirement(one: JsonObject, field: string, anyValue: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const operator = getString(one, "operator");
  const values = getArray(one, "values").map(String);
  const at = child(field, "values");
  if (!OPERATORS.includes(operator)) {
    errors.push(invalidValue(child(field, "operator"), operator, "not a valid selector operator"));
  } else if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      errors.push(required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      const reason = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbiddenField(at, reason));
    }
  } else if (values.length !== 1) {
    errors.push(required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
  }
  const key = getString(one, "key");
  errors.push(...qualifiedName(key).map((text) => invalidValue(child(field, "key"), key, text)));
  if (anyValue) return errors;
  values.forEach((value, index) => {
    errors.push(...labelValue(value).map((text) => invalidValue(item(at, index), value, text)));
  });
  return errors;
}

function validateFieldRequirement(one: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const operator = getString(one, "operator");
  const values = getArray(one, "values").map(String);
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(invalidValue(child(field, "operator"), operator, "not a valid selector operator"));
  } else if (values.length !== 1) {
    const reason =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(child(field, "values"), reason));
  }
  const key = getString(one, "key");
  if (key !== "metadata.name") {
    const reason = "not a valid field selector key";
    return [...errors, invalidValue(child(field, "key"), key, reason)];
  }
  values.forEach((value, index) => {
    const at = item(child(field, "values"), index);
    errors.push(...dnsSubdomain(value).map((text) => invalidValue(at, value, text)));
  });
  return errors;
}
