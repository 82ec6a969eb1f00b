// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `meta`. */
export const META: StructTable = {
  "meta.Condition": `
    type string!*; status string!* go=v1.ConditionStatus; observedGeneration int64;
    lastTransitionTime time!*; reason string!*; message string!*
  `,
  "meta.DeleteOptions": `
    @object; gracePeriodSeconds int64?; preconditions meta.Preconditions?; orphanDependents bool?;
    propagationPolicy string? go=v1.DeletionPropagation; dryRun []string atomic;
    ignoreStoreReadErrorWithClusterBreakingPotential bool?
  `,
  "meta.FieldSelectorRequirement": `
    key string!*; operator string!* go=v1.FieldSelectorOperator; values []string atomic
  `,
  "meta.GroupResource": "group string!*; resource string!*",
  "meta.LabelSelector": `
    @atomic; matchLabels {}string; matchExpressions []meta.LabelSelectorRequirement atomic
  `,
  "meta.LabelSelectorRequirement": `
    key string!*; operator string!* go=v1.LabelSelectorOperator; values []string atomic
  `,
  "meta.List": "@object; metadata meta.ListMeta!; items []any!*",
  "meta.ListMeta": `
    selfLink string; resourceVersion string; continue string; remainingItemCount int64?;
    shardInfo meta.ShardInfo?
  `,
  "meta.ManagedFieldsEntry": `
    manager string; operation string go=v1.ManagedFieldsOperationType; apiVersion string;
    time time?; fieldsType string #6; fieldsV1 any?; subresource string
  `,
  "meta.ObjectMeta": `
    name string; generateName string; namespace string; selfLink string; uid string go=types.UID;
    resourceVersion string; generation int64; creationTimestamp time; deletionTimestamp time?;
    deletionGracePeriodSeconds int64?; labels {}string; annotations {}string;
    ownerReferences []meta.OwnerReference key=uid; finalizers []string set merge;
    managedFields []meta.ManagedFieldsEntry? atomic #17
  `,
  "meta.OwnerReference": `
    @atomic; apiVersion string!* #5; kind string!* #1; name string!* #3; uid string!* go=types.UID;
    controller bool? #6; blockOwnerDeletion bool?
  `,
  "meta.Preconditions": "uid string? go=types.UID; resourceVersion string?",
  "meta.ShardInfo": "selector string!*",
  "meta.Status": `
    @object; metadata meta.ListMeta!; status string; message string;
    reason string go=v1.StatusReason; details meta.StatusDetails?; code int32
  `,
  "meta.StatusCause": "reason string go=v1.CauseType; message string; field string",
  "meta.StatusDetails": `
    name string; group string; kind string; uid string go=types.UID #6;
    causes []meta.StatusCause atomic #4; retryAfterSeconds int32
  `,
};
