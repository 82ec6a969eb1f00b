import type { KubeObject, ResourceDescriptor } from "@kubeloop/controller/types";

/** The definition of one served version of a resource, as discovery reports it. */
export interface ResourceDefinition extends ResourceDescriptor {
  /** The singular name, as in `pod`. */
  readonly singular: string;
  /** The kind of lists of this resource, as in `PodList`. */
  readonly listKind: string;
  /** The short names that kubectl accepts, as in `po`. */
  readonly shortNames?: readonly string[];
  /** The categories that the resource belongs to, as in `all`. */
  readonly categories?: readonly string[];
  /** The supported verbs. Default: {@linkcode ALL_VERBS}. */
  readonly verbs?: readonly string[];
  /** The subresources that are served. */
  readonly subresources?: readonly SubresourceDefinition[];
  /** The warning that every response carries if the version is deprecated. */
  readonly deprecation?: string;
  /**
   * Whether the real API server has no watch cache for the resource. Keys in continue tokens then have no leading
   * slash.
   */
  readonly uncached?: boolean;
}

/** The definition of a subresource. */
export interface SubresourceDefinition {
  /** The name: the last segment of the path, as in `status`. */
  readonly name: string;
  /** The kind of its objects. Default: the kind of the resource. */
  readonly kind?: string;
  /** The API group of that kind. */
  readonly group?: string;
  /** The API version of that kind. */
  readonly version?: string;
  /** The supported verbs. */
  readonly verbs: readonly string[];
  /** Whether a request is a connection to a Pod, a node or a Service, which has no body of a kind. */
  readonly connects?: boolean;
  /** Whether its answers have a form as a Table. Default: true. */
  readonly hasTable?: boolean;
}

/** The conversion between the storage version and a served version of a resource. */
export interface Conversion {
  /** Converts an object from the storage version to the served version. */
  fromStorage(object: KubeObject): KubeObject;
  /**
   * Converts an object from the served version to the storage version.
   *
   * @param before The stored object before an update. It can have fields that the served version lacks.
   */
  toStorage(object: KubeObject, before?: KubeObject): KubeObject;
  /** The same without defaults, as owners of fields are compared. Absent if it makes no difference. */
  readonly toBareStorage?: (object: KubeObject) => KubeObject;
}

/** All verbs that a resource can support. */
export const ALL_VERBS: readonly string[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];
