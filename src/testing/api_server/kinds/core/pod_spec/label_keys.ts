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

/** The fields with keys of labels whose values the Pod itself gives. */
const LISTS = ["matchLabelKeys", "mismatchLabelKeys"];

/** Returns the errors of the keys of labels that are added to the selector of a term or a constraint. */
export function validateLabelKeys(owner: JsonObject, field: string): FieldError[] {
  const selector = getOwn(owner, "labelSelector");
  const lists = LISTS.map((list) => getArray(owner, list).map(String));
  const [matching = [], others = []] = lists;
  const errors = lists.flatMap((keys, list) => {
    const at = child(field, LISTS[list]!);
    if (keys.length === 0) return [];
    if (!isObject(selector)) {
      return [forbiddenField(at, "must not be specified when labelSelector is not set")];
    }
    return keys.flatMap((key, index) =>
      qualifiedName(key).map((text) => invalidValue(item(at, index), key, text))
    );
  });
  // Requirements for the keys follow the requirements of the user.
  const seen = new Set(Object.keys(getObject(selector, "matchLabels")));
  const places = new Map(matching.map((key, index) => [key, index]));
  for (const requirement of objects(selector, "matchExpressions")) {
    const key = getString(requirement, "key");
    const place = places.get(key);
    if (place !== undefined && seen.has(key)) {
      const at = item(field, place);
      errors.push(invalidValue(at, key, "exists in both matchLabelKeys and labelSelector"));
    }
    seen.add(key);
  }
  const excluded = new Set(others);
  matching.forEach((key, index) => {
    if (!excluded.has(key)) return;
    const at = item(child(field, "matchLabelKeys"), index);
    errors.push(invalidValue(at, key, "exists in both matchLabelKeys and mismatchLabelKeys"));
  });
  return errors;
}
