import {
  child,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalid,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  required,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { labelRequirementErrors, objects, operandErrors } from "../shared/mod.ts";
import type { Review, ReviewedAccess, ReviewedUser, ReviewView } from "../record/mod.ts";

/** How access reviews differ. */
interface Options {
  /** Whether the review names the user, rather than asking for the caller. */
  readonly namesUser: boolean;
  /** Whether the review is in a namespace, and about access in it. */
  readonly isLocal: boolean;
}

/** Returns the answer to an access review: whether a user may do something. */
export function accessReview(options: Options): Review {
  return {
    hasOwners: true,
    answer: (review, view) => ({ ...review, status: statusOf(review, view, options) }),
  };
}

function statusOf(review: JsonObject, view: ReviewView, { namesUser, isLocal }: Options) {
  const spec = getObject(review, "spec");
  const errors = [
    ...specErrors(spec, namesUser, view.release),
    ...metadataErrors(review, isLocal),
    ...(isLocal ? localErrors(review, spec) : []),
  ];
  if (errors.length > 0) throw invalid({ group: "authorization.k8s.io", kind: "" }, "", errors);
  const { allowed, reason } = view.decide(namesUser ? userOf(spec) : view.user, accessOf(spec));
  const ignored = ignoredSelectors(getObject(spec, "resourceAttributes"), view);
  return {
    allowed,
    ...(reason === "" ? {} : { reason }),
    ...(ignored === "" ? {} : { evaluationError: ignored }),
  };
}

/** Returns an error about the selectors of a review that cannot be read; empty if there are none. */
function ignoredSelectors(resource: JsonObject, { isSelector }: ReviewView): string {
  return (["fieldSelector", "labelSelector"] as const).flatMap((name) => {
    const selector = getObject(resource, name);
    const raw = getString(selector, "rawSelector");
    const requirements = objects(selector, "requirements");
    const wrong = requirements.filter((one) => !isRead(one, name));
    const partially = wrong.length < requirements.length ? "partially " : "";
    if (wrong.length === 0 && (raw === "" || isSelector[name](raw))) return [];
    return [`spec.resourceAttributes.${name} ${partially}ignored due to parse error`];
  }).join("; ");
}

/** Reports whether the server understands a requirement. A requirement of a field has one value. */
function isRead(requirement: JsonObject, name: "fieldSelector" | "labelSelector"): boolean {
  const operator = getString(requirement, "operator");
  const isList = operator === "In" || operator === "NotIn";
  if (name === "fieldSelector") return isList && getArray(requirement, "values").length === 1;
  return isList || operator === "Exists" || operator === "DoesNotExist";
}

function userOf(spec: JsonObject): ReviewedUser {
  const groups = getArray(spec, "groups").map(String);
  return { username: getString(spec, "user"), groups };
}

function accessOf(spec: JsonObject): ReviewedAccess {
  const none = { group: "", resource: "", subresource: "", namespace: "", name: "", verb: "" };
  const path = spec["nonResourceAttributes"];
  if (isObject(path)) {
    return { ...none, verb: getString(path, "verb"), path: getString(path, "path") };
  }
  return { ...none, ...getObject(spec, "resourceAttributes") };
}

/** Returns the errors of a spec that does not name exactly one access and a user. */
function specErrors(spec: JsonObject, namesUser: boolean, release: Release): FieldError[] {
  const errors: FieldError[] = [];
  const isUnion = release.has({ since: "1.37" });
  const one = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  const [resource, path] = [spec["resourceAttributes"], spec["nonResourceAttributes"]];
  if (resource === undefined && path === undefined) {
    errors.push(invalidValue(isUnion ? "spec" : "spec.resourceAttributes", null, one));
  }
  if (resource !== undefined && isObject(path)) {
    const both = "cannot be specified in combination with resourceAttributes";
    errors.push(
      isUnion
        ? invalidValue("spec", path, one)
        : invalidValue("spec.nonResourceAttributes", path, both),
    );
  }
  if (isObject(resource)) errors.push(...selectorErrors(resource));
  const user = getString(spec, "user");
  if (namesUser && user === "" && getArray(spec, "groups").length === 0) {
    errors.push(invalidValue("spec.user", user, "at least one of user or group must be specified"));
  }
  return errors;
}

/** Returns the errors of selectors that are given both as text and as requirements, or as neither. */
function selectorErrors(resource: JsonObject): FieldError[] {
  return ["fieldSelector", "labelSelector"].flatMap((name) => {
    const selector = getOwn(resource, name);
    if (!isObject(selector)) return [];
    const field = `spec.resourceAttributes.${name}`;
    const raw = getString(selector, "rawSelector");
    const requirements = getArray(selector, "requirements").length > 0;
    if (raw !== "" && requirements) {
      const reason = "may not specified at the same time as requirements";
      return [invalidValue(`${field}.rawSelector`, raw, reason)];
    }
    if (requirements) return requirementErrors(selector, name, `${field}.requirements`);
    const reason = `when ${field} is specified, requirements or rawSelector is required`;
    return raw === "" && !requirements ? [required(`${field}.requirements`, reason)] : [];
  });
}

/** Returns the errors of the requirements of a selector. */
function requirementErrors(selector: JsonObject, name: string, field: string): FieldError[] {
  return objects(selector, "requirements").flatMap((requirement, index) => {
    const at = item(field, index);
    const operator = getString(requirement, "operator");
    const values = getArray(requirement, "values").map(String);
    const key = getString(requirement, "key");
    const errors = key === "" && name === "fieldSelector"
      ? [required(child(at, "key"), "must be specified")]
      : [];
    // An unknown operator may be one of a later version.
    errors.push(...operandErrors(operator, values, at));
    if (name === "labelSelector") errors.push(...labelRequirementErrors(key, values, at));
    return errors;
  });
}

/** A review is not stored, so it needs no metadata. */
function metadataErrors(review: JsonObject, isLocal: boolean): FieldError[] {
  const metadata = getObject(review, "metadata");
  const { managedFields: _, namespace: __, ...rest } = metadata;
  if (Object.keys(rest).length === 0) return [];
  const text = isLocal ? "must be empty except for namespace" : "must be empty";
  // A review of the whole cluster loses its namespace before the server looks at it.
  const shown = { ...metadata };
  if (!isLocal) delete shown["namespace"];
  return [invalidValue("metadata", shown, text)];
}

function localErrors(review: JsonObject, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const namespace = getString(spec, "resourceAttributes", "namespace");
  if (
    spec["resourceAttributes"] !== undefined &&
    namespace !== getString(review, "metadata", "namespace")
  ) {
    const text = "must match metadata.namespace";
    errors.push(invalidValue("spec.resourceAttributes.namespace", namespace, text));
  }
  const path = spec["nonResourceAttributes"];
  if (isObject(path)) {
    const text = "disallowed on this kind of request";
    errors.push(invalidValue("spec.nonResourceAttributes", path, text));
  }
  return errors;
}
