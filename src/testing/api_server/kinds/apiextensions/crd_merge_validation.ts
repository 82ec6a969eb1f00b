import {
  child,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";

const LIST_TYPES = ["atomic", "set", "map"];
/** How many characters the errors of one list may show of its keys, together. */
const MAX_SHOWN = 4_000_000;
const MAP_TYPES = ["atomic", "granular"];

/** Returns the errors of the keywords by which server-side apply merges objects and lists. */
export function mergeErrors(raw: JsonObject, field: string): FieldError[] {
  return [...mapTypeErrors(raw, field), ...validateLists(raw, getString(raw, "type"), field)];
}

/** Returns the errors of how the fields of an object are merged. */
function mapTypeErrors(raw: JsonObject, field: string): FieldError[] {
  const mapType = getString(raw, "x-kubernetes-map-type");
  if (mapType === "") return [];
  const type = getString(raw, "type");
  const errors: FieldError[] = [];
  if (type !== "object") {
    errors.push(wrongType(type, "must be object if x-kubernetes-map-type is specified", field));
  }
  if (!MAP_TYPES.includes(mapType)) {
    errors.push(notSupported(child(field, "x-kubernetes-map-type"), mapType, MAP_TYPES));
  }
  return errors;
}

/** Returns the error for a type that another keyword does not allow. */
export function wrongType(type: string, reason: string, field: string): FieldError {
  const where = child(field, "type");
  return type === "" ? required(where, reason) : invalidValue(where, type, reason);
}

function validateLists(raw: JsonObject, type: string, field: string): FieldError[] {
  const listType = getString(raw, "x-kubernetes-list-type");
  const keys = getArray(raw, "x-kubernetes-list-map-keys").map(String);
  const errors: FieldError[] = [];
  if (listType !== "" && type !== "array") {
    errors.push(wrongType(type, "must be array if x-kubernetes-list-type is specified", field));
  }
  if (listType !== "" && !LIST_TYPES.includes(listType)) {
    errors.push(notSupported(child(field, "x-kubernetes-list-type"), listType, LIST_TYPES));
  }
  if (keys.length > 0 && listType !== "map") {
    const reason = "must be map if x-kubernetes-list-map-keys is non-empty";
    const where = child(field, "x-kubernetes-list-type");
    errors.push(listType === "" ? required(where, reason) : invalidValue(where, listType, reason));
  }
  const items = getObject(raw, "items");
  if (listType === "map") errors.push(...mapItemErrors(raw, keys, field));
  if (listType === "set") errors.push(...validateSetItems(items, child(field, "items")));
  return errors;
}

/** Returns the errors of the items of a map-like list and of the keys that identify them. */
function mapItemErrors(raw: JsonObject, keys: readonly string[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const where = child(field, "x-kubernetes-list-map-keys");
  if (keys.length === 0) {
    errors.push(required(where, "must not be empty if x-kubernetes-list-type is map"));
  }
  const items = getOwn(raw, "items");
  if (!isObject(items)) {
    const reason = "must have a schema if x-kubernetes-list-type is map";
    return [...errors, required(child(field, "items"), reason)];
  }
  const type = getString(items, "type");
  if (type !== "object") {
    const reason = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalidValue(child(child(field, "items"), "type"), type, reason)];
  }
  errors.push(...mapKeyErrors(items, keys, field));
  return errors;
}

/** Returns the errors of the keys of a map-like list. Most of them show all keys, so there are only as many as fit. */
function mapKeyErrors(items: JsonObject, keys: readonly string[], field: string): FieldError[] {
  const where = child(field, "x-kubernetes-list-map-keys");
  const shown = [...keys];
  const length = keys.reduce((sum, key) => sum + key.length, keys.length);
  const most = Math.max(1, Math.floor(MAX_SHOWN / length));
  const needed = new Set(getArray(items, "required"));
  const at = (key: string, name: string) =>
    child(item(child(child(field, "items"), "properties"), key), name);
  const errors: FieldError[] = [];
  const known = new Set<string>();
  for (const key of keys) {
    if (errors.length >= most) return errors;
    const property = getOwn(getObject(items, "properties"), key);
    if (!isObject(property)) {
      const reason = "entries must all be names of item properties";
      errors.push(invalidValue(where, shown, reason));
    } else if (["array", "object"].includes(getString(property, "type"))) {
      const reason = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalidValue(at(key, "type"), getString(items, "type"), reason));
    }
    if (known.has(key)) {
      errors.push(invalidValue(where, shown, "must not contain duplicate entries"));
    }
    known.add(key);
  }
  for (const key of keys) {
    const property = getOwn(getObject(items, "properties"), key);
    if (!isObject(property) || errors.length >= most) continue;
    if (!needed.has(key) && getOwn(property, "default") === undefined) {
      errors.push(
        required(
          at(key, "default"),
          "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
        ),
      );
    }
  }
  return errors;
}

/** Returns the errors of the items of a set, which are compared as a whole. */
function validateSetItems(items: JsonObject, field: string): FieldError[] {
  const keyword = { array: "x-kubernetes-list-type", object: "x-kubernetes-map-type" }[
    getString(items, "type")
  ];
  if (keyword === undefined) return [];
  const value = getOwn(items, keyword);
  if (value === "atomic" || (value === undefined && keyword === "x-kubernetes-list-type")) {
    return [];
  }
  const reason = "must be atomic as item of a list with x-kubernetes-list-type=set";
  return [invalidValue(child(field, keyword), value ?? null, reason)];
}
