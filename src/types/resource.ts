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

/**
 * Describes a resource, for clients and informers.
 *
 * @typeParam T The interface of the objects.
 * @param descriptor The group, version, name, kind and scope of the resource.
 * @returns The frozen descriptor.
 * @throws {TypeError} When a part is missing, or has a form that the API does not allow.
 *
 * @example A custom resource
 * ```ts
 * import { defineResource, type KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * interface Website extends KubeObject {
 *   spec: { image: string };
 * }
 * const Websites = defineResource<Website>({
 *   group: "example.com",
 *   version: "v1",
 *   plural: "websites",
 *   kind: "Website",
 *   namespaced: true,
 * });
 * assertEquals(Websites.plural, "websites");
 * ```
 */
export function defineResource<T extends KubeObject = KubeObject>(
  descriptor: ResourceDescriptor,
): Resource<T> {
  const { group, version, plural, kind, namespaced } = descriptor;
  requirePart("version", version, /^[a-z0-9]+$/);
  requirePart("plural", plural, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  requirePart("kind", kind, /^[A-Za-z0-9]+$/);
  if (group !== "") requirePart("group", group, /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/);
  if (typeof namespaced !== "boolean") {
    throw new TypeError(`Cannot define resource ${plural}: "namespaced" must be true or false`);
  }
  return Object.freeze({ group, version, plural, kind, namespaced });
}

function requirePart(part: string, value: unknown, pattern: RegExp): void {
  if (typeof value !== "string" || !pattern.test(value)) {
    throw new TypeError(
      `Cannot define resource: "${part}" is ${JSON.stringify(value)}, must match ${pattern}`,
    );
  }
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
