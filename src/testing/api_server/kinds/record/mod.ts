/**
 * The record of a kind: the data and hooks by which the server tells kinds apart, and `defineKind()`, which fills in
 * the defaults.
 *
 * @module
 */

export { connection, defineKind, SCALE, STATUS } from "./define_kind.ts";
export { at, type FieldReader, orElse } from "./field_labels.ts";
export type {
  Allocation,
  ClusterView,
  Confirmation,
  Connection,
  FieldPath,
  KindChange,
  KindOptions,
  KindPart,
  KindRecord,
  ProxyRequest,
  ScaledFields,
  Writer,
} from "./kind_record.ts";
export {
  countOf,
  inScopes,
  NOT_COUNTED,
  objectCount,
  type QuotaRules,
  selectsClass,
  totalUsage,
  usageIn,
} from "./quota_rules.ts";
export {
  ALL_VERBS,
  type Conversion,
  type ResourceDefinition,
  type SubresourceDefinition,
} from "./resource_definition.ts";
export {
  type Review,
  type ReviewedAccess,
  type ReviewedUser,
  type ReviewView,
  userInfo,
} from "./review.ts";
