import { defineKind, type KindRecord } from "../record/mod.ts";
import { AGE, column, NAME, named } from "../shared/mod.ts";
import {
  defaultBinding,
  roleCell,
  subjectCells,
  validateRoleBinding,
  validateRoleBindingUpdate,
} from "./bindings.ts";

/** RoleBindings. */
export const ROLE_BINDING: KindRecord = defineKind(
  "rbac.authorization.k8s.io/v1",
  "rolebindings",
  "RoleBinding",
  {
    allowCreateOnUpdate: true,
    grants: "binding",
    defaults: defaultBinding,
    names: "pathSegment",
    wholeFirst: true,
    validate: (binding) => validateRoleBinding(binding, true),
    validateChange: validateRoleBindingUpdate,
    table: {
      columns: [
        NAME,
        column(
          "Role",
          "RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
        ),
        AGE,
        column("Users", "Users in the roleBinding", 1),
        column("Groups", "Groups in the roleBinding", 1),
        column("ServiceAccounts", "ServiceAccounts in the roleBinding", 1),
      ],
      row: named(roleCell, subjectCells),
    },
  },
);
