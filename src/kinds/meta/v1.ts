// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `meta/v1`.
 *
 * @module
 */

import type { KubeList } from "../../types/minimal/mod.ts";
import type { OpenEnum } from "../scalars.ts";
export type {
  Condition,
  LabelSelector,
  LabelSelectorRequirement,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
  Status,
  StatusCause,
  StatusDetails,
} from "../../types/minimal/mod.ts";
export type { Base64, IntOrString, MicroTime, OpenEnum, Quantity, Time } from "../scalars.ts";

/** The options `DeleteOptions` of `meta.k8s.io/v1`. */
export type DeleteOptions = {
  apiVersion?: string;
  kind?: string;
  gracePeriodSeconds?: number;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: DeletionPropagation;
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
};

/** The known values of `DeletionPropagation`. */
export type DeletionPropagation = OpenEnum<"Background" | "Foreground" | "Orphan">;

/** The known values of `FieldSelectorOperator`. */
export type FieldSelectorOperator = OpenEnum<"DoesNotExist" | "Exists" | "In" | "NotIn">;

/** The `spec.resourceAttributes.fieldSelector.requirements[]` of a LocalSubjectAccessReview. */
export type FieldSelectorRequirement = {
  key: string;
  operator: FieldSelectorOperator;
  values?: string[];
};

/** The `spec.resource` of a StorageVersionMigration. */
export type GroupResource = {
  group: string;
  resource: string;
};

/** A list of objects of any kind. */
export type List = KubeList;

/** The `deleteOptions.preconditions` of an Eviction. */
export type Preconditions = {
  uid?: string;
  resourceVersion?: string;
};

/** A ShardInfo of `meta.k8s.io/v1`. Since Kubernetes 1.36. */
export type ShardInfo = {
  selector: string;
};

/** The known values of `StatusReason`. */
export type StatusReason = OpenEnum<
  | ""
  | "AlreadyExists"
  | "BadRequest"
  | "Conflict"
  | "Expired"
  | "Forbidden"
  | "Gone"
  | "InternalError"
  | "Invalid"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "NotFound"
  | "RequestEntityTooLarge"
  | "ServerTimeout"
  | "ServiceUnavailable"
  | "StorageReadError"
  | "Timeout"
  | "TooManyRequests"
  | "Unauthorized"
  | "UnsupportedMediaType"
>;
