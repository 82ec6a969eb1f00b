/**
 * The structs, kinds and feature gates of the Kubernetes API in each minor version.
 *
 * Imports only types of `values`.
 *
 * @module
 */

// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructChanges, StructTable } from "../../../values/mod.ts";
import { META } from "./meta.ts";
import { CORE } from "./core.ts";
import { ADMISSIONREGISTRATION } from "./admissionregistration.ts";
import { APIEXTENSIONS } from "./apiextensions.ts";
import { APIREGISTRATION } from "./apiregistration.ts";
import { APPS } from "./apps.ts";
import { AUTHENTICATION } from "./authentication.ts";
import { AUTHORIZATION } from "./authorization.ts";
import { AUTOSCALING } from "./autoscaling.ts";
import { AUTOSCALING_V2 } from "./autoscaling_v2.ts";
import { BATCH } from "./batch.ts";
import { CERTIFICATES } from "./certificates.ts";
import { COORDINATION } from "./coordination.ts";
import { DISCOVERY } from "./discovery.ts";
import { EVENTS } from "./events.ts";
import { FLOWCONTROL } from "./flowcontrol.ts";
import { NETWORKING } from "./networking.ts";
import { NODE } from "./node.ts";
import { POLICY } from "./policy.ts";
import { RBAC } from "./rbac.ts";
import { RESOURCE } from "./resource.ts";
import { SCHEDULING } from "./scheduling.ts";
import { STORAGE } from "./storage.ts";
import { STORAGEMIGRATION } from "./storagemigration.ts";
import { SCHEDULING_V1ALPHA3 } from "./scheduling_v1alpha3.ts";
import * as minor35 from "./minor_1_35.ts";
import * as minor36 from "./minor_1_36.ts";

export { FEATURE_GATES } from "./feature_gates.ts";
export { GATED_FIELDS } from "./gated_fields.ts";
export { RULES } from "./rules.ts";

/** The minor versions of Kubernetes that the server knows. */
export type KubernetesMinor = "1.35" | "1.36" | "1.37";

/** The default minor version. */
export const DEFAULT_MINOR: KubernetesMinor = "1.37";

/** A minor version: its release, and the structs and kinds that differ from the tables. */
export interface MinorTables {
  readonly release: string;
  readonly CHANGES: StructChanges;
  readonly KINDS: Readonly<Record<string, string>>;
}

/** The minor versions: the release of each, and what differs from the tables. */
export const MINORS: Readonly<Record<KubernetesMinor, MinorTables>> = {
  "1.35": { release: "v1.35.4", ...minor35 },
  "1.36": { release: "v1.36.3", ...minor36 },
  "1.37": { release: "v1.37.2", CHANGES: {}, KINDS: {} },
};

/** The structs of all groups. */
export const TABLES: readonly StructTable[] = [
  META,
  CORE,
  ADMISSIONREGISTRATION,
  APIEXTENSIONS,
  APIREGISTRATION,
  APPS,
  AUTHENTICATION,
  AUTHORIZATION,
  AUTOSCALING,
  AUTOSCALING_V2,
  BATCH,
  CERTIFICATES,
  COORDINATION,
  DISCOVERY,
  EVENTS,
  FLOWCONTROL,
  NETWORKING,
  NODE,
  POLICY,
  RBAC,
  RESOURCE,
  SCHEDULING,
  STORAGE,
  STORAGEMIGRATION,
  SCHEDULING_V1ALPHA3,
];

