// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `rbac`. */
export const MESSAGES: string = `
AggregationRule clusterRoleSelectors:[meta.LabelSelector
+ClusterRole metadata:meta.ObjectMeta!,rules:[PolicyRule!,aggregationRule:AggregationRule?
+ClusterRoleBinding metadata:meta.ObjectMeta!,subjects:[Subject,roleRef:RoleRef!
PolicyRule verbs:[s!,apiGroups:[s,resources:[s,resourceNames:[s,nonResourceURLs:[s
+Role metadata:meta.ObjectMeta!,rules:[PolicyRule!
+RoleBinding metadata:meta.ObjectMeta!,subjects:[Subject,roleRef:RoleRef!
RoleRef apiGroup:s!,kind:s!,name:s!
Subject kind:s!,apiGroup:s,name:s!,namespace:s
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
