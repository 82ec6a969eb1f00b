import { defineKind, type KindRecord } from "../record/mod.ts";
import { validateRole } from "./rules.ts";

/** Roles. */
export const ROLE: KindRecord = defineKind("rbac.authorization.k8s.io/v1", "roles", "Role", {
  allowCreateOnUpdate: true,
  grants: "role",
  names: "pathSegment",
  validate: (role) => validateRole(role, true),
});
