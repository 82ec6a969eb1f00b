import {
  child,
  duplicate,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  item,
  type JsonObject,
  notSupported,
  pathSegmentName,
} from "../../../values/mod.ts";
import { fillPointer, objects, validateLabelSelector } from "../shared/mod.ts";
import { validateRule } from "./admission_rules.ts";

/** Sets the defaults of the resources that an admission policy or its binding matches. */
export function defaultMatchResources(match: JsonObject): void {
  fillPointer(match, "matchPolicy", "Equivalent");
  for (const selector of ["namespaceSelector", "objectSelector"]) {
    if (getOwn(match, selector) === undefined) match[selector] = {};
  }
  for (
    const rule of [...objects(match, "resourceRules"), ...objects(match, "excludeResourceRules")]
  ) {
    fillPointer(rule, "scope", "*");
  }
}

const POLICIES = ["Equivalent", "Exact"];

/** Returns the errors of the resources that an admission policy or its binding matches. */
export function validateMatchResources(match: JsonObject, field: string): FieldError[] {
  const policy = getString(match, "matchPolicy");
  const errors = POLICIES.includes(policy)
    ? []
    : [notSupported(child(field, "matchPolicy"), policy, POLICIES)];
  for (const name of ["namespaceSelector", "objectSelector"]) {
    errors.push(...validateLabelSelector(getObject(match, name), child(field, name)));
  }
  for (const name of ["resourceRules", "excludeResourceRules"]) {
    objects(match, name).forEach((rule, index) => {
      const at = item(child(field, name), index);
      errors.push(...validateNames(rule, child(at, "resourceNames")), ...validateRule(rule, at));
    });
  }
  return errors;
}

function validateNames(rule: JsonObject, field: string): FieldError[] {
  const known = new Set<string>();
  return getArray(rule, "resourceNames").map(String).flatMap((name, index) => {
    const at = item(field, index);
    const errors = pathSegmentName(name).map((text) => invalidValue(at, name, text));
    if (known.has(name)) errors.push(duplicate(at, name));
    known.add(name);
    return errors;
  });
}
