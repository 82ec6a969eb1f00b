/** The definition of one column of a Table. */
export interface Column {
  /** The heading. */
  readonly name: string;
  /** The OpenAPI type, or `date`. */
  readonly type: string;
  /** The OpenAPI format; `name` for the column with the name of the object. */
  readonly format: string;
  /** The description. */
  readonly description: string;
  /** The priority. Columns with a priority above 0 appear only in wide output. */
  readonly priority: number;
}

function column(name: string, description: string, priority = 0, type = "string"): Column {
  return { name, type, format: "", description, priority };
}

const CREATED =
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** The column with the name of the object. */
export const NAME: Column = {
  ...column(
    "Name",
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  ),
  format: "name",
};

/** The column with the age of the object. */
export const AGE: Column = column("Age", CREATED);

/** The age column of custom resources and scales, with type `date`. */
export const AGE_DATE: Column = { ...AGE, type: "date" };

/** The column with the creation time, for kinds that have no columns of their own. */
export const CREATED_AT: Column = column("Created At", CREATED, 0, "date");

/** The columns of a Scale. */
export const SCALE_COLUMNS: readonly Column[] = [
  NAME,
  column("Desired", "Number of desired replicas", 0, "integer"),
  column("Available", "Number of actual replicas", 0, "integer"),
  AGE_DATE,
];

const WEBHOOK_COLUMNS: readonly Column[] = [
  NAME,
  column(
    "Webhooks",
    "Webhooks indicates the number of webhooks registered in this configuration",
    0,
    "integer",
  ),
  AGE,
];

