import {
  child,
  compareQuantities,
  dnsLabel,
  dnsSubdomain,
  duplicate,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  notSupported,
  required,
} from "../../../../values/mod.ts";
import { containerTotals } from "./pod_totals.ts";
import { objects, resourceNameErrors } from "../../shared/mod.ts";
import { canonical, validateResources } from "./resources.ts";

/** Returns the errors of the resources of a Pod as a whole. */
export function validatePodResources(
  spec: JsonObject,
  field: string,
  claims: ReadonlySet<string>,
): FieldError[] {
  const resources = getOwn(spec, "resources");
  if (!isObject(resources)) return [];
  const at = child(field, "resources");
  if (getString(spec, "os", "name") === "windows") {
    return [forbiddenField(at, "may not be set for a windows pod")];
  }
  const errors: FieldError[] = [];
  if (objects(resources, "claims").length > 0) {
    const text = "claims may not be set for Resources at pod-level";
    errors.push(forbiddenField(child(at, "claims"), text));
  }
  errors.push(...validateResources(resources, at, podNameErrors, claims));
  return [...errors, ...validateShares(spec, at)];
}

/** The resources that a Pod can have as a whole. */
export function isPodResource(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}

function podNameErrors(name: string, field: string): FieldError[] {
  const errors = resourceNameErrors(name, field);
  if (errors.length > 0 || isPodResource(name)) return errors;
  return [notSupported(field, name, ["cpu", "hugepages-", "memory"])];
}

/** Returns the errors of containers whose requests or limits exceed the resources of the Pod. */
function validateShares(spec: JsonObject, field: string): FieldError[] {
  const requests = getObject(spec, "resources", "requests");
  const limits = getObject(spec, "resources", "limits");
  const errors: FieldError[] = [];
  for (const [list, whole] of [["requests", requests], ["limits", limits]] as const) {
    const totals = containerTotals(spec, list);
    for (const name of Object.keys(totals)) {
      if (list === "limits" && !name.startsWith("hugepages-")) continue;
      const own = getString(whole, name);
      if (own === "" || compareQuantities(totals[name]!, own)! <= 0) continue;
      const text =
        `must be greater than or equal to aggregate container ${list} of ${totals[name]!}`;
      errors.push(invalidValue(item(child(field, list), name), canonical(own), text));
    }
  }
  objects(spec, "containers").forEach((container, index) => {
    const own = getObject(container, "resources", "limits");
    for (const name of Object.keys(own)) {
      const amount = getString(own, name);
      const whole = getString(limits, name);
      if (whole === "" || compareQuantities(amount, whole)! <= 0) continue;
      const at = child(item(item(child(field, "containers"), index), name), "limits");
      const text = `must be less than or equal to pod limits of ${canonical(whole)}`;
      errors.push(invalidValue(at, canonical(amount), text));
    }
  });
  return errors;
}

/** Returns the errors of the claims of a Pod for devices. */
export function validatePodClaims(spec: JsonObject, field: string): FieldError[] {
  const seen = new Set<string>();
  return objects(spec, "resourceClaims").flatMap((claim, index) => {
    const at = item(child(field, "resourceClaims"), index);
    const name = getString(claim, "name");
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(child(at, "name")));
    else if (seen.has(name)) errors.push(duplicate(child(at, "name"), name));
    else {
      errors.push(...dnsLabel(name).map((text) => invalidValue(child(at, "name"), name, text)));
      seen.add(name);
    }
    const sources = ["resourceClaimName", "resourceClaimTemplateName"];
    const given = sources.filter((source) => typeof getOwn(claim, source) === "string");
    if (given.length !== 1) {
      const text = given.length === 0
        ? "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
        : "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
      errors.push(invalidValue(at, claim, text));
    }
    for (const source of given) {
      const value = getString(claim, source);
      const where = child(at, source);
      errors.push(...dnsSubdomain(value).map((text) => invalidValue(where, value, text)));
    }
    return errors;
  });
}
