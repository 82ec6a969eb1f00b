/** What an object says of the object that owns it. */
export interface OwnerReference {
  /** The owner's API version. */
  apiVersion: string;
  /** The owner's kind. */
  kind: string;
  /** The owner's name; it lives in the same namespace or in none. */
  name: string;
  /** The owner's uid: a new object under the old name is not the owner. */
  uid: string;
  /** Whether this owner is the controller; at most one is. */
  controller?: boolean;
  /** Whether a foreground deletion of the owner waits for this object. */
  blockOwnerDeletion?: boolean;
}

/** Which fields a manager set, and when. */
export interface ManagedFieldsEntry {
  /** The name of the manager. */
  manager?: string;
  /** How the fields were set. */
  operation?: "Apply" | "Update";
  /** The version in which `fieldsV1` is written. */
  apiVersion?: string;
  /** When the fields were last set (RFC 3339). */
  time?: string;
  /** The format of `fieldsV1`; there is one. */
  fieldsType?: "FieldsV1";
  /** The set of fields. */
  fieldsV1?: Record<string, unknown>;
  /** The subresource through which they were set. */
  subresource?: string;
}

/** What every object carries. Timestamps are RFC 3339 strings; a resource version is opaque. */
export interface ObjectMeta {
  /** Unique within the namespace and kind. */
  name?: string;
  /** A prefix that the server completes to a name. */
  generateName?: string;
  /** The namespace; absent on cluster-scoped objects. */
  namespace?: string;
  /** Unique over time: a recreated object has another. */
  uid?: string;
  /** The version of this object; opaque. */
  resourceVersion?: string;
  /** Counts changes of the desired state. */
  generation?: number;
  /** When the server created it. */
  creationTimestamp?: string;
  /** When it is to go; set by the server on a delete that must wait. */
  deletionTimestamp?: string;
  /** How long the deletion may take, in seconds. */
  deletionGracePeriodSeconds?: number;
  /** What selectors match. */
  labels?: Record<string, string>;
  /** Anything else that tools note. */
  annotations?: Record<string, string>;
  /** Who owns it. */
  ownerReferences?: OwnerReference[];
  /** Who must act before it is removed. */
  finalizers?: string[];
  /** Which manager set which fields. */
  managedFields?: ManagedFieldsEntry[];
}

/**
 * Any object of the Kubernetes API. A custom resource is one interface that extends it.
 *
 * @example A custom resource
 * ```ts
 * import type { KubeObject } from "@kubeloop/controller/types";
 *
 * interface Website extends KubeObject {
 *   spec: { image: string; replicas?: number };
 * }
 *
 * const site: Website = { metadata: { name: "blog" }, spec: { image: "nginx" } };
 * site.spec.image;
 * ```
 */
export interface KubeObject {
  /** Group and version, as in `apps/v1`. Absent on items of lists of built-in kinds. */
  apiVersion?: string;
  /** The kind, as in `Deployment`. Absent on items of lists of built-in kinds. */
  kind?: string;
  /** Name, labels, versions. */
  metadata: ObjectMeta;
}

/** What a list or one page of it says of itself. */
export interface ListMeta {
  /** The version of the collection; a watch can go on from here. */
  resourceVersion?: string;
  /** The token for the next page; empty or absent on the last. */
  continue?: string;
  /** How many items follow, when the server says. */
  remainingItemCount?: number;
}

/** A list of objects, or one page of it. */
export interface KubeList<T extends KubeObject = KubeObject> {
  /** Group and version. */
  apiVersion?: string;
  /** The kind of the list, as in `PodList`. */
  kind?: string;
  /** Version and continue token. */
  metadata: ListMeta;
  /** The objects, ordered by namespace and name. */
  items: T[];
}

/** A set-based requirement of a {@linkcode LabelSelector}. */
export interface LabelSelectorRequirement {
  /** The label's name. */
  key: string;
  /** How its value is compared. */
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  /** The values for `In` and `NotIn`. */
  values?: string[];
}

/** Which labels an object must have. An empty one selects everything. */
export interface LabelSelector {
  /** Labels and their exact values. */
  matchLabels?: Record<string, string>;
  /** Further requirements; all must hold. */
  matchExpressions?: LabelSelectorRequirement[];
}

/** One condition of a status. */
export interface Condition {
  /** What it is about, as in `Ready`. */
  type: string;
  /** Whether it holds. */
  status: "True" | "False" | "Unknown";
  /** The generation it was found at. */
  observedGeneration?: number;
  /** When `status` last changed (RFC 3339). */
  lastTransitionTime?: string;
  /** Why, as one word for machines. */
  reason?: string;
  /** Why, for people. */
  message?: string;
}
