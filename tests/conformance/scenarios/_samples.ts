import { REQUESTS } from "./_certificates.ts";
import { core, grouped, pod } from "./_objects.ts";

/** The namespace of the samples. */
export const NS = "suite-lifecycles";

/** A minimal object of a kind. */
export interface Sample {
  readonly path: string;
  readonly kind: string;
  readonly body: object;
  /** The name of the object. Default: `suite-life`. */
  readonly name?: string;
}
const g = (gv: string, plural: string) => grouped(gv, NS, plural);
const template = {
  metadata: { labels: { a: "b" } },
  spec: { containers: [{ name: "c", image: "i" }] },
};
const chosen = { selector: { matchLabels: { a: "b" } }, template };
const CSR =
  `-----BEGIN CERTIFICATE REQUEST-----\n${REQUESTS.p256}\n-----END CERTIFICATE REQUEST-----\n`;
const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
const RBAC = "rbac.authorization.k8s.io";
const roleRef = { apiGroup: RBAC, kind: "ClusterRole", name: "view" };
const webhook = {
  name: "a.b.c",
  clientConfig: { url: "https://127.0.0.1:1/" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const match = {
  resourceRules: [
    { apiGroups: ["none.io"], apiVersions: ["*"], operations: ["*"], resources: ["x"] },
  ],
};

/** Minimal objects of the built-in kinds, in a namespace. */
export const SAMPLES: readonly Sample[] = [
  { path: core(NS, "configmaps"), kind: "ConfigMap", body: { data: { k: "v" } } },
  { path: core(NS, "secrets"), kind: "Secret", body: { stringData: { k: "v" } } },
  { path: core(NS, "services"), kind: "Service", body: { spec: { clusterIP: "None" } } },
  { path: core(NS, "serviceaccounts"), kind: "ServiceAccount", body: {} },
  { path: core(NS, "endpoints"), kind: "Endpoints", body: {} },
  { path: core(NS, "pods"), kind: "Pod", body: { spec: (pod("x") as { spec: object }).spec } },
  { path: core(NS, "podtemplates"), kind: "PodTemplate", body: { template } },
  {
    path: core(NS, "replicationcontrollers"),
    kind: "ReplicationController",
    body: { spec: { selector: { a: "b" }, template } },
  },
  { path: core(NS, "limitranges"), kind: "LimitRange", body: { spec: { limits: [] } } },
  {
    path: core(NS, "resourcequotas"),
    kind: "ResourceQuota",
    body: { spec: { hard: { "count/x.y": "1" } } },
  },
  { path: core(NS, "events"), kind: "Event", body: { involvedObject: { namespace: NS } } },
  {
    path: core(NS, "persistentvolumeclaims"),
    kind: "PersistentVolumeClaim",
    body: {
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "",
        resources: { requests: { storage: "1" } },
      },
    },
  },
  {
    path: "/api/v1/persistentvolumes",
    kind: "PersistentVolume",
    body: {
      spec: {
        capacity: { storage: "1" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/x" },
      },
    },
  },
  { path: "/api/v1/nodes", kind: "Node", body: {} },
  { path: g("apps/v1", "deployments"), kind: "Deployment", body: { spec: chosen } },
  { path: g("apps/v1", "statefulsets"), kind: "StatefulSet", body: { spec: chosen } },
  { path: g("apps/v1", "daemonsets"), kind: "DaemonSet", body: { spec: chosen } },
  { path: g("apps/v1", "replicasets"), kind: "ReplicaSet", body: { spec: chosen } },
  {
    path: g("apps/v1", "controllerrevisions"),
    kind: "ControllerRevision",
    body: { data: { a: 1 }, revision: 1 },
  },
  {
    path: g("batch/v1", "jobs"),
    kind: "Job",
    body: {
      spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } },
    },
  },
  {
    path: g("batch/v1", "cronjobs"),
    kind: "CronJob",
    body: {
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
      },
    },
  },
  {
    path: g("autoscaling/v2", "horizontalpodautoscalers"),
    kind: "HorizontalPodAutoscaler",
    body: { spec: { scaleTargetRef: { kind: "X", name: "x" }, maxReplicas: 1 } },
  },
  {
    path: g("policy/v1", "poddisruptionbudgets"),
    kind: "PodDisruptionBudget",
    body: { spec: { minAvailable: 1 } },
  },
  { path: g("coordination.k8s.io/v1", "leases"), kind: "Lease", body: {} },
  {
    path: g("discovery.k8s.io/v1", "endpointslices"),
    kind: "EndpointSlice",
    body: { addressType: "IPv4", endpoints: [] },
  },
  {
    path: g("events.k8s.io/v1", "events"),
    kind: "Event",
    body: {
      eventTime: "2026-01-01T00:00:00.000000Z",
      regarding: { namespace: NS },
      reportingController: "a.b/c",
      reportingInstance: "i",
      action: "A",
      reason: "R",
      type: "Normal",
    },
    name: "suite-life-two",
  },
  {
    path: g("networking.k8s.io/v1", "ingresses"),
    kind: "Ingress",
    body: { spec: { defaultBackend: { service: { name: "s", port: { number: 1 } } } } },
  },
  {
    path: g("networking.k8s.io/v1", "networkpolicies"),
    kind: "NetworkPolicy",
    body: { spec: { podSelector: {} } },
  },
  {
    path: "/apis/networking.k8s.io/v1/ingressclasses",
    kind: "IngressClass",
    body: { spec: { controller: "a.b/c" } },
  },
  {
    path: "/apis/networking.k8s.io/v1/ipaddresses",
    kind: "IPAddress",
    body: { spec: { parentRef: { resource: "services", name: "x" } } },
    name: "192.168.7.7",
  },
  {
    path: "/apis/networking.k8s.io/v1/servicecidrs",
    kind: "ServiceCIDR",
    body: { spec: { cidrs: ["10.77.0.0/24"] } },
  },
  { path: g(`${RBAC}/v1`, "roles"), kind: "Role", body: { rules } },
  { path: g(`${RBAC}/v1`, "rolebindings"), kind: "RoleBinding", body: { roleRef } },
  { path: `/apis/${RBAC}/v1/clusterroles`, kind: "ClusterRole", body: { rules } },
  { path: `/apis/${RBAC}/v1/clusterrolebindings`, kind: "ClusterRoleBinding", body: { roleRef } },
  { path: "/apis/scheduling.k8s.io/v1/priorityclasses", kind: "PriorityClass", body: { value: 1 } },
  {
    path: "/apis/storage.k8s.io/v1/storageclasses",
    kind: "StorageClass",
    body: { provisioner: "x" },
  },
  { path: "/apis/storage.k8s.io/v1/csidrivers", kind: "CSIDriver", body: { spec: {} } },
  { path: "/apis/storage.k8s.io/v1/csinodes", kind: "CSINode", body: { spec: { drivers: [] } } },
  {
    path: "/apis/storage.k8s.io/v1/volumeattachments",
    kind: "VolumeAttachment",
    body: { spec: { attacher: "x", nodeName: "n", source: { persistentVolumeName: "p" } } },
  },
  {
    path: "/apis/storage.k8s.io/v1/volumeattributesclasses",
    kind: "VolumeAttributesClass",
    body: { driverName: "x", parameters: { a: "b" } },
  },
  {
    path: g("storage.k8s.io/v1", "csistoragecapacities"),
    kind: "CSIStorageCapacity",
    body: { storageClassName: "x" },
  },
  { path: "/apis/node.k8s.io/v1/runtimeclasses", kind: "RuntimeClass", body: { handler: "x" } },
  {
    path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    kind: "ValidatingWebhookConfiguration",
    body: { webhooks: [webhook] },
  },
  {
    path: "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    kind: "MutatingWebhookConfiguration",
    body: { webhooks: [webhook] },
  },
  {
    path: "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    kind: "ValidatingAdmissionPolicy",
    body: { spec: { matchConstraints: match, validations: [{ expression: "true" }] } },
  },
  {
    path: "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
    kind: "ValidatingAdmissionPolicyBinding",
    body: { spec: { policyName: "x", validationActions: ["Deny"] } },
  },
  {
    path: "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
    kind: "PriorityLevelConfiguration",
    body: { spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } } },
  },
  {
    path: "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    kind: "CertificateSigningRequest",
    body: { spec: { request: btoa(CSR), signerName: "a.b/c", usages: ["client auth"] } },
  },
  { path: g("resource.k8s.io/v1", "resourceclaims"), kind: "ResourceClaim", body: { spec: {} } },
  {
    path: g("resource.k8s.io/v1", "resourceclaimtemplates"),
    kind: "ResourceClaimTemplate",
    body: { spec: { spec: {} } },
  },
  { path: "/apis/resource.k8s.io/v1/deviceclasses", kind: "DeviceClass", body: { spec: {} } },
  {
    path: "/apis/resource.k8s.io/v1/resourceslices",
    kind: "ResourceSlice",
    body: {
      spec: {
        driver: "a.b",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        allNodes: true,
      },
    },
  },
  {
    path: "/apis/apiregistration.k8s.io/v1/apiservices",
    kind: "APIService",
    body: {
      spec: {
        group: "life.io",
        version: "v1",
        groupPriorityMinimum: 1,
        versionPriority: 1,
        service: { name: "x", namespace: "y" },
        insecureSkipTLSVerify: true,
      },
    },
    name: "v1.life.io",
  },
];

/** Returns the object of a sample. */
export function sampleObject(
  { path, kind, body, name = "suite-life" }: Sample,
  metadata: object = {},
): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
} {
  const [, first, group, version] = path.split("/");
  const apiVersion = first === "api" ? "v1" : `${group}/${version}`;
  return { ...body, apiVersion, kind, metadata: { name, ...metadata } };
}
