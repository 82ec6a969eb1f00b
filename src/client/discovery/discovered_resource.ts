import type { KubeObject, Resource } from "../../types/mod.ts";

/** The kind of an object, as its `apiVersion` and `kind` say it: an object itself fits. */
export interface GroupVersionKind {
  /** The group and version, as in `v1` and `apps/v1`. */
  readonly apiVersion: string;
  /** The kind, as in `Deployment`. */
  readonly kind: string;
}

/**
 * An object of a kind that is known only at run time: besides the metadata, its fields may be anything. client-go's
 * `Unstructured`.
 */
export interface Unstructured extends KubeObject {
  /** Any other field of the object. */
  [field: string]: unknown;
}

/**
 * A resource as the server describes it in its discovery. All methods of a client take it.
 *
 * @typeParam T The interface of the objects.
 */
export interface DiscoveredResource<T extends KubeObject = Unstructured> extends Resource<T> {
  /** The name of one object, as in `deployment`. */
  readonly singular: string;
  /** The short names, as in `deploy`. */
  readonly shortNames: readonly string[];
  /** The names of the groups of resources that it belongs to, as in `all`. */
  readonly categories: readonly string[];
  /** The verbs that its objects support, such as `get`, `list` and `watch`. */
  readonly verbs: readonly string[];
  /** The names of its subresources, as in `status` and `scale`. */
  readonly subresources: readonly string[];
}
