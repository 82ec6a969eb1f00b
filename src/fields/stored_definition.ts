import { isRecord, jsonEqual, own } from "../base/mod.ts";

/** The fields of a JSON schema that are not stored if they are empty. */
const DROPPED: ReadonlySet<string> = new Set(
  ("$schema additionalPrinterColumns allOf anyOf definitions dependencies deprecated description enum " +
    "exclusiveMaximum exclusiveMinimum fieldPath format id message messageExpression nullable oneOf pattern " +
    "patternProperties priority properties required selectableFields title type uniqueItems " +
    "x-kubernetes-embedded-resource x-kubernetes-int-or-string x-kubernetes-list-map-keys " +
    "x-kubernetes-validations").split(" "),
);

/** The fields of a version that are stored with their zero values. */
const FILLED: ReadonlySet<string> = new Set(["served", "storage"]);

/** The fields whose values are any JSON, which is stored as it is. */
const RAW: ReadonlySet<string> = new Set(["default", "enum", "example"]);

/** The fields whose values are schemas by names of any kind. */
const BY_NAME: ReadonlySet<string> = new Set([
  "definitions",
  "dependencies",
  "patternProperties",
  "properties",
]);

/**
 * Reports whether the server stores the versions of a CustomResourceDefinition as `live`: without empty fields, but with what
 * is empty in a default.
 */
export function isStoredVersions(desired: unknown, live: unknown): boolean {
  if (Array.isArray(desired)) {
    return Array.isArray(live) && desired.length === live.length &&
      desired.every((item, i) => isStoredVersions(item, live[i]));
  }
  if (!isRecord(desired)) return desired === live;
  if (!isRecord(live)) return false;
  return Object.keys(desired).every((key) => {
    const [value, stored] = [desired[key], own(live, key)];
    if (stored === undefined) return DROPPED.has(key) && isEmpty(value);
    if (RAW.has(key)) return jsonEqual(value, stored);
    return BY_NAME.has(key) ? isSameByName(value, stored) : isStoredVersions(value, stored);
  }) && Object.keys(live).every((key) =>
    Object.hasOwn(desired, key) || (FILLED.has(key) && live[key] === false)
  );
}

function isSameByName(desired: unknown, live: unknown): boolean {
  if (!isRecord(desired) || !isRecord(live)) return false;
  const names = Object.keys(desired);
  return names.length === Object.keys(live).length &&
    names.every((name) => Object.hasOwn(live, name) && isStoredVersions(desired[name], live[name]));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === "" || value === 0 || value === false ||
    (isRecord(value) && Object.keys(value).length === 0);
}
