/**
 * The types of the Kubernetes API, the descriptors of its resources, and helpers for objects, errors and selectors.
 *
 * Here are the kinds that controllers use most often; all others have entry points such as `./types/apps/v1`. Any object
 * with `metadata` works. To add a custom resource, write an interface or a schema, and call {@linkcode defineResource}.
 *
 * @module
 */

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
  Status,
  StatusCause,
  StatusDetails,
} from "./minimal/mod.ts";
export {
  apiVersionOf,
  type Resource,
  type ResourceDescriptor,
  resourceName,
} from "./minimal/mod.ts";
export {
  type ConfigMap,
  ConfigMaps,
  type Container,
  type ContainerStatus,
  type CustomResourceConversion,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  type CustomResourceDefinitionVersion,
  type Deployment,
  Deployments,
  type Event,
  Events,
  type Job,
  Jobs,
  type JSONSchemaProps,
  type Lease,
  Leases,
  type Namespace,
  Namespaces,
  type Node,
  Nodes,
  type ObjectReference,
  type Pod,
  Pods,
  type PodSpec,
  type PodStatus,
  type PodTemplateSpec,
  type ReplicaSet,
  ReplicaSets,
  type Secret,
  Secrets,
  type Service,
  type ServiceAccount,
  ServiceAccounts,
  type ServicePort,
  Services,
} from "../kinds/mod.ts";
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
export { explainError, isMissingRight } from "./explain_error.ts";
export { labelSelectorAsSelector, parseSelector, Selector } from "./label_selector.ts";
export {
  type BatchedWatch,
  type ListerWatcher,
  type ListerWatcherCall,
  type ListerWatcherSource,
  type ListOptions,
  type ListWatchScope,
  type ObjectReader,
  type ProtobufReader,
  type ReadEvent,
  requireListerWatcher,
} from "./lister_watcher.ts";
export {
  type AllFields,
  type FieldAt,
  type FieldsOf,
  fieldsOf,
  KEPT_PATHS,
  type KeptMetadata,
  keptPart,
  type NamesBelowMetadata,
  type NamesIn,
  type NamesOf,
} from "./fields_of.ts";
export { metadataOf, type PartialObjectMetadata } from "./metadata_of.ts";
export { type Pause, pauseOf, pauseOfObject } from "./control_annotations.ts";
export { defineResource } from "./define_resource.ts";
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
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isInvalid,
  isNotFound,
  isObjectNotFound,
  isReplaced,
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
