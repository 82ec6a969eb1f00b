/**
 * Minimal, hand-written interfaces of the Kubernetes API, and descriptors of its resources.
 *
 * Any object with `metadata` works. To add a custom resource, write an interface or a schema, and call
 * {@linkcode defineResource}.
 *
 * @module
 */

export { AnswerTooLargeError } from "./answer_too_large_error.ts";
export {
  findStatusCondition,
  isStatusConditionTrue,
  setStatusCondition,
  type SetStatusConditionOptions,
  takenNames,
} from "./conditions.ts";
export { controllerOf, controllerReference, isControlledBy } from "./owners.ts";
export type {
  CheckedNames,
  CheckedPath,
  CheckedText,
  FieldName,
  FieldOf,
  FieldPath,
} from "./field_path.ts";
export { fillInKind, itemKindOf, withType } from "./fill_in_kind.ts";
export { deepCopy, type DeepReadonly, type DeepWritable } from "./deep_readonly.ts";
export type {
  ApplyConfiguration,
  DeepPartial,
  MergePatch,
  StrategicMergePatch,
} from "./partial_objects.ts";
export type { Cached, Stored, StoredMeta } from "./stored.ts";
export {
  type ConfigMap,
  ConfigMaps,
  type Container,
  type ContainerStatus,
  type Event,
  Events,
  type Namespace,
  Namespaces,
  type Node,
  Nodes,
  type ObjectReference,
  type Pod,
  Pods,
  type PodSpec,
  type PodStatus,
  type Secret,
  Secrets,
  type Service,
  type ServiceAccount,
  ServiceAccounts,
  type ServicePort,
  Services,
} from "./core.ts";
export {
  type CustomResourceConversion,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  type CustomResourceDefinitionVersion,
  type JSONSchemaProps,
} from "./crd.ts";
export { explainError, isMissingRight } from "./explain_error.ts";
export { labelSelectorAsSelector, parseSelector, Selector } from "./label_selector.ts";
export { type Lease, Leases } from "./lease.ts";
export {
  type BatchedWatch,
  type ListerWatcher,
  type ListerWatcherCall,
  type ListerWatcherSource,
  type ListWatchScope,
  requireListerWatcher,
} from "./lister_watcher.ts";
export type { ListOptions } from "./list_options.ts";
export type {
  Condition,
  KubeList,
  KubeObject,
  LabelSelector,
  LabelSelectorRequirement,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from "./meta.ts";
export { metadataOf, type PartialObjectMetadata } from "./metadata_of.ts";
export type { ObjectReader, ReadEvent } from "./object_reader.ts";
export { defineResource } from "./define_resource.ts";
export { apiVersionOf, type Resource, type ResourceDescriptor, resourceName } from "./resource.ts";
export { compareResourceVersions, isExactVersion, receivedVersion } from "./resource_version.ts";
export type {
  CustomObject,
  DefinedInput,
  DefinedObject,
  DefinedResource,
  GivenVersions,
  ObjectOf,
  OtherVersion,
  PrinterColumn,
  ResourceDefinition,
  ScaleDefinition,
  StandardStatus,
  ValidationRule,
  VersionObjects,
  VersionSchema,
  WithStandard,
} from "./resource_definition.ts";
export type {
  FromJsonSchema,
  JsonSchema,
  PlainSchema,
  Schema,
  SchemaInput,
  SchemaOutput,
} from "./schema.ts";
export type {
  StandardIssue,
  StandardJSONSchemaOptions,
  StandardJSONSchemaProps,
  StandardJSONSchemaV1,
  StandardResult,
} from "./standard_schema.ts";
export { isQualifiedName, type SelectorRequirement } from "./selector_requirement.ts";
export { readStatus } from "./read_status.ts";
export type { Status, StatusCause, StatusDetails } from "./status.ts";
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isInvalid,
  isNotFound,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  MAX_RETRY_AFTER_MS,
  retryAfterOf,
  StatusError,
  type StatusErrorOptions,
} from "./status_error.ts";
export { formatMicroTime, formatTime } from "./time.ts";
export {
  type Bookmark,
  INITIAL_EVENTS_END,
  type WatchEvent,
  type WatchLine,
} from "./watch_event.ts";
export {
  type Deployment,
  Deployments,
  type Job,
  Jobs,
  type PodTemplateSpec,
  type ReplicaSet,
  ReplicaSets,
} from "./workloads.ts";
