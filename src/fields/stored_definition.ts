import { isRecord, jsonEqual, own } from "../base/mod.ts";

/** Fields of a JSON schema that the server does not store if they are empty. */
const DROPPED: ReadonlySet<string> = new Set(
  ("$schema additionalPrinterColumns allOf anyOf definitions dependencies deprecated description enum " +
    "exclusiveMaximum exclusiveMinimum fieldPath format id message messageExpression nullable oneOf pattern " +
    "patternProperties priority properties required selectableFields title type uniqueItems " +
    "x-kubernetes-embedded-resource x-kubernetes-int-or-string x-kubernetes-list-map-keys " +
    "x-kubernetes-validations").split(" "),
);

/** Fields of a version that the server stores with their zero values. */
const FILLED: ReadonlySet<string> = new Set(["served", "storage"]);

/** Fields with any JSON value, which the server stores unchanged. */
const RAW: ReadonlySet<string> = new Set(["default", "enum", "example"]);

/** Fields that map names to schemas. */
const BY_NAME: ReadonlySet<string> = new Set([
  "definitions",
  "dependencies",
  "patternProperties",
  "properties",
]);

/**
 * Reports whether the server stores the desired versions of a CustomResourceDefinition as `live`: without empty fields, except
 * in defaults, enums and examples.
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
