import type { StructType } from "../values/mod.ts";
import { ADMISSION } from "./tables/admission.ts";
import { CONTAINER } from "./tables/container.ts";
import { CORE } from "./tables/core.ts";
import { CRD } from "./tables/crd.ts";
import { GROUPS } from "./tables/groups.ts";
import { META } from "./tables/meta.ts";
import { NODE } from "./tables/node.ts";
import { POD } from "./tables/pod.ts";
import { Schemas } from "./field_tables.ts";
import { VOLUMES } from "./tables/volumes.ts";
import { WORKLOADS } from "./tables/workloads.ts";

/** The structs of all built-in kinds. */
export const SCHEMAS: Schemas = new Schemas(
  META,
  POD,
  CONTAINER,
  VOLUMES,
  CORE,
  NODE,
  WORKLOADS,
  GROUPS,
  ADMISSION,
  CRD,
);

/** The kinds that have a schema, by `group/version`. The core group has an empty name. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  "/v1": [
    "Pod",
    "ConfigMap",
    "Secret",
    "Service",
    "ServiceAccount",
    "Namespace",
    "Node",
    "Event",
    "Binding",
  ],
  "apps/v1": ["Deployment", "ReplicaSet"],
  "batch/v1": ["Job"],
  "autoscaling/v1": ["Scale"],
  "events.k8s.io/v1": ["Event"],
  "coordination.k8s.io/v1": ["Lease"],
  "policy/v1": ["PodDisruptionBudget", "Eviction"],
  "rbac.authorization.k8s.io/v1": ["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"],
  "authorization.k8s.io/v1": [
    "SelfSubjectAccessReview",
    "SubjectAccessReview",
    "SelfSubjectRulesReview",
  ],
  "authentication.k8s.io/v1": ["SelfSubjectReview"],
  "admissionregistration.k8s.io/v1": [
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
  ],
  "apiextensions.k8s.io/v1": ["CustomResourceDefinition"],
  "meta.k8s.io/v1": ["DeleteOptions"],
};

/** Returns the schema of a built-in kind; undefined if this server does not have the kind. */
export function builtinSchema(
  group: string,
  version: string,
  kind: string,
): StructType | undefined {
  const groupVersion = `${group}/${version}`;
  if (!Object.hasOwn(KINDS, groupVersion) || !KINDS[groupVersion]!.includes(kind)) return undefined;
  return SCHEMAS.struct(group === "events.k8s.io" ? `events.${kind}` : kind);
}
