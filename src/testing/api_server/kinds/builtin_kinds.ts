import { VALIDATING_ADMISSION_POLICY } from "./admissionregistration/validating_admission_policy.ts";
import { VALIDATING_ADMISSION_POLICY_BINDING } from "./admissionregistration/validating_admission_policy_binding.ts";
import {
  MUTATING_WEBHOOK_CONFIGURATION,
  VALIDATING_WEBHOOK_CONFIGURATION,
} from "./admissionregistration/webhook_configurations.ts";
import { CUSTOM_RESOURCE_DEFINITION } from "./apiextensions/custom_resource_definition.ts";
import { API_SERVICE } from "./apiregistration/api_service.ts";
import { CONTROLLER_REVISION } from "./apps/controller_revision.ts";
import { DAEMON_SET } from "./apps/daemon_set.ts";
import { DEPLOYMENT } from "./apps/deployment.ts";
import { REPLICA_SET } from "./apps/replica_set.ts";
import { STATEFUL_SET } from "./apps/stateful_set.ts";
import { SELF_SUBJECT_REVIEW } from "./authentication/self_subject_review.ts";
import { TOKEN_REVIEW } from "./authentication/token_review.ts";
import {
  LOCAL_SUBJECT_ACCESS_REVIEW,
  SELF_SUBJECT_ACCESS_REVIEW,
  SELF_SUBJECT_RULES_REVIEW,
  SUBJECT_ACCESS_REVIEW,
} from "./authorization/access_reviews.ts";
import {
  HORIZONTAL_POD_AUTOSCALER,
  HORIZONTAL_POD_AUTOSCALER_V1,
} from "./autoscaling/horizontal_pod_autoscaler.ts";
import { CRON_JOB } from "./batch/cron_job.ts";
import { JOB } from "./batch/job.ts";
import { CERTIFICATE_SIGNING_REQUEST } from "./certificates/certificate_signing_request.ts";
import { LEASE } from "./coordination/lease.ts";
import { BINDING } from "./core/binding.ts";
import { COMPONENT_STATUS } from "./core/component_status.ts";
import { CONFIG_MAP } from "./core/config_map.ts";
import { ENDPOINTS } from "./core/endpoints.ts";
import { CORE_EVENT } from "./core/event.ts";
import { LIMIT_RANGE } from "./core/limit_range.ts";
import { NAMESPACE } from "./core/namespace.ts";
import { NODE } from "./core/node.ts";
import { PERSISTENT_VOLUME } from "./core/persistent_volume.ts";
import { PERSISTENT_VOLUME_CLAIM } from "./core/persistent_volume_claim.ts";
import { POD } from "./core/pod.ts";
import { POD_TEMPLATE } from "./core/pod_template.ts";
import { REPLICATION_CONTROLLER } from "./core/replication_controller.ts";
import { RESOURCE_QUOTA } from "./core/resource_quota.ts";
import { SECRET } from "./core/secret.ts";
import { SERVICE } from "./core/service.ts";
import { SERVICE_ACCOUNT } from "./core/service_account.ts";
import { ENDPOINT_SLICE } from "./discovery/endpoint_slice.ts";
import { EVENT } from "./events/event.ts";
import { FLOW_SCHEMA } from "./flowcontrol/flow_schema.ts";
import { PRIORITY_LEVEL_CONFIGURATION } from "./flowcontrol/priority_level_configuration.ts";
import type { KindRecord } from "./kind_record.ts";
import { INGRESS } from "./networking/ingress.ts";
import { INGRESS_CLASS } from "./networking/ingress_class.ts";
import { IP_ADDRESS } from "./networking/ip_address.ts";
import { NETWORK_POLICY } from "./networking/network_policy.ts";
import { SERVICE_CIDR } from "./networking/service_cidr.ts";
import { RUNTIME_CLASS } from "./node/runtime_class.ts";
import { POD_DISRUPTION_BUDGET } from "./policy/pod_disruption_budget.ts";
import { CLUSTER_ROLE } from "./rbac/cluster_role.ts";
import { CLUSTER_ROLE_BINDING } from "./rbac/cluster_role_binding.ts";
import { ROLE } from "./rbac/role.ts";
import { ROLE_BINDING } from "./rbac/role_binding.ts";
import { DEVICE_CLASS } from "./resource/device_class.ts";
import { RESOURCE_CLAIM } from "./resource/resource_claim.ts";
import { RESOURCE_CLAIM_TEMPLATE } from "./resource/resource_claim_template.ts";
import { RESOURCE_SLICE } from "./resource/resource_slice.ts";
import { PRIORITY_CLASS } from "./scheduling/priority_class.ts";
import { CSI_DRIVER } from "./storage/csi_driver.ts";
import { CSI_NODE } from "./storage/csi_node.ts";
import { CSI_STORAGE_CAPACITY } from "./storage/csi_storage_capacity.ts";
import { STORAGE_CLASS } from "./storage/storage_class.ts";
import { VOLUME_ATTACHMENT } from "./storage/volume_attachment.ts";
import { VOLUME_ATTRIBUTES_CLASS } from "./storage/volume_attributes_class.ts";

