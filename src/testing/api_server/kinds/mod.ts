/**
 * The behaviour of each kind. A {@linkcode KindRecord} in a file of its own says what is special about a built-in kind:
 * its resource, defaults, validation, table and more; the list is in `builtin_kinds.ts`.
 *
 * This folder imports `apply`, `schema`, `storage` and `values`. The request handlers look up here what differs by
 * kind.
 *
 * @module
 */

export { EXCLUDES_VIRTUAL, VIRTUAL_RESOURCES } from "./admissionregistration/mod.ts";
export { approvalOf } from "./apiextensions/mod.ts";
export { ALL_REQUESTS, danglingOf, MANDATORY_SCHEMAS } from "./flowcontrol/mod.ts";
export { applyConfiguration } from "./apply_configuration.ts";
export { applyDefaults } from "./defaults.ts";
export {
  addAmounts,
  isSameUsage,
  matchesSelector,
  moreThan,
  objects,
  type Usage,
  validateAnnotations,
  validateLabels,
} from "./shared/mod.ts";
export { checkFieldSelector, parseFieldSelector, requiredFieldValue } from "./field_selector.ts";
export { parseShardSelector } from "./shard_selector.ts";
export {
  ALL_VERBS,
  type ClusterView,
  type Confirmation,
  type Connection,
  type Conversion,
  inScopes,
  type KindRecord,
  type QuotaRules,
  type ResourceDefinition,
  type Review,
  type ReviewView,
  type SubresourceDefinition,
  totalUsage,
  usageIn,
  type Writer,
} from "./record/mod.ts";
export { asStored, type ConversionWebhook, ResourceInfo } from "./resource_info.ts";
export { quotaRulesOf } from "./record_of.ts";
export { requireContainer, requireKubelet } from "./core/connections/mod.ts";
export { ResourceRegistry } from "./resource_registry.ts";
export { readOwnedScale, readScale, writeOwnedScale, writeScale } from "./scale.ts";
export {
  applyPatch,
  managerFromUserAgent,
  ownersProblem,
  updateManagedFields,
} from "./server_side_apply.ts";
export { ConfigurationError, TrackingError, type VersionViews } from "../apply/mod.ts";
export { prepareCreate, type PreparedWrite, prepareUpdate } from "./prepare_write.ts";
export { admit, confirm, isNoop, prepareForCreate } from "./strategy.ts";
export { topologyLabels } from "./core/pod/mod.ts";
export { SCALE_TABLE } from "./scale_table.ts";
export { toPartialObjectMetadata, toPartialObjectMetadataList, toTable } from "./table.ts";
export { checkNameMatches, checkNamespaceMatches } from "./validation.ts";
