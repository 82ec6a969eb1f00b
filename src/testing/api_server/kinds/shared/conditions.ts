import {
  byteLength,
  child,
  duplicate,
  type FieldError,
  getInteger,
  getOwn,
  getString,
  invalidValue,
  item,
  type JsonObject,
  notSupported,
  qualifiedName,
  required,
  tooLong,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { objects } from "./objects.ts";

const STATUSES = ["False", "True", "Unknown"];
const MAX_LENGTHS = [["reason", 1024], ["message", 32 * 1024]] as const;
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/** Returns the errors of the conditions in a status, which must have the fields of meta/v1. */
export function validateConditions(object: JsonObject, release: Release): FieldError[] {
  const seen = new Set<string>();
  return objects(object, "status", "conditions").flatMap((condition, index) => {
    const field = item("status.conditions", index);
    const type = getString(condition, "type");
    const at = release.has({ since: "1.37" }) ? field : child(field, "type");
    const errors = seen.has(type) ? [duplicate(at, type)] : [];
    seen.add(type);
    return [...errors, ...validateCondition(condition, field, release)];
  });
}

/** Returns the errors of one condition. */
export function validateCondition(
  condition: JsonObject,
  field: string,
  release: Release,
): FieldError[] {
  const requiresTexts = release.has({ since: "1.37" });
  const [type, status, reason] = ["type", "status", "reason"].map((name) =>
    getString(condition, name)
  ) as [string, string, string];
  const errors = requiresTexts && type === ""
    ? [required(child(field, "type"), "is required")]
    : qualifiedName(type).map((text) => invalidValue(child(field, "type"), type, text));
  if (!STATUSES.includes(status)) {
    const at = child(field, "status");
    errors.push(
      requiresTexts && status === "" ? required(at) : notSupported(at, status, STATUSES),
    );
  }
  const generation = getInteger(condition, "observedGeneration");
  if (generation < 0) {
    const text = "must be greater than or equal to zero";
    errors.push(invalidValue(child(field, "observedGeneration"), generation, text));
  }
  if (!getOwn(condition, "lastTransitionTime")) {
    errors.push(required(child(field, "lastTransitionTime")));
  }
  const at = child(field, "reason");
  if (reason === "") errors.push(required(at));
  else if (!REASON.test(reason)) {
    errors.push(
      invalidValue(
        at,
        reason,
        "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
      ),
    );
  }
  for (const [name, max] of MAX_LENGTHS) {
    if (byteLength(getString(condition, name)) > max) errors.push(tooLong(child(field, name), max));
  }
  return errors;
}