/** The built-in kinds, which need no CustomResourceDefinition, in the order of discovery. */
export const BUILTIN_KINDS: readonly KindRecord[] = [
  BINDING,
  COMPONENT_STATUS,
  CONFIG_MAP,
  ENDPOINTS,
  CORE_EVENT,
  LIMIT_RANGE,
  NAMESPACE,
  NODE,
  PERSISTENT_VOLUME_CLAIM,
  PERSISTENT_VOLUME,
  POD,
  POD_TEMPLATE,
  REPLICATION_CONTROLLER,
  RESOURCE_QUOTA,
  SECRET,
  SERVICE_ACCOUNT,
  SERVICE,
  API_SERVICE,
  CONTROLLER_REVISION,
  DAEMON_SET,
  DEPLOYMENT,
  REPLICA_SET,
  STATEFUL_SET,
  EVENT,
  SELF_SUBJECT_REVIEW,
  TOKEN_REVIEW,
  LOCAL_SUBJECT_ACCESS_REVIEW,
  SELF_SUBJECT_ACCESS_REVIEW,
  SELF_SUBJECT_RULES_REVIEW,
  SUBJECT_ACCESS_REVIEW,
  HORIZONTAL_POD_AUTOSCALER,
  HORIZONTAL_POD_AUTOSCALER_V1,
  CRON_JOB,
  JOB,
  CERTIFICATE_SIGNING_REQUEST,
  INGRESS_CLASS,
  INGRESS,
  IP_ADDRESS,
  NETWORK_POLICY,
  SERVICE_CIDR,
  POD_DISRUPTION_BUDGET,
  CLUSTER_ROLE_BINDING,
  CLUSTER_ROLE,
  ROLE_BINDING,
  ROLE,
  CSI_DRIVER,
  CSI_NODE,
  CSI_STORAGE_CAPACITY,
  STORAGE_CLASS,
  VOLUME_ATTACHMENT,
  VOLUME_ATTRIBUTES_CLASS,
  MUTATING_WEBHOOK_CONFIGURATION,
  VALIDATING_ADMISSION_POLICY,
  VALIDATING_ADMISSION_POLICY_BINDING,
  VALIDATING_WEBHOOK_CONFIGURATION,
  CUSTOM_RESOURCE_DEFINITION,
  PRIORITY_CLASS,
  LEASE,
  RUNTIME_CLASS,
  ENDPOINT_SLICE,
  DEVICE_CLASS,
  RESOURCE_CLAIM,
  RESOURCE_CLAIM_TEMPLATE,
  RESOURCE_SLICE,
  FLOW_SCHEMA,
  PRIORITY_LEVEL_CONFIGURATION,
];
