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
  type JsonObject,
  qualifiedName,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";

/**
 * Returns the errors of `matchLabelKeys` and `mismatchLabelKeys` of an affinity term or a spread constraint. The
 * selector has the expressions that stand for the keys already, if the Pod has such labels.
 */
export function validateLabelKeys(term: JsonObject, field: string): FieldError[] {
  const selector = getOwn(term, "labelSelector");
  const match = getArray(term, "matchLabelKeys").map(String);
  const mismatch = getArray(term, "mismatchLabelKeys").map(String);
  const errors = [
    ...validateKeys(match, isObject(selector), child(field, "matchLabelKeys")),
    ...validateKeys(mismatch, isObject(selector), child(field, "mismatchLabelKeys")),
  ];
  if (isObject(selector)) {
    const known = new Set(Object.keys(getObject(selector, "matchLabels")));
    for (const expression of objects(selector, "matchExpressions")) {
      const key = getString(expression, "key");
      const index = match.lastIndexOf(key);
      if (index >= 0 && known.has(key)) {
        const text = "exists in both matchLabelKeys and labelSelector";
        errors.push(invalidValue(item(field, index), key, text));
      }
      known.add(key);
    }
  }
  match.forEach((key, index) => {
    if (!mismatch.includes(key)) return;
    const at = item(child(field, "matchLabelKeys"), index);
    errors.push(invalidValue(at, key, "exists in both matchLabelKeys and mismatchLabelKeys"));
  });
  return errors;
}

function validateKeys(keys: readonly string[], selects: boolean, field: string): FieldError[] {
  if (keys.length === 0) return [];
  if (!selects) {
    return [forbiddenField(field, "must not be specified when labelSelector is not set")];
  }
  return keys.flatMap((key, index) =>
    qualifiedName(key).map((text) => invalidValue(item(field, index), key, text))
  );
}
