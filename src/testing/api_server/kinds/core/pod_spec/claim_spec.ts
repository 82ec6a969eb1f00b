import {
  child,
  compareQuantities,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  getArray,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  required,
} from "../../../../values/mod.ts";
import { validateLabelSelector } from "../../shared/mod.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Returns the errors of access modes. */
export function validateAccessModes(
  modes: readonly string[],
  field: string,
  none = "",
): FieldError[] {
  const errors = modes.length === 0 ? [required(field, none)] : [];
  for (const mode of modes) {
    if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(field, mode, ACCESS_MODES));
  }
  if (modes.includes("ReadWriteOncePod") && modes.length > 1) {
    const reason = "may not use ReadWriteOncePod with other access modes";
    errors.push(forbiddenField(field, reason));
  }
  return errors;
}

/** Returns the errors of the spec of a PersistentVolumeClaim, also in a template. */
export function validateClaimSpec(spec: JsonObject, field: string): FieldError[] {
  const at = (name: string) => child(field, name);
  const modes = getArray(spec, "accessModes").map(String);
  const none = "at least 1 access mode is required";
  const errors = modes.length === 0 ? [required(at("accessModes"), none)] : [];
  const selector = getOwn(spec, "selector");
  if (isObject(selector)) errors.push(...validateLabelSelector(selector, at("selector")));
  if (modes.length > 0) errors.push(...validateAccessModes(modes, at("accessModes")));
  errors.push(...validateSize(spec, item(at("resources"), "storage")));
  for (const name of ["storageClassName", "volumeAttributesClassName"]) {
    const value = getString(spec, name);
    if (value === "") continue;
    const wrong = dnsSubdomain(value).map((text) => invalidValue(at(name), value, text));
    if (name === "storageClassName") errors.push(...wrong);
  }
  const mode = getOwn(spec, "volumeMode");
  const known = ["Block", "Filesystem"];
  if (typeof mode === "string" && !known.includes(mode)) {
    errors.push(notSupported(at("volumeMode"), mode, known));
  }
  errors.push(...validateSources(spec, field));
  const attributes = getString(spec, "volumeAttributesClassName");
  if (attributes === "") return errors;
  const where = at("volumeAttributesClassName");
  return [
    ...errors,
    ...dnsSubdomain(attributes).map((text) => invalidValue(where, attributes, text)),
  ];
}

function validateSize(spec: JsonObject, field: string): FieldError[] {
  const size = getString(spec, "resources", "requests", "storage");
  if (size === "") return [required(field)];
  if (compareQuantities(size, "0")! > 0) return [];
  return [invalidValue(field, size, "must be greater than zero")];
}

function validateSources(spec: JsonObject, field: string): FieldError[] {
  const errors = ["dataSource", "dataSourceRef"].flatMap((name) => {
    const source = getOwn(spec, name);
    if (!isObject(source)) return [];
    const at = child(field, name);
    const errors = ["name", "kind"].flatMap((part) =>
      getString(source, part) === "" ? [required(child(at, part))] : []
    );
    const group = getString(source, "apiGroup");
    const kind = getString(source, "kind");
    if (group === "" && kind !== "PersistentVolumeClaim") {
      const reason = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
      errors.push(invalidValue(at, kind, reason));
    }
    if (group === "") return errors;
    const where = child(at, "apiGroup");
    return [...errors, ...dnsSubdomain(group).map((text) => invalidValue(where, group, text))];
  });
  const [source, reference] = [getOwn(spec, "dataSource"), getOwn(spec, "dataSourceRef")];
  if (!isObject(source) || !isObject(reference)) return errors;
  const alike = ["apiGroup", "kind", "name"].every((name) =>
    getString(source, name) === getString(reference, name)
  );
  return alike ? errors : [...errors, invalidValue(field, {}, "must match dataSourceRef")];
}
