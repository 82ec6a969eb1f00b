import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  isObject,
  item,
  type JsonObject,
  notSupported,
  required,
} from "../../values/mod.ts";
import { validateLabelSelector } from "../validation/workloads.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Returns the errors of the spec of a PersistentVolumeClaim, also in a template. */
export function validateClaimSpec(spec: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const modes = getArray(spec, "accessModes").map(String);
  const at = child(field, "accessModes");
  if (modes.length === 0) errors.push(required(at, "at least 1 access mode is required"));
  const selector = getOwn(spec, "selector");
  if (isObject(selector)) errors.push(...validateLabelSelector(selector, child(field, "selector")));
  for (const mode of modes) {
    if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(at, mode, ACCESS_MODES));
  }
  if (modes.includes("ReadWriteOncePod") && modes.length > 1) {
    const text = "may not use ReadWriteOncePod with other access modes";
    errors.push(forbiddenField(at, text));
  }
  const storage = item(child(field, "resources"), "storage");
  if (getOwn(getObject(spec, "resources", "requests"), "storage") === undefined) {
    errors.push(required(storage));
  }
  return errors;
}
