import { defineKind, type KindRecord } from "../record/mod.ts";
import { validateRole } from "./rules.ts";

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
