import type { KubeObject } from "./meta.ts";

/** Where a kind lives in the API. */
export interface ResourceDescriptor {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The version within the group, as in `v1`. */
  readonly version: string;
  /** The name in URLs, as in `pods`. */
  readonly plural: string;
  /** The kind, as in `Pod`. */
  readonly kind: string;
  /** Whether its objects live in namespaces. */
  readonly namespaced: boolean;
  /** Whether of its objects only the metadata is read; see {@linkcode metadataOf}. Default false. */
  readonly metadataOnly?: boolean;
}

/**
 * A {@linkcode ResourceDescriptor} that knows the type of its objects: pass it to a client or an informer and what comes
 * back is typed.
 *
 * @typeParam T The interface of the objects.
 */
export interface Resource<T extends KubeObject = KubeObject> extends ResourceDescriptor {
  /** Never set; it carries `T`. A `Resource<Widget>` can be passed where a `Resource` is wanted. */
  readonly objectType?: T;
}

/**
 * Describes a kind once, for clients and informers.
 *
 * @typeParam T The interface of the objects.
 * @param descriptor Where the kind lives.
 * @returns The frozen descriptor.
 * @throws {TypeError} When a part is missing or cannot stand in a URL.
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

/** The `apiVersion` that objects of `resource` carry: `v1`, or `group/version`. */
export function apiVersionOf(resource: ResourceDescriptor): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

/** The resource's full name, `plural.group`, as in `deployments.apps`; just `pods` in the core group. */
export function resourceName(resource: ResourceDescriptor): string {
  return resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
}
