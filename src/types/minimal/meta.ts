/** A reference from an object to its owner. */
export interface OwnerReference {
  /** The API version of the owner. */
  apiVersion: string;
  /** The kind of the owner. */
  kind: string;
  /** The name of the owner. The owner is in the same namespace as the object, or cluster-scoped. */
  name: string;
  /** The UID of the owner. A new object with the same name has another UID and is not the owner. */
  uid: string;
  /** Whether the owner is the controller owner. An object has at most one. */
  controller?: boolean;
  /** Whether a foreground deletion of the owner waits until this object is deleted. */
  blockOwnerDeletion?: boolean;
}

/** The fields that one field manager owns, and when they were last set. */
export interface ManagedFieldsEntry {
  /** The name of the field manager. */
  manager?: string;
  /** The operation with which the fields were set. */
  operation?: "Apply" | "Update";
  /** The API version of the object in which `fieldsV1` is expressed. */
  apiVersion?: string;
  /** The time at which the fields were last set (RFC 3339). */
  time?: string;
  /** The format of `fieldsV1`. `FieldsV1` is the only one. */
  fieldsType?: "FieldsV1";
  /** The set of fields. */
  fieldsV1?: Record<string, unknown>;
  /** The subresource through which the fields were set; empty for the object itself. */
  subresource?: string;
}

/** The metadata that every object has. Timestamps are RFC 3339 strings. Resource versions are opaque. */
export interface ObjectMeta {
  /** The name of the object, unique within its namespace and kind. */
  name?: string;
  /** The prefix from which the server generates a unique name if `name` is missing. */
  generateName?: string;
  /** The namespace of the object. Absent on cluster-scoped objects. */
  namespace?: string;
  /** The UID of the object, unique over time: an object that is deleted and created again gets another UID. */
  uid?: string;
  /** The resource version of the object. Opaque. */
  resourceVersion?: string;
  /** The generation of the desired state. The server increments it with each change. */
  generation?: number;
  /** The time at which the server created the object. */
  creationTimestamp?: string;
  /**
   * The time at which the object is to be deleted. Set by the server when a deletion has to wait, as for finalizers.
   */
  deletionTimestamp?: string;
  /** The time that the object has to terminate gracefully before it is removed, in seconds. */
  deletionGracePeriodSeconds?: number;
  /** The labels of the object, which selectors match. */
  labels?: Record<string, string>;
  /** The annotations of the object: arbitrary metadata that tools store and read. */
  annotations?: Record<string, string>;
  /** The owners of the object. */
  ownerReferences?: OwnerReference[];
  /** The finalizers, which must all be removed before the object is deleted. */
  finalizers?: string[];
  /** The managed fields: which field manager set which fields. */
  managedFields?: ManagedFieldsEntry[];
}

/**
 * An object of the Kubernetes API. A custom resource is an interface that extends this one.
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
  /**
   * The API group and version, as in `apps/v1`. The server leaves it out in lists of built-in kinds; the client fills it
   * in.
   */
  apiVersion?: string;
  /** The kind, as in `Deployment`. The server leaves it out in lists of built-in kinds; the client fills it in. */
  kind?: string;
  /** The metadata of the object, such as its name, labels and resource version. */
  metadata: ObjectMeta;
}

/** The metadata of a list, or of one page of it. */
export interface ListMeta {
  /** The resource version of the collection, from which a watch can start. */
  resourceVersion?: string;
  /** The continue token of the next page; empty or absent on the last page. */
  continue?: string;
  /** The number of items that follow this page, if the server knows it. */
  remainingItemCount?: number;
}

/** A list of objects, or one page of it. */
export interface KubeList<T extends KubeObject = KubeObject> {
  /** The API group and version of the list. */
  apiVersion?: string;
  /** The kind of the list, as in `PodList`. */
  kind?: string;
  /** The metadata of the list: resource version and continue token. */
  metadata: ListMeta;
  /** The objects, ordered by namespace and name. */
  items: T[];
}

/** A requirement of a {@linkcode LabelSelector} on the value of one label. */
export interface LabelSelectorRequirement {
  /** The key of the label. */
  key: string;
  /** The operator, which relates the label's value to `values`. */
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  /** The values, for the operators `In` and `NotIn`. */
  values?: string[];
}

/** A selector for objects by their labels. An empty selector matches all objects. */
export interface LabelSelector {
  /** The labels that an object must have, with their exact values. */
  matchLabels?: Record<string, string>;
  /** The further requirements that an object must meet, all of them. */
  matchExpressions?: LabelSelectorRequirement[];
}

/** A condition of an object's status. */
export interface Condition {
  /** The type of the condition, such as `Ready`. */
  type: string;
  /** The status of the condition: whether it holds. */
  status: "True" | "False" | "Unknown";
  /** The `metadata.generation` of the object that the condition is based on. */
  observedGeneration?: number;
  /** The time at which `status` last changed (RFC 3339). */
  lastTransitionTime?: string;
  /** The reason for the last transition, as a CamelCase word for programs. */
  reason?: string;
  /** The details of the last transition, for people. */
  message?: string;
}
