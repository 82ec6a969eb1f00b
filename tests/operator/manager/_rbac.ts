/** What `Manager.rbac()` prints for the manager of the test. */
export const RBAC = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: widgets
  namespace: ops
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: widgets
rules:
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [list, watch, create, patch, delete]
  - apiGroups: [""]
    resources: [pods/eviction]
    verbs: [create]
  - apiGroups: [""]
    resources: [secrets]
    verbs: [list, watch]
  - apiGroups: [acme.io]
    resources: [widgets]
    verbs: [get, list, watch, patch]
  - apiGroups: [acme.io]
    resources: [widgets/finalizers]
    verbs: [update]
  - apiGroups: [acme.io]
    resources: [widgets/status]
    verbs: [patch]
  - apiGroups: [events.k8s.io]
    resources: [events]
    verbs: [create, patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: widgets
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: widgets
subjects:
  - kind: ServiceAccount
    name: widgets
    namespace: ops
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: widgets
  namespace: ops
rules:
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [create]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    resourceNames: [widgets]
    verbs: [get, update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: widgets
  namespace: ops
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: widgets
subjects:
  - kind: ServiceAccount
    name: widgets
    namespace: ops
`;
