import {
  child,
  dnsSubdomain,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  item,
  jsonEqual,
  type JsonObject,
  notSupported,
  pathSegmentName,
  required,
} from "../../values/mod.ts";
import { objects } from "../defaults/pod_defaults.ts";
import { nonNegative } from "./object_meta.ts";
import { atMost100Percent, intOrPercent, validateLabelSelector } from "./workloads.ts";

/** Returns the validation errors of a Lease, except those of its metadata. */
export function validateLease(lease: JsonObject): FieldError[] {
  const spec = getObject(lease, "spec");
  const errors: FieldError[] = [];
  const seconds = getOwn(spec, "leaseDurationSeconds");
  if (typeof seconds === "number" && seconds <= 0) {
    errors.push(invalidValue("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
  }
  errors.push(...nonNegative(spec, "spec", "leaseTransitions"));
  return errors;
}

/** Returns the validation errors of a PodDisruptionBudget, except those of its metadata. */
export function validateDisruptionBudget(budget: JsonObject): FieldError[] {
  const spec = getObject(budget, "spec");
  const min = getOwn(spec, "minAvailable");
  const max = getOwn(spec, "maxUnavailable");
  const errors: FieldError[] = [];
  const selector = getOwn(spec, "selector");
  if (min !== undefined && max !== undefined) {
    const shown = {
      MinAvailable: min,
      Selector: selector ?? null,
      MaxUnavailable: max,
      UnhealthyPodEvictionPolicy: getOwn(spec, "unhealthyPodEvictionPolicy") ?? null,
    };
    errors.push(invalidValue("spec", shown, "minAvailable and maxUnavailable cannot be both set"));
  }
  for (const [name, value] of [["minAvailable", min], ["maxUnavailable", max]] as const) {
    const field = child("spec", name);
    errors.push(...intOrPercent(value, field), ...atMost100Percent(value, field));
  }
  if (isObject(selector)) errors.push(...validateLabelSelector(selector, "spec.selector"));
  const policy = getOwn(spec, "unhealthyPodEvictionPolicy");
  const policies = ["AlwaysAllow", "IfHealthyBudget"];
  if (typeof policy === "string" && !policies.includes(policy)) {
    errors.push(notSupported("spec.unhealthyPodEvictionPolicy", policy, policies));
  }
  return errors;
}

/** Returns the validation errors of a Role or ClusterRole, except those of its metadata. */
export function validateRole(role: JsonObject, namespaced: boolean): FieldError[] {
  const rules = objects(role, "rules").flatMap((rule, index) =>
    validateRule(rule, index, namespaced)
  );
  const aggregation = getOwn(role, "aggregationRule");
  if (!isObject(aggregation)) return rules;
  const field = "aggregationRule.clusterRoleSelectors";
  if (getArray(aggregation, "clusterRoleSelectors").length === 0) {
    const text = "at least one clusterRoleSelector required if aggregationRule is non-nil";
    return [...rules, required(field, text)];
  }
  const selectors = objects(aggregation, "clusterRoleSelectors").flatMap((selector, index) => {
    const errors = validateLabelSelector(selector, item(field, index));
    if (errors.length > 0) {
      errors.push(invalidValue(item(field, index), null, "invalid label selector."));
    }
    return errors;
  });
  return [...rules, ...selectors];
}

function validateRule(rule: JsonObject, index: number, namespaced: boolean): FieldError[] {
  const at = item("rules", index);
  const errors: FieldError[] = [];
  const empty = (name: string) => getArray(rule, name).length === 0;
  if (empty("verbs")) {
    errors.push(required(child(at, "verbs"), "verbs must contain at least one value"));
  }
  if (!empty("nonResourceURLs")) {
    const field = child(at, "nonResourceURLs");
    const urls = getArray(rule, "nonResourceURLs");
    if (namespaced) {
      const reason = "namespaced rules cannot apply to non-resource URLs";
      errors.push(invalidValue(field, urls, reason));
    }
    if (!empty("apiGroups") || !empty("resources") || !empty("resourceNames")) {
      const reason = "rules cannot apply to both regular resources and non-resource URLs";
      errors.push(invalidValue(field, urls, reason));
    }
    return errors;
  }
  if (empty("apiGroups")) {
    errors.push(
      required(child(at, "apiGroups"), "resource rules must supply at least one api group"),
    );
  }
  if (empty("resources")) {
    errors.push(
      required(child(at, "resources"), "resource rules must supply at least one resource"),
    );
  }
  return errors;
}

const RBAC = "rbac.authorization.k8s.io";

/** Returns the validation errors of a RoleBinding or ClusterRoleBinding, except those of its metadata. */
export function validateRoleBinding(binding: JsonObject, namespaced: boolean): FieldError[] {
  const reference = getObject(binding, "roleRef");
  const errors: FieldError[] = [];
  const group = getString(reference, "apiGroup");
  if (group !== RBAC) errors.push(notSupported("roleRef.apiGroup", group, [RBAC]));
  const kinds = namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  const kind = getString(reference, "kind");
  if (!kinds.includes(kind)) errors.push(notSupported("roleRef.kind", kind, kinds));
  const role = getString(reference, "name");
  if (role === "") errors.push(required("roleRef.name"));
  errors.push(...pathSegmentName(role).map((text) => invalidValue("roleRef.name", role, text)));
  objects(binding, "subjects").forEach((subject, index) => {
    errors.push(...validateSubject(subject, item("subjects", index), namespaced));
  });
  return errors;
}

function validateSubject(subject: JsonObject, field: string, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const name = getString(subject, "name");
  const group = getString(subject, "apiGroup");
  if (name === "") errors.push(required(child(field, "name")));
  switch (getString(subject, "kind")) {
    case "ServiceAccount":
      if (name !== "") {
        errors.push(
          ...dnsSubdomain(name).map((text) => invalidValue(child(field, "name"), name, text)),
        );
      }
      if (group !== "") errors.push(notSupported(child(field, "apiGroup"), group, [""]));
      if (!namespaced && getString(subject, "namespace") === "") {
        errors.push(required(child(field, "namespace")));
      }
      break;
    case "User":
    case "Group":
      if (group !== RBAC) errors.push(notSupported(child(field, "apiGroup"), group, [RBAC]));
      break;
    default:
      errors.push(
        notSupported(child(field, "kind"), getString(subject, "kind"), [
          "ServiceAccount",
          "User",
          "Group",
        ]),
      );
  }
  return errors;
}

/** Returns the validation errors of an update to a RoleBinding or ClusterRoleBinding: `roleRef` is immutable. */
export function validateRoleBindingUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const reference = getObject(next, "roleRef");
  if (jsonEqual(reference, getObject(old, "roleRef"))) return [];
  const shown = {
    APIGroup: getString(reference, "apiGroup"),
    Kind: getString(reference, "kind"),
    Name: getString(reference, "name"),
  };
  return [invalidValue("roleRef", shown, "cannot change roleRef")];
}
