import type { Release, Span } from "../release/mod.ts";

/** Kinds of a former version, which no server serves, and the minor versions that still decode them. */
interface FormerVersion extends Span {
  readonly kinds: readonly string[];
  /** The group of its kinds today. Default: the same. */
  readonly group?: string;
}

const POLICIES = [
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
];
const ROLES = ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];
const FLOWS = ["FlowSchema", "PriorityLevelConfiguration"];
const DEVICES = ["DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"];
const ADDRESSES = ["IPAddress", "ServiceCIDR"];

const FORMER: Readonly<Record<string, readonly FormerVersion[]>> = {
  "admissionregistration.k8s.io/v1alpha1": [{ kinds: POLICIES }],
  "admissionregistration.k8s.io/v1beta1": [
    { kinds: [...POLICIES, "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] },
  ],
  "apiextensions.k8s.io/v1beta1": [{ kinds: ["CustomResourceDefinition"] }],
  "apiregistration.k8s.io/v1beta1": [{ kinds: ["APIService"] }],
  "apps/v1beta1": [
    { kinds: ["ControllerRevision", "Deployment", "StatefulSet"] },
    { kinds: ["Scale"], group: "autoscaling" },
  ],
  "apps/v1beta2": [
    { kinds: ["ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"] },
    { kinds: ["Scale"], group: "autoscaling" },
  ],
  "authentication.k8s.io/v1alpha1": [{ kinds: ["SelfSubjectReview"] }],
  "authentication.k8s.io/v1beta1": [{ kinds: ["SelfSubjectReview", "TokenReview"] }],
  "authorization.k8s.io/v1beta1": [
    {
      kinds: [
        "LocalSubjectAccessReview",
        "SelfSubjectAccessReview",
        "SelfSubjectRulesReview",
        "SubjectAccessReview",
      ],
    },
  ],
  "autoscaling/v2beta1": [{ kinds: ["HorizontalPodAutoscaler"], until: "1.35" }],
  "autoscaling/v2beta2": [{ kinds: ["HorizontalPodAutoscaler"], until: "1.35" }],
  "batch/v1beta1": [{ kinds: ["CronJob"] }],
  "certificates.k8s.io/v1beta1": [{ kinds: ["CertificateSigningRequest"] }],
  "coordination.k8s.io/v1beta1": [{ kinds: ["Lease"] }],
  "discovery.k8s.io/v1beta1": [{ kinds: ["EndpointSlice"] }],
  "events.k8s.io/v1beta1": [{ kinds: ["Event"] }],
  "extensions/v1beta1": [
    { kinds: ["DaemonSet", "Deployment", "ReplicaSet"], group: "apps" },
    { kinds: ["Ingress", "NetworkPolicy"], group: "networking.k8s.io" },
    { kinds: ["Scale"], group: "autoscaling" },
  ],
  "flowcontrol.apiserver.k8s.io/v1beta1": [{ kinds: FLOWS }],
  "flowcontrol.apiserver.k8s.io/v1beta2": [{ kinds: FLOWS }],
  "flowcontrol.apiserver.k8s.io/v1beta3": [{ kinds: FLOWS }],
  "networking.k8s.io/v1beta1": [{ kinds: [...ADDRESSES, "Ingress", "IngressClass"] }],
  "node.k8s.io/v1alpha1": [{ kinds: ["RuntimeClass"] }],
  "node.k8s.io/v1beta1": [{ kinds: ["RuntimeClass"] }],
  "policy/v1beta1": [{ kinds: ["PodDisruptionBudget"] }],
  "rbac.authorization.k8s.io/v1alpha1": [{ kinds: ROLES }],
  "rbac.authorization.k8s.io/v1beta1": [{ kinds: ROLES }],
  "resource.k8s.io/v1beta1": [{ kinds: DEVICES }],
  "resource.k8s.io/v1beta2": [{ kinds: DEVICES }],
  "scheduling.k8s.io/v1alpha1": [{ kinds: ["PriorityClass"], until: "1.35" }],
  "scheduling.k8s.io/v1beta1": [{ kinds: ["PriorityClass"] }],
  "storage.k8s.io/v1alpha1": [
    { kinds: ["CSIStorageCapacity", "VolumeAttachment", "VolumeAttributesClass"] },
  ],
  "storage.k8s.io/v1beta1": [
    {
      kinds: [
        "CSIDriver",
        "CSINode",
        "CSIStorageCapacity",
        "StorageClass",
        "VolumeAttachment",
        "VolumeAttributesClass",
      ],
    },
  ],
};

/**
 * Returns today's group of a kind of a former version. The server decodes an object of that version, and then refuses it.
 * Returns undefined if the server does not know the kind in that version.
 */
export function groupOfFormer(
  apiVersion: string,
  kind: string,
  release: Release,
): string | undefined {
  if (!Object.hasOwn(FORMER, apiVersion)) return undefined;
  const found = FORMER[apiVersion]!.find((one) => one.kinds.includes(kind) && release.has(one));
  return found && (found.group ?? apiVersion.split("/")[0]);
}
