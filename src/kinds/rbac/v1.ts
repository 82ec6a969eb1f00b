// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `rbac/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type Resource,
} from "../../types/minimal/mod.ts";

/** The `aggregationRule` of a ClusterRole. */
export type AggregationRule = {
  clusterRoleSelectors?: LabelSelector[];
};

/** A ClusterRole of `rbac.authorization.k8s.io/v1`. */
export interface ClusterRole extends KubeObject {
  /** The `rules` of a ClusterRole. */
  rules?: PolicyRule[] | null;
  /** The `aggregationRule` of a ClusterRole. */
  aggregationRule?: AggregationRule;
}

/** A ClusterRoleBinding of `rbac.authorization.k8s.io/v1`. */
export interface ClusterRoleBinding extends KubeObject {
  /** The `subjects` of a ClusterRoleBinding. */
  subjects?: Subject[];
  /** The `roleRef` of a ClusterRoleBinding. */
  roleRef: RoleRef;
}

/** A list of ClusterRoleBindings. */
export type ClusterRoleBindingList = KubeList<ClusterRoleBinding>;

/** A list of ClusterRoles. */
export type ClusterRoleList = KubeList<ClusterRole>;

/** The `rules[]` of a ClusterRole. */
export type PolicyRule = {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
};

/** A Role of `rbac.authorization.k8s.io/v1`. */
export interface Role extends KubeObject {
  /** The `rules` of a Role. */
  rules?: PolicyRule[] | null;
}

/** A RoleBinding of `rbac.authorization.k8s.io/v1`. */
export interface RoleBinding extends KubeObject {
  /** The `subjects` of a RoleBinding. */
  subjects?: Subject[];
  /** The `roleRef` of a RoleBinding. */
  roleRef: RoleRef;
}

/** A list of RoleBindings. */
export type RoleBindingList = KubeList<RoleBinding>;

/** A list of Roles. */
export type RoleList = KubeList<Role>;

/** The `roleRef` of a ClusterRoleBinding. */
export type RoleRef = {
  apiGroup: string;
  kind: string;
  name: string;
};

/** The `subjects[]` of a ClusterRoleBinding. */
export type Subject = {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
};

/** The resource `clusterroles.rbac.authorization.k8s.io`, which is cluster-scoped. */
export const ClusterRoles: Resource<ClusterRole> = /* @__PURE__ */ builtinResource({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "clusterroles",
  kind: "ClusterRole",
  namespaced: false,
});

/** The resource `clusterrolebindings.rbac.authorization.k8s.io`, which is cluster-scoped. */
export const ClusterRoleBindings: Resource<ClusterRoleBinding> = /* @__PURE__ */ builtinResource({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "clusterrolebindings",
  kind: "ClusterRoleBinding",
  namespaced: false,
});

/** The resource `roles.rbac.authorization.k8s.io`. */
export const Roles: Resource<Role> = /* @__PURE__ */ builtinResource({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "roles",
  kind: "Role",
  namespaced: true,
});

/** The resource `rolebindings.rbac.authorization.k8s.io`. */
export const RoleBindings: Resource<RoleBinding> = /* @__PURE__ */ builtinResource({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "rolebindings",
  kind: "RoleBinding",
  namespaced: true,
});
