// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `rbac`. */
export const RBAC: StructTable = {
  "rbac.AggregationRule": "clusterRoleSelectors []meta.LabelSelector atomic",
  "rbac.ClusterRole": `
    @object; metadata meta.ObjectMeta!; rules []rbac.PolicyRule! atomic;
    aggregationRule rbac.AggregationRule?
  `,
  "rbac.ClusterRoleBinding": `
    @object; metadata meta.ObjectMeta!; subjects []rbac.Subject atomic; roleRef rbac.RoleRef!*
  `,
  "rbac.ClusterRoleBindingList": `
    @object; metadata meta.ListMeta!; items []rbac.ClusterRoleBinding!*
  `,
  "rbac.ClusterRoleList": "@object; metadata meta.ListMeta!; items []rbac.ClusterRole!*",
  "rbac.PolicyRule": `
    verbs []string!* atomic; apiGroups []string atomic; resources []string atomic;
    resourceNames []string atomic; nonResourceURLs []string atomic
  `,
  "rbac.Role": "@object; metadata meta.ObjectMeta!; rules []rbac.PolicyRule! atomic",
  "rbac.RoleBinding": `
    @object; metadata meta.ObjectMeta!; subjects []rbac.Subject atomic; roleRef rbac.RoleRef!*
  `,
  "rbac.RoleBindingList": "@object; metadata meta.ListMeta!; items []rbac.RoleBinding!*",
  "rbac.RoleList": "@object; metadata meta.ListMeta!; items []rbac.Role!*",
  "rbac.RoleRef": "@atomic; apiGroup string!; kind string!*; name string!*",
  "rbac.Subject": "@atomic; kind string!*; apiGroup string; name string!*; namespace string",
};