/** The columns of the kinds that have their own, by `group/resource`, or `resource` in the core group. */
export const COLUMNS: ReadonlyMap<string, readonly Column[]> = new Map([
  ["pods", [
    NAME,
    column("Ready", "The aggregate readiness state of this pod for accepting traffic."),
    column("Status", "The aggregate status of the containers in this pod."),
    column(
      "Restarts",
      "The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.",
    ),
    AGE,
    column(
      "IP",
      "podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet allocated.",
      1,
    ),
    column(
      "Node",
      "NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for scheduling by the scheduler defined in schedulerName. Once this field is set, the kubelet for this node becomes responsible for the lifecycle of this pod. This field should not be used to express a desire for the pod to be scheduled on a specific node. https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename",
      1,
    ),
    column(
      "Nominated Node",
      "nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled right away as preemption victims receive their graceful termination periods. This field does not guarantee that the pod will be scheduled on this node. Scheduler may decide to place the pod elsewhere if other nodes become available sooner. Scheduler may also decide to give the resources on this node to a higher priority pod that is created after preemption. As a result, this field may be different than PodSpec.nodeName when the pod is scheduled.",
      1,
    ),
    column(
      "Readiness Gates",
      'If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when all its containers are ready AND all conditions specified in the readiness gates have status equal to "True" More info: https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates',
      1,
    ),
  ]],
  ["configmaps", [
    NAME,
    column(
      "Data",
      "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.",
    ),
    AGE,
  ]],
  ["secrets", [
    NAME,
    column(
      "Type",
      "Used to facilitate programmatic handling of secret data. More info: https://kubernetes.io/docs/concepts/configuration/secret/#secret-types",
    ),
    column(
      "Data",
      "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. The serialized form of the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) data value here. Described in https://tools.ietf.org/html/rfc4648#section-4",
    ),
    AGE,
  ]],
  ["services", [
    NAME,
    column(
      "Type",
      'type determines how the Service is exposed. Defaults to ClusterIP. Valid options are ExternalName, ClusterIP, NodePort, and LoadBalancer. "ClusterIP" allocates a cluster-internal IP address for load-balancing to endpoints. Endpoints are determined by the selector or if that is not specified, by manual construction of an Endpoints object or EndpointSlice objects. If clusterIP is "None", no virtual IP is allocated and the endpoints are published as a set of endpoints rather than a virtual IP. "NodePort" builds on ClusterIP and allocates a port on every node which routes to the same endpoints as the clusterIP. "LoadBalancer" builds on NodePort and creates an external load-balancer (if supported in the current cloud) which routes to the same endpoints as the clusterIP. "ExternalName" aliases this service to the specified externalName. Several other fields do not apply to ExternalName services. More info: https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types',
    ),
    column(
      "Cluster-IP",
      'clusterIP is the IP address of the service and is usually assigned randomly. If an address is specified manually, is in-range (as per system configuration), and is not in use, it will be allocated to the service; otherwise creation of the service will fail. This field may not be changed through updates unless the type field is also being changed to ExternalName (which requires this field to be blank) or the type field is being changed from ExternalName (in which case this field may optionally be specified, as describe above).  Valid values are "None", empty string (""), or a valid IP address. Setting this to "None" makes a "headless service" (no virtual IP), which is useful when direct endpoint connections are preferred and proxying is not required.  Only applies to types ClusterIP, NodePort, and LoadBalancer. If this field is specified when creating a Service of type ExternalName, creation will fail. This field will be wiped when updating a Service to type ExternalName. More info: https://kubernetes.io/docs/concepts/services-networking/service/#virtual-ips-and-service-proxies',
    ),
    column(
      "External-IP",
      "externalIPs is a list of IP addresses for which nodes in the cluster will also accept traffic for this service.  These IPs are not managed by Kubernetes.  The user is responsible for ensuring that traffic arrives at a node with this IP.  A common example is external load-balancers that are not part of the Kubernetes system.",
    ),
    column(
      "Port(s)",
      "The list of ports that are exposed by this service. More info: https://kubernetes.io/docs/concepts/services-networking/service/#virtual-ips-and-service-proxies",
    ),
    AGE,
    column(
      "Selector",
      "Route service traffic to pods with label keys and values matching this selector. If empty or not present, the service is assumed to have an external process managing its endpoints, which Kubernetes will not modify. Only applies to types ClusterIP, NodePort, and LoadBalancer. Ignored if type is ExternalName. More info: https://kubernetes.io/docs/concepts/services-networking/service/",
      1,
    ),
  ]],
  ["serviceaccounts", [NAME, AGE]],
  ["namespaces", [NAME, column("Status", "The status of the namespace"), AGE]],
  ["nodes", [
    NAME,
    column("Status", "The status of the node"),
    column("Roles", "The roles of the node"),
    AGE,
    column("Version", "Kubelet Version reported by the node."),
    column(
      "Internal-IP",
      "List of addresses reachable to the node. Queried from cloud provider, if available. More info: https://kubernetes.io/docs/reference/node/node-status/#addresses Note: This field is declared as mergeable, but the merge key is not sufficiently unique, which can cause data corruption when it is merged. Callers should instead use a full-replacement patch. See https://pr.k8s.io/79391 for an example. Consumers should assume that addresses can change during the lifetime of a Node. However, there are some exceptions where this may not be possible, such as Pods that inherit a Node's address in its own status or consumers of the downward API (status.hostIP).",
      1,
    ),
    column(
      "External-IP",
      "List of addresses reachable to the node. Queried from cloud provider, if available. More info: https://kubernetes.io/docs/reference/node/node-status/#addresses Note: This field is declared as mergeable, but the merge key is not sufficiently unique, which can cause data corruption when it is merged. Callers should instead use a full-replacement patch. See https://pr.k8s.io/79391 for an example. Consumers should assume that addresses can change during the lifetime of a Node. However, there are some exceptions where this may not be possible, such as Pods that inherit a Node's address in its own status or consumers of the downward API (status.hostIP).",
      1,
    ),
    column(
      "OS-Image",
      "OS Image reported by the node from /etc/os-release (e.g. Debian GNU/Linux 7 (wheezy)).",
      1,
    ),
    column(
      "Kernel-Version",
      "Kernel Version reported by the node from 'uname -r' (e.g. 3.16.0-0.bpo.4-amd64).",
      1,
    ),
    column(
      "Container-Runtime",
      "ContainerRuntime Version reported by the node through runtime remote API (e.g. containerd://1.4.2).",
      1,
    ),
  ]],
  ["events", [
    column("Last Seen", "The time at which the most recent occurrence of this event was recorded."),
    column("Type", "Type of this event (Normal, Warning), new types could be added in the future"),
    column(
      "Reason",
      "This should be a short, machine understandable string that gives the reason for the transition into the object's current status.",
    ),
    column("Object", "The object that this event is about."),
    column(
      "Subobject",
      'If referring to a piece of an object instead of an entire object, this string should contain a valid JSON/Go field access statement, such as desiredState.manifest.containers[2]. For example, if the object reference is to a container within a pod, this would take on a value like: "spec.containers{name}" (where "name" refers to the name of the container that triggered the event) or if no container name is specified "spec.containers[2]" (container with index 2 in this pod). This syntax is chosen only to have some well-defined way of referencing a part of an object.',
      1,
    ),
    column(
      "Source",
      "The component reporting this event. Should be a short machine understandable string.",
      1,
    ),
    column("Message", "A human-readable description of the status of this operation."),
    column(
      "First Seen",
      "The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)",
      1,
    ),
    column("Count", "The number of times this event has occurred.", 1),
    { ...NAME, priority: 1 },
  ]],
  ["apps/deployments", [
    NAME,
    column("Ready", "Number of the pod with ready state"),
    column(
      "Up-to-date",
      "Total number of non-terminating pods targeted by this deployment that have the desired template spec.",
    ),
    column(
      "Available",
      "Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment.",
    ),
    AGE,
    column("Containers", "Names of each container in the template.", 1),
    column("Images", "Images referenced by each container in the template.", 1),
    column(
      "Selector",
      "Label selector for pods. Existing ReplicaSets whose pods are selected by this will be the ones affected by this deployment.",
      1,
    ),
  ]],
  ["apps/replicasets", [
    NAME,
    column(
      "Desired",
      "Replicas is the number of desired pods. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset",
      0,
      "integer",
    ),
    column(
      "Current",
      "Replicas is the most recently observed number of non-terminating pods. More info: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset",
      0,
      "integer",
    ),
    column(
      "Ready",
      "The number of non-terminating pods targeted by this ReplicaSet with a Ready Condition.",
      0,
      "integer",
    ),
    AGE,
    column("Containers", "Names of each container in the template.", 1),
    column("Images", "Images referenced by each container in the template.", 1),
    column(
      "Selector",
      "Selector is a label query over pods that should match the replica count. If the selector is empty, it is defaulted to the labels present on the pod template. Label keys and values that must match in order to be controlled by this replica set. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
      1,
    ),
  ]],
  ["batch/jobs", [
    NAME,
    column("Status", "Status of the job."),
    column(
      "Completions",
      "The number of pods which reached phase Succeeded. The value increases monotonically for a given spec. However, it may decrease in reaction to scale down of elastic indexed jobs.",
    ),
    column("Duration", "Time required to complete the job."),
    AGE,
    column("Containers", "Names of each container in the template.", 1),
    column("Images", "Images referenced by each container in the template.", 1),
    column(
      "Selector",
      "A label query over pods that should match the pod count. Normally, the system sets this field for you. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
      1,
    ),
  ]],
  ["coordination.k8s.io/leases", [
    NAME,
    column(
      "Holder",
      "holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field.",
    ),
    AGE,
  ]],
  ["policy/poddisruptionbudgets", [
    NAME,
    column("Min Available", "The minimum number of pods that must be available."),
    column("Max Unavailable", "The maximum number of pods that may be unavailable."),
    column(
      "Allowed Disruptions",
      "Calculated number of pods that may be disrupted at this time.",
      0,
      "integer",
    ),
    AGE,
  ]],
  ["admissionregistration.k8s.io/mutatingwebhookconfigurations", WEBHOOK_COLUMNS],
  ["admissionregistration.k8s.io/validatingwebhookconfigurations", WEBHOOK_COLUMNS],
  ["rbac.authorization.k8s.io/rolebindings", [
    NAME,
    column(
      "Role",
      "RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
    ),
    AGE,
    column("Users", "Users in the roleBinding", 1),
    column("Groups", "Groups in the roleBinding", 1),
    column("ServiceAccounts", "ServiceAccounts in the roleBinding", 1),
  ]],
  ["rbac.authorization.k8s.io/clusterrolebindings", [
    NAME,
    column(
      "Role",
      "RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.",
    ),
    AGE,
    column("Users", "Users in the clusterRoleBinding", 1),
    column("Groups", "Groups in the clusterRoleBinding", 1),
    column("ServiceAccounts", "ServiceAccounts in the clusterRoleBinding", 1),
  ]],
]);
