import type { StructTable } from "../field_tables.ts";

/** ObjectMeta and other structs that many kinds share. */
export const META: StructTable = {
  DeleteOptions: `
    kind string; apiVersion string; gracePeriodSeconds int64?; preconditions Preconditions?;
    orphanDependents bool?; propagationPolicy string?; dryRun []string;
    ignoreStoreReadErrorWithClusterBreakingPotential bool?
  `,
  ObjectMeta: `
    name string; generateName string; namespace string; selfLink string; uid string;
    resourceVersion string; generation int64; creationTimestamp time; deletionTimestamp time?;
    deletionGracePeriodSeconds int64?; labels {}string; annotations {}string;
    ownerReferences []OwnerReference key=uid; finalizers []string set merge;
    managedFields []ManagedFieldsEntry?
  `,
  LabelSelector: "@atomic; matchLabels {}string; matchExpressions []LabelSelectorRequirement",
  Condition: `
    type string!; status string!; observedGeneration int64; lastTransitionTime time!;
    reason string!; message string!
  `,
  Preconditions: "uid string?; resourceVersion string?",
  OwnerReference: `
    @atomic; apiVersion string!; kind string!; name string!; uid string!; controller bool?;
    blockOwnerDeletion bool?
  `,
  ManagedFieldsEntry: `
    manager string; operation string; apiVersion string; time time?; fieldsType string;
    fieldsV1 any?; subresource string
  `,
  LabelSelectorRequirement: "key string!; operator string!; values []string",
};
