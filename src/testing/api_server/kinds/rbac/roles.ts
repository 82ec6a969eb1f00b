import { defineKind, type KindRecord } from "../record/mod.ts";
import {
  child,
  type FieldError,
  getArray,
  getOwn,
  invalidValue,
  isObject,
  item,
  type JsonObject,
  required,
} from "../../../values/mod.ts";
import { objects, validateLabelSelector } from "../shared/mod.ts";

/** ClusterRoles. */
export const CLUSTER_ROLE: KindRecord = defineKind(
  "rbac.authorization.k8s.io/v1",
  "clusterroles",
  "ClusterRole",
  {
    namespaced: false,
    allowCreateOnUpdate: true,
    grants: "role",
    names: "pathSegment",
    validate: (role) => validateRole(role, false),
  },
);

/** Roles. */
export const ROLE: KindRecord = defineKind("rbac.authorization.k8s.io/v1", "roles", "Role", {
  allowCreateOnUpdate: true,
  grants: "role",
  names: "pathSegment",
  validate: (role) => validateRole(role, true),
});

/** Returns the validation errors of a Role or ClusterRole apart from its metadata. */
function validateRole(role: JsonObject, namespaced: boolean): FieldError[] {
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
