import { type KubeObject, type ResourceDescriptor, resourceName } from "../../types/mod.ts";

/** Which object or collection of a resource a request is about. */
export interface ResourceTarget {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * The URL path of a collection, an object or a subresource. Every part fills exactly one segment, whatever it holds.
 *
 * @throws {TypeError} When a part is empty, `.` or `..`, or holds a slash or a percent sign, and when a namespace is given
 * for a resource that has none.
 */
export function resourcePath(resource: ResourceDescriptor, target: ResourceTarget): string {
  const { group, version, plural, namespaced } = resource;
  let path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  if (target.namespace !== undefined) {
    if (!namespaced) {
      throw new TypeError(
        `Cannot address ${resourceName(resource)} in namespace "${target.namespace}": ` +
          "the resource is cluster-scoped, leave the namespace out",
      );
    }
    path += `/namespaces/${pathSegment("namespace", target.namespace)}`;
  }
  path += `/${plural}`;
  if (target.name !== undefined) path += `/${pathSegment("name", target.name)}`;
  if (target.subresource !== undefined) {
    path += `/${pathSegment("subresource", target.subresource)}`;
  }
  return path;
}

/** The path of a collection: of one namespace, or across all when there is none. */
export function collectionPath(
  resource: ResourceDescriptor,
  namespace: string | undefined,
): string {
  // client-go spells "all namespaces" as an empty one.
  return resourcePath(resource, { namespace: namespace || undefined });
}

/** The path of an object or a part of it; `object` is there when it is sent along. */
export function objectPath(
  resource: ResourceDescriptor,
  name: string,
  options: Omit<ResourceTarget, "name">,
  object?: KubeObject,
): string {
  const namespace = requireNamespace(resource, options.namespace, object);
  return resourcePath(resource, { namespace, name, subresource: options.subresource });
}

/**
 * A path that the caller wrote.
 *
 * @throws {TypeError} When it does not begin with one slash, or holds a query or a segment that leads elsewhere.
 */
export function rawPath(path: string): string {
  if (!/^\/(?!\/)[^?#\s\\]*$/.test(path) || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) {
    throw new TypeError(
      `Invalid path ${
        JSON.stringify(path)
      }: must begin with one "/", and hold no query, "." or ".." segment`,
    );
  }
  return path;
}

/**
 * The name of an object that is sent.
 *
 * @throws {TypeError} When it has none.
 */
export function requireObjectName(resource: ResourceDescriptor, object: KubeObject): string {
  const name = object.metadata?.name;
  if (!name) {
    throw new TypeError(`Missing metadata.name in an object for ${resourceName(resource)}`);
  }
  return name;
}

/**
 * The namespace of a request about one object, or about the collection it is created in.
 *
 * @throws {TypeError} When the resource is namespaced and there is none, or two that differ.
 */
export function requireNamespace(
  resource: ResourceDescriptor,
  fromOptions: string | undefined,
  object?: KubeObject,
): string | undefined {
  if (!resource.namespaced) return fromOptions;
  const namespace = object?.metadata?.namespace || fromOptions;
  if (!namespace) {
    throw new TypeError(
      `Missing namespace for ${resourceName(resource)}: give { namespace } in the options` +
        (object === undefined ? "" : " or metadata.namespace in the object"),
    );
  }
  if (fromOptions !== undefined && fromOptions !== namespace) {
    throw new TypeError(
      `Namespaces differ: the object says "${namespace}", the options say "${fromOptions}"`,
    );
  }
  return namespace;
}

/** What the API server takes as a path segment: see apimachinery's `IsValidPathSegmentName`. */
function pathSegment(what: string, value: string): string {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`Missing ${what}: expected a string that is not empty`);
  }
  if (value === "." || value === ".." || /[/%]/.test(value)) {
    throw new TypeError(
      `Invalid ${what} ${JSON.stringify(value)}: must not be "." or ".." or hold "/" or "%"`,
    );
  }
  try {
    return encodeURIComponent(value);
  } catch {
    throw new TypeError(`Invalid ${what} ${JSON.stringify(value)}: not well-formed Unicode`);
  }
}
