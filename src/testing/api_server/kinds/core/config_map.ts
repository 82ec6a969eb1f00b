import {
  byteLength,
  type FieldError,
  getObject,
  getString,
  invalidValue,
  item,
  type JsonObject,
  tooLong,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord, objectCount } from "../record/mod.ts";
import {
  AGE,
  base64Bytes,
  column,
  keyErrors,
  MAX_DATA_BYTES,
  NAME,
  named,
  validateImmutableData,
} from "../shared/mod.ts";

/** ConfigMaps. */
export const CONFIG_MAP: KindRecord = defineKind("v1", "configmaps", "ConfigMap", {
  shortNames: ["cm"],
  names: "subdomain",
  quota: objectCount("configmaps", "configmaps"),
  validate: validateConfigMap,
  validateChange: (next, old) => validateImmutableData(next, old, ["data", "binaryData"]),
  table: {
    columns: [
      NAME,
      column(
        "Data",
        "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.",
      ),
      AGE,
    ],
    row: named((map) => [
      Object.keys(getObject(map, "data")).length + Object.keys(getObject(map, "binaryData")).length,
    ]),
  },
});

/** Returns the validation errors of a ConfigMap apart from its metadata. */
function validateConfigMap(map: JsonObject): FieldError[] {
  const data = getObject(map, "data");
  const binary = getObject(map, "binaryData");
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of Object.keys(data)) {
    errors.push(...keyErrors(key, "data"));
    if (Object.hasOwn(binary, key)) {
      errors.push(
        invalidValue(item("data", key), key, "duplicate of key present in binaryData"),
      );
    }
    size += byteLength(getString(data, key));
  }
  for (const key of Object.keys(binary)) {
    errors.push(...keyErrors(key, "binaryData"));
    size += base64Bytes(getString(binary, key));
  }
  if (size > MAX_DATA_BYTES) errors.push(tooLong("[]", MAX_DATA_BYTES));
  return errors;
}
