import { close, type Step, type StepScenario, watch } from "../step.ts";
import { core, grouped, namespaced } from "./_objects.ts";

const NS = "suite-bookmarks";

/** The collections of the built-in kinds, by their group version. */
const COLLECTIONS: readonly string[] = [
  ...["configmaps", "endpoints", "limitranges", "persistentvolumeclaims", "pods", "podtemplates"],
  ...["replicationcontrollers", "resourcequotas", "secrets", "serviceaccounts", "services"],
].map((plural) => core(NS, plural)).concat(
  ["namespaces", "nodes", "persistentvolumes"].map((plural) => `/api/v1/${plural}`),
  ["controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"]
    .map((plural) => grouped("apps/v1", NS, plural)),
  ["cronjobs", "jobs"].map((plural) => grouped("batch/v1", NS, plural)),
  ["v1", "v2"].map((version) => grouped(`autoscaling/${version}`, NS, "horizontalpodautoscalers")),
  grouped("coordination.k8s.io/v1", NS, "leases"),
  grouped("discovery.k8s.io/v1", NS, "endpointslices"),
  grouped("policy/v1", NS, "poddisruptionbudgets"),
  ["ingresses", "networkpolicies"].map((plural) => grouped("networking.k8s.io/v1", NS, plural)),
  ["rolebindings", "roles"].map((plural) => grouped("rbac.authorization.k8s.io/v1", NS, plural)),
  ["resourceclaims", "resourceclaimtemplates"]
    .map((plural) => grouped("resource.k8s.io/v1", NS, plural)),
  [
    "admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    "admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    "admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
    "admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    "apiextensions.k8s.io/v1/customresourcedefinitions",
    "apiregistration.k8s.io/v1/apiservices",
    "certificates.k8s.io/v1/certificatesigningrequests",
    "flowcontrol.apiserver.k8s.io/v1/flowschemas",
    "flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
    "networking.k8s.io/v1/ingressclasses",
    "networking.k8s.io/v1/ipaddresses",
    "networking.k8s.io/v1/servicecidrs",
    "node.k8s.io/v1/runtimeclasses",
    "rbac.authorization.k8s.io/v1/clusterrolebindings",
    "rbac.authorization.k8s.io/v1/clusterroles",
    "resource.k8s.io/v1/deviceclasses",
    "resource.k8s.io/v1/resourceslices",
    "scheduling.k8s.io/v1/priorityclasses",
    "storage.k8s.io/v1/csidrivers",
    "storage.k8s.io/v1/csinodes",
    "storage.k8s.io/v1/storageclasses",
    "storage.k8s.io/v1/volumeattachments",
    "storage.k8s.io/v1/volumeattributesclasses",
  ].map((path) => `/apis/${path}`),
);

const QUERY =
  "?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&labelSelector=none";

/** The object in the bookmark that ends the initial events, for each kind. */
export const bookmarks: StepScenario = {
  name: "bookmarks",
  steps: [
    namespaced(NS),
    ...COLLECTIONS.flatMap((path): Step[] => [watch(path, path + QUERY), close(path, 1)]),
  ],
};
