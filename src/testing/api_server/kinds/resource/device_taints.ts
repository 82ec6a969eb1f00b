import {
  child,
  type FieldError,
  getString,
  invalidValue,
  type JsonObject,
  labelValue,
  notSupported,
  qualifiedName,
  required,
} from "../../../values/mod.ts";

/** The effects of taints of devices. */
export const TAINT_EFFECTS: readonly string[] = ["NoExecute", "NoSchedule", "None"];

/**
 * Returns the errors of a taint of devices.
 *
 * @param before The effect before an update, which a taint may keep.
 */
export function taintErrors(taint: JsonObject, field: string, before?: string): FieldError[] {
  const [key, value, effect] = ["key", "value", "effect"].map((name) => getString(taint, name)) as [
    string,
    string,
    string,
  ];
  return [
    ...qualifiedName(key).map((text) => invalidValue(child(field, "key"), key, text)),
    ...labelValue(value).map((text) => invalidValue(child(field, "value"), value, text)),
    ...(effect === before ? [] : effectErrors(effect, child(field, "effect"))),
  ];
}

function effectErrors(effect: string, field: string): FieldError[] {
  if (TAINT_EFFECTS.includes(effect)) return [];
  return [effect === "" ? required(field) : notSupported(field, effect, TAINT_EFFECTS)];
}