/** The packages of the API groups and versions. */
export const PACKAGES: Readonly<Record<string, string>> = {
  "meta.k8s.io/v1": "meta",
  "/v1": "core",
  "admissionregistration.k8s.io/v1": "admissionregistration",
  "apiextensions.k8s.io/v1": "apiextensions",
  "apiregistration.k8s.io/v1": "apiregistration",
  "apps/v1": "apps",
  "authentication.k8s.io/v1": "authentication",
  "authorization.k8s.io/v1": "authorization",
  "autoscaling/v1": "autoscaling",
  "autoscaling/v2": "autoscaling/v2",
  "batch/v1": "batch",
  "certificates.k8s.io/v1": "certificates",
  "coordination.k8s.io/v1": "coordination",
  "discovery.k8s.io/v1": "discovery",
  "events.k8s.io/v1": "events",
  "flowcontrol.apiserver.k8s.io/v1": "flowcontrol",
  "networking.k8s.io/v1": "networking",
  "node.k8s.io/v1": "node",
  "policy/v1": "policy",
  "rbac.authorization.k8s.io/v1": "rbac",
  "resource.k8s.io/v1": "resource",
  "scheduling.k8s.io/v1": "scheduling",
  "storage.k8s.io/v1": "storage",
  "storagemigration.k8s.io/v1": "storagemigration",
};

/** The kinds of each package. */
export const KINDS: Readonly<Record<string, string>> = {
  meta: "",
  core: `
    Binding ComponentStatus ComponentStatusList ConfigMap ConfigMapList Endpoints EndpointsList
    Event EventList LimitRange LimitRangeList List Namespace NamespaceList Node NodeList
    NodeProxyOptions PersistentVolume PersistentVolumeClaim PersistentVolumeClaimList
    PersistentVolumeList Pod PodAttachOptions PodExecOptions PodList PodLogOptions
    PodPortForwardOptions PodProxyOptions PodTemplate PodTemplateList RangeAllocation
    ReplicationController ReplicationControllerList ResourceQuota ResourceQuotaList Secret
    SecretList SerializedReference Service ServiceAccount ServiceAccountList ServiceList
    ServiceProxyOptions
  `,
  admissionregistration: `
    MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList
    MutatingAdmissionPolicyList MutatingWebhookConfiguration MutatingWebhookConfigurationList
    ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList
    ValidatingAdmissionPolicyList ValidatingWebhookConfiguration ValidatingWebhookConfigurationList
  `,
  apiextensions: "ConversionReview CustomResourceDefinition CustomResourceDefinitionList",
  apiregistration: "APIService APIServiceList",
  apps: `
    ControllerRevision ControllerRevisionList DaemonSet DaemonSetList Deployment DeploymentList
    ReplicaSet ReplicaSetList StatefulSet StatefulSetList
  `,
  authentication: "SelfSubjectReview TokenRequest TokenReview",
  authorization: `
    LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
  `,
  autoscaling: "HorizontalPodAutoscaler HorizontalPodAutoscalerList Scale",
  "autoscaling/v2": "HorizontalPodAutoscaler HorizontalPodAutoscalerList",
  batch: "CronJob CronJobList Job JobList",
  certificates: `
    CertificateSigningRequest CertificateSigningRequestList ClusterTrustBundle
    ClusterTrustBundleList PodCertificateRequest PodCertificateRequestList
  `,
  coordination: "Lease LeaseList",
  discovery: "EndpointSlice EndpointSliceList",
  events: "Event EventList",
  flowcontrol: `
    FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList
  `,
  networking: `
    IPAddress IPAddressList Ingress IngressClass IngressClassList IngressList NetworkPolicy
    NetworkPolicyList ServiceCIDR ServiceCIDRList
  `,
  node: "RuntimeClass RuntimeClassList",
  policy: "Eviction PodDisruptionBudget PodDisruptionBudgetList",
  rbac: `
    ClusterRole ClusterRoleBinding ClusterRoleBindingList ClusterRoleList Role RoleBinding
    RoleBindingList RoleList
  `,
  resource: `
    DeviceClass DeviceClassList DeviceTaintRule DeviceTaintRuleList ResourceClaim ResourceClaimList
    ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList
  `,
  scheduling: "PriorityClass PriorityClassList",
  storage: `
    CSIDriver CSIDriverList CSINode CSINodeList CSIStorageCapacity CSIStorageCapacityList
    StorageClass StorageClassList VolumeAttachment VolumeAttachmentList VolumeAttributesClass
    VolumeAttributesClassList
  `,
  storagemigration: "StorageVersionMigration StorageVersionMigrationList",
};
