import type { KubeObject } from "./meta.ts";

/** The description of a resource of the API: its group, version, name, kind and scope. */
export interface ResourceDescriptor {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The version within the group, as in `v1`. */
  readonly version: string;
  /** The name of the resource in URLs, as in `pods`. */
  readonly plural: string;
  /** The kind, as in `Pod`. */
  readonly kind: string;
  /** Whether the objects of the resource are in namespaces, rather than cluster-scoped. */
  readonly namespaced: boolean;
  /** Whether only the metadata of objects is read; see {@linkcode metadataOf}. Default false. */
  readonly metadataOnly?: boolean | undefined;
  /** The names on the paths of the fields that caches keep; see {@linkcode fieldsOf}. Default: all fields. */
  readonly fields?: readonly (readonly string[])[] | undefined;
}

/**
 * A {@linkcode ResourceDescriptor} with the type of the objects. Clients and informers derive the types of their
 * results from it.
 *
 * @typeParam T The interface of the objects.
 */
export interface Resource<T extends KubeObject = KubeObject> extends ResourceDescriptor {
  /**
   * Never set: the field exists so that the type depends on `T`. A `Resource<Widget>` can be passed as a `Resource`.
   */
  readonly objectType?: T;
}

/** Returns the `apiVersion` of the objects of `resource`: `v1`, or `group/version`. */
export function apiVersionOf(resource: ResourceDescriptor): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

/**
 * Returns the full name of the resource, `plural.group`, as in `deployments.apps`; only the plural in the core group.
 */
export function resourceName(resource: ResourceDescriptor): string {
  return resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** Returns the frozen descriptor of a built-in kind. */
export function builtinResource<T extends KubeObject>(descriptor: ResourceDescriptor): Resource<T> {
  return Object.freeze(descriptor);
}
