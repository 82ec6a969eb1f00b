import {
  MUTATING_WEBHOOK_CONFIGURATION,
  VALIDATING_WEBHOOK_CONFIGURATION,
} from "./admissionregistration/webhook_configurations.ts";
import { CUSTOM_RESOURCE_DEFINITION } from "./apiextensions/custom_resource_definition.ts";
import { DEPLOYMENT } from "./apps/deployment.ts";
import { REPLICA_SET } from "./apps/replica_set.ts";
import { SELF_SUBJECT_REVIEW } from "./authentication/self_subject_review.ts";
import {
  SELF_SUBJECT_ACCESS_REVIEW,
  SELF_SUBJECT_RULES_REVIEW,
  SUBJECT_ACCESS_REVIEW,
} from "./authorization/access_reviews.ts";
import { JOB } from "./batch/job.ts";
import { LEASE } from "./coordination/lease.ts";
import { CONFIG_MAP } from "./core/config_map.ts";
import { CORE_EVENT } from "./core/event.ts";
import { NAMESPACE } from "./core/namespace.ts";
import { NODE } from "./core/node.ts";
import { POD } from "./core/pod.ts";
import { SECRET } from "./core/secret.ts";
import { SERVICE } from "./core/service.ts";
import { SERVICE_ACCOUNT } from "./core/service_account.ts";
import { EVENT } from "./events/event.ts";
import type { KindRecord } from "./kind_record.ts";
import { POD_DISRUPTION_BUDGET } from "./policy/pod_disruption_budget.ts";
import { CLUSTER_ROLE } from "./rbac/cluster_role.ts";
import { CLUSTER_ROLE_BINDING } from "./rbac/cluster_role_binding.ts";
import { ROLE } from "./rbac/role.ts";
import { ROLE_BINDING } from "./rbac/role_binding.ts";

/** The built-in kinds, which need no CustomResourceDefinition, in the order of discovery. */
export const BUILTIN_KINDS: readonly KindRecord[] = [
  CONFIG_MAP,
  CORE_EVENT,
  NAMESPACE,
  NODE,
  POD,
  SECRET,
  SERVICE_ACCOUNT,
  SERVICE,
  DEPLOYMENT,
  REPLICA_SET,
  EVENT,
  SELF_SUBJECT_REVIEW,
  SELF_SUBJECT_ACCESS_REVIEW,
  SELF_SUBJECT_RULES_REVIEW,
  SUBJECT_ACCESS_REVIEW,
  JOB,
  POD_DISRUPTION_BUDGET,
  CLUSTER_ROLE_BINDING,
  CLUSTER_ROLE,
  ROLE_BINDING,
  ROLE,
  MUTATING_WEBHOOK_CONFIGURATION,
  VALIDATING_WEBHOOK_CONFIGURATION,
  CUSTOM_RESOURCE_DEFINITION,
  LEASE,
];
