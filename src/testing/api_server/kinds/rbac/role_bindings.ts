import {
  child,
  dnsSubdomain,
  type FieldError,
  getObject,
  getString,
  invalidValue,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  notSupported,
  pathSegmentName,
  required,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";
import { AGE, column, fill, NAME, named, objects, since } from "../shared/mod.ts";
import type { Release } from "../../release/mod.ts";

/** ClusterRoleBindings. */
export const CLUSTER_ROLE_BINDING: KindRecord = defineBinding("ClusterRoleBinding", {
  namespaced: false,
  role:
    "RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
});

/** RoleBindings. */
export const ROLE_BINDING: KindRecord = defineBinding("RoleBinding", {
  namespaced: true,
  role:
    "RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
});

function defineBinding(
  kind: string,
  { namespaced, role }: { readonly namespaced: boolean; readonly role: string },
): KindRecord {
  const owner = `${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;
  return defineKind("rbac.authorization.k8s.io/v1", `${kind.toLowerCase()}s`, kind, {
    namespaced,
    allowCreateOnUpdate: true,
    grants: "binding",
    defaults: defaultBinding,
    names: "pathSegment",
    wholeFirst: true,
    validate: (binding) => validateRoleBinding(binding, namespaced),
    validateChange: validateRoleBindingUpdate,
    table: {
      columns: [
        NAME,
        since(column("Role", role), "1.37", `r${role.slice(1)}`),
        AGE,
        column("Users", `Users in the ${owner}`, 1),
        column("Groups", `Groups in the ${owner}`, 1),
        column("ServiceAccounts", `ServiceAccounts in the ${owner}`, 1),
      ],
      row: named(roleCell, subjectCells),
    },
  });
}

/** The API group of RBAC. */
export const RBAC = "rbac.authorization.k8s.io";

/** Returns the validation errors of a RoleBinding or ClusterRoleBinding apart from its metadata. */
function validateRoleBinding(binding: JsonObject, namespaced: boolean): FieldError[] {
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
function validateRoleBindingUpdate(
  next: JsonObject,
  old: JsonObject,
  release: Release,
): FieldError[] {
  const reference = getObject(next, "roleRef");
  if (jsonEqual(reference, getObject(old, "roleRef"))) return [];
  const why = release.has({ since: "1.37" }) ? "field is immutable" : "cannot change roleRef";
  return [invalidValue("roleRef", reference, why)];
}

/** Sets the defaults of a RoleBinding or ClusterRoleBinding. */
function defaultBinding(binding: JsonObject): void {
  const reference = getObject(binding, "roleRef");
  fill(reference, "apiGroup", RBAC);
  for (const subject of objects(binding, "subjects")) {
    if (subject["kind"] === "User" || subject["kind"] === "Group") fill(subject, "apiGroup", RBAC);
  }
}

/** Returns the cells of a RoleBinding or ClusterRoleBinding without the columns of wide output. */
function roleCell(binding: JsonObject): Json[] {
  return [`${getString(binding, "roleRef", "kind")}/${getString(binding, "roleRef", "name")}`];
}

/** Returns the cells of a RoleBinding or ClusterRoleBinding in wide output. */
function subjectCells(binding: JsonObject): Json[] {
  return ["User", "Group", "ServiceAccount"].map((kind) =>
    objects(binding, "subjects")
      .filter((subject) => getString(subject, "kind") === kind)
      .map((subject) => {
        const name = getString(subject, "name");
        return kind === "ServiceAccount" ? `${getString(subject, "namespace")}/${name}` : name;
      })
      .join(", ")
  );
}
