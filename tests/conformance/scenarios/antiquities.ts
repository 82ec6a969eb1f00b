import { apply, merge, post, put, type RequestStep, type StepScenario } from "../step.ts";
import { core, deployment, grouped, namespaced } from "./_objects.ts";

const NS = "suite-antiquities";
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const BUDGETS = grouped("policy/v1", NS, "poddisruptionbudgets");
const HPAS = grouped("autoscaling/v2", NS, "horizontalpodautoscalers");
const old = (path: string, apiVersion: string, kind: string, body: object = {}): RequestStep =>
  post(`${path}?dryRun=All`, { ...body, apiVersion, kind, metadata: { name: "x" } });
const g = (gv: string, plural: string) => grouped(gv, NS, plural);

/** Objects in versions that the server knows and no longer serves, or never knew. */
export const antiquities: StepScenario = {
  name: "antiquities",
  steps: [
    namespaced(NS),
    ...["v1beta1", "v1beta2", "v1alpha1", "v2"].flatMap((version) => [
      old(DEPLOYMENTS, `apps/${version}`, "Deployment", deployment("x")),
      old(g("apps/v1", "statefulsets"), `apps/${version}`, "StatefulSet"),
      old(g("apps/v1", "daemonsets"), `apps/${version}`, "DaemonSet"),
      old(g("apps/v1", "replicasets"), `apps/${version}`, "ReplicaSet"),
    ]),
    ...[
      [DEPLOYMENTS, "Deployment"],
      [g("apps/v1", "daemonsets"), "DaemonSet"],
      [g("networking.k8s.io/v1", "ingresses"), "Ingress"],
      [g("networking.k8s.io/v1", "networkpolicies"), "NetworkPolicy"],
      [g("apps/v1", "replicasets"), "ReplicaSet"],
      [core(NS, "pods"), "PodSecurityPolicy"],
    ].map(([path, kind]) => old(path!, "extensions/v1beta1", kind!)),
    ...[
      ["batch/v1beta1", g("batch/v1", "cronjobs"), "CronJob"],
      ["batch/v2alpha1", g("batch/v1", "cronjobs"), "CronJob"],
      ["batch/v1beta1", g("batch/v1", "jobs"), "Job"],
      ["policy/v1beta1", g("policy/v1", "poddisruptionbudgets"), "PodDisruptionBudget"],
      ["networking.k8s.io/v1beta1", g("networking.k8s.io/v1", "ingresses"), "Ingress"],
      ["networking.k8s.io/v1beta1", "/apis/networking.k8s.io/v1/ingressclasses", "IngressClass"],
      ["networking.k8s.io/v1beta1", "/apis/networking.k8s.io/v1/servicecidrs", "ServiceCIDR"],
      ["networking.k8s.io/v1beta1", g("networking.k8s.io/v1", "networkpolicies"), "NetworkPolicy"],
      ["rbac.authorization.k8s.io/v1beta1", g("rbac.authorization.k8s.io/v1", "roles"), "Role"],
      [
        "rbac.authorization.k8s.io/v1alpha1",
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        "ClusterRole",
      ],
      ["scheduling.k8s.io/v1beta1", "/apis/scheduling.k8s.io/v1/priorityclasses", "PriorityClass"],
      ["scheduling.k8s.io/v1alpha1", "/apis/scheduling.k8s.io/v1/priorityclasses", "PriorityClass"],
      ["storage.k8s.io/v1beta1", "/apis/storage.k8s.io/v1/storageclasses", "StorageClass"],
      ["storage.k8s.io/v1beta1", "/apis/storage.k8s.io/v1/csidrivers", "CSIDriver"],
      [
        "storage.k8s.io/v1beta1",
        "/apis/storage.k8s.io/v1/volumeattributesclasses",
        "VolumeAttributesClass",
      ],
      ["coordination.k8s.io/v1beta1", g("coordination.k8s.io/v1", "leases"), "Lease"],
      ["discovery.k8s.io/v1beta1", g("discovery.k8s.io/v1", "endpointslices"), "EndpointSlice"],
      ["events.k8s.io/v1beta1", g("events.k8s.io/v1", "events"), "Event"],
      ["events.k8s.io/v1beta1", core(NS, "events"), "Event"],
      ["node.k8s.io/v1beta1", "/apis/node.k8s.io/v1/runtimeclasses", "RuntimeClass"],
      ["node.k8s.io/v1alpha1", "/apis/node.k8s.io/v1/runtimeclasses", "RuntimeClass"],
      ["autoscaling/v2beta2", HPAS, "HorizontalPodAutoscaler"],
      ["autoscaling/v2beta1", HPAS, "HorizontalPodAutoscaler"],
      ["autoscaling/v1", HPAS, "HorizontalPodAutoscaler"],
      [
        "certificates.k8s.io/v1beta1",
        "/apis/certificates.k8s.io/v1/certificatesigningrequests",
        "CertificateSigningRequest",
      ],
      [
        "admissionregistration.k8s.io/v1beta1",
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
        "ValidatingWebhookConfiguration",
      ],
      [
        "admissionregistration.k8s.io/v1alpha1",
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
        "ValidatingAdmissionPolicy",
      ],
      [
        "flowcontrol.apiserver.k8s.io/v1beta3",
        "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
        "FlowSchema",
      ],
      [
        "flowcontrol.apiserver.k8s.io/v1alpha1",
        "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
        "FlowSchema",
      ],
      [
        "apiextensions.k8s.io/v1beta1",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        "CustomResourceDefinition",
      ],
      [
        "apiregistration.k8s.io/v1beta1",
        "/apis/apiregistration.k8s.io/v1/apiservices",
        "APIService",
      ],
      ["resource.k8s.io/v1beta1", g("resource.k8s.io/v1", "resourceclaims"), "ResourceClaim"],
      ["resource.k8s.io/v1beta2", "/apis/resource.k8s.io/v1/deviceclasses", "DeviceClass"],
      [
        "authentication.k8s.io/v1beta1",
        "/apis/authentication.k8s.io/v1/tokenreviews",
        "TokenReview",
      ],
      [
        "authentication.k8s.io/v1alpha1",
        "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        "SelfSubjectReview",
      ],
      [
        "authorization.k8s.io/v1beta1",
        "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        "SubjectAccessReview",
      ],
      ["v1beta1", core(NS, "pods"), "Pod"],
      ["/v1", core(NS, "pods"), "Pod"],
      ["core/v1", core(NS, "pods"), "Pod"],
    ].map(([version, path, kind]) => old(path!, version!, kind!)),
    post(DEPLOYMENTS, deployment("d"), { unseen: true }),
    put(`${DEPLOYMENTS}/d`, { ...deployment("d"), apiVersion: "apps/v1beta1" }),
    put(`${DEPLOYMENTS}/d`, { ...deployment("d"), apiVersion: "extensions/v1beta1" }),
    put(`${DEPLOYMENTS}/d/scale`, { apiVersion: "extensions/v1beta1", kind: "Scale" }),
    put(`${DEPLOYMENTS}/d/scale`, { apiVersion: "apps/v1beta1", kind: "Scale" }),
    post(BUDGETS, { metadata: { name: "b" }, spec: { minAvailable: 1 } }, { unseen: true }),
    merge(`${BUDGETS}/b`, { apiVersion: "policy/v1beta1", metadata: { labels: { a: "b" } } }),
    merge(`${BUDGETS}/b`, { apiVersion: "policy/v1beta2" }),
    merge(`${DEPLOYMENTS}/d`, { apiVersion: "apps/v1beta2", kind: "StatefulSet" }),
    merge(`${DEPLOYMENTS}/d`, { apiVersion: "apps/v9" }),
    apply(`${DEPLOYMENTS}/d`, "m", { ...deployment("d"), apiVersion: "apps/v1beta1" }),
    apply(`${DEPLOYMENTS}/d`, "m", { ...deployment("d"), apiVersion: "extensions/v1beta1" }),
    post(`${core(NS, "pods")}/x/eviction`, {
      apiVersion: "policy/v1beta1",
      kind: "Eviction",
      metadata: { name: "x" },
    }),
  ],
};
