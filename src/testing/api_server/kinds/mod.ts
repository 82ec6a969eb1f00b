/**
 * The behaviour of each kind: resource definition, defaulting, strategy, validation, table columns and field labels.
 *
 * This folder imports `apply`, `schema`, `storage` and `values`. The request handlers look up here what differs by
 * kind.
 *
 * @module
 */

export { applyDefaults } from "./defaults/defaults.ts";
export { objects } from "./defaults/pod_defaults.ts";
export { checkFieldSelector, parseFieldSelector, requiredFieldValue } from "./field_selector.ts";
export {
  ALL_VERBS,
  type Conversion,
  type ConversionWebhook,
  type ResourceDefinition,
  ResourceInfo,
  type SubresourceDefinition,
} from "./resource_info.ts";
export { matchesSelector } from "./label_matching.ts";
export { ResourceRegistry } from "./resource_registry.ts";
export { readOwnedScale, readScale, writeOwnedScale, writeScale } from "./scale.ts";
export {
  applyPatch,
  hasValidOwners,
  managerFromUserAgent,
  updateManagedFields,
} from "./server_side_apply.ts";
export { isNoop, prepareForCreate, prepareForUpdate } from "./strategy/strategy.ts";
export { admit } from "./strategy/admission.ts";
export {
  allocatesNodePorts,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePorts,
  serviceWarnings,
} from "./strategy/service.ts";
export { toPartialObjectMetadata, toPartialObjectMetadataList, toTable } from "./table/table.ts";
export {
  checkNameMatches,
  checkNamespaceMatches,
  validateCreate,
  validateUpdate,
} from "./validation/validation.ts";
export { celRulesIn } from "./validation/crd_validation.ts";
