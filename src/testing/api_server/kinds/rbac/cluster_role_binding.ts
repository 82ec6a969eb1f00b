import { defineKind, type KindRecord } from "../record/mod.ts";
import { AGE, column, NAME, named } from "../shared/mod.ts";
import {
  defaultBinding,
  roleCell,
  subjectCells,
  validateRoleBinding,
  validateRoleBindingUpdate,
} from "./bindings.ts";

/** ClusterRoleBindings. */
export const CLUSTER_ROLE_BINDING: KindRecord = defineKind(
  "rbac.authorization.k8s.io/v1",
  "clusterrolebindings",
  "ClusterRoleBinding",
  {
    namespaced: false,
    allowCreateOnUpdate: true,
    grants: "binding",
    defaults: defaultBinding,
    names: "pathSegment",
    wholeFirst: true,
    validate: (binding) => validateRoleBinding(binding, false),
    validateChange: validateRoleBindingUpdate,
    table: {
      columns: [
        NAME,
        column(
          "Role",
          "RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
        ),
        AGE,
        column("Users", "Users in the clusterRoleBinding", 1),
        column("Groups", "Groups in the clusterRoleBinding", 1),
        column("ServiceAccounts", "ServiceAccounts in the clusterRoleBinding", 1),
      ],
      row: named(roleCell, subjectCells),
    },
  },
);
