/**
 * The behaviour of each kind. A {@linkcode KindRecord} in a file of its own says what is special about a built-in kind:
 * its resource, defaults, validation, table and more; the list is in `builtin_kinds.ts`.
 *
 * This folder imports `apply`, `schema`, `storage` and `values`. The request handlers look up here what differs by
 * kind.
 *
 * @module
 */

export { approvalOf } from "./apiextensions/api_approval.ts";
export { danglingOf } from "./flowcontrol/dangling.ts";
export { ALL_REQUESTS, MANDATORY_SCHEMAS } from "./flowcontrol/mandatory.ts";
export { applyDefaults } from "./defaults/defaults.ts";
export { objects } from "./defaults/pod_defaults.ts";
export { checkFieldSelector, parseFieldSelector, requiredFieldValue } from "./field_selector.ts";
export {
  ALL_VERBS,
  type Conversion,
  type ResourceDefinition,
  type SubresourceDefinition,
} from "./resource_definition.ts";
export { asStored, type ConversionWebhook, ResourceInfo } from "./resource_info.ts";
export type { ClusterView, Confirmation, Deletion, KindRecord, Writer } from "./kind_record.ts";
export { addAmounts, isSameUsage, moreThan, type Usage } from "./quota/amounts.ts";
export { inScopes, type QuotaRules, totalUsage, usageIn } from "./quota/quota_rules.ts";
export { quotaRulesOf } from "./quota/quota_rules_of.ts";
export { requireContainer, requireKubelet } from "./core/pod_kubelet.ts";
export { matchesSelector } from "./label_matching.ts";
export type { Review, ReviewView } from "./review.ts";
export { compareVersions, ResourceRegistry } from "./resource_registry.ts";
export { readOwnedScale, readScale, writeOwnedScale, writeScale } from "./scale.ts";
export {
  applyPatch,
  hasValidOwners,
  managerFromUserAgent,
  updateManagedFields,
} from "./server_side_apply.ts";
export {
  admit,
  asRead,
  confirm,
  isNoop,
  prepareForCreate,
  prepareForUpdate,
} from "./strategy/strategy.ts";
export { topologyLabels } from "./core/topology_labels.ts";
export { SCALE_TABLE } from "./autoscaling/scale.ts";
export { toPartialObjectMetadata, toPartialObjectMetadataList, toTable } from "./table/table.ts";
export {
  checkNameMatches,
  checkNamespaceMatches,
  validateCreate,
  validateUpdate,
} from "./validation/validation.ts";
