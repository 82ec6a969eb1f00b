import { describeValue, isRecord, visibleText } from "../../base/mod.ts";
import { type KubeObject, type ResourceDescriptor, resourceName } from "../../types/mod.ts";
import { showValue } from "../config/mod.ts";

/** The longest name of Kubernetes, in characters. */
const MAX_NAME_LENGTH = 253;

/** The namespace and the subresource in the options of a call. JavaScript callers may pass values of any type. */
export interface ObjectPlace {
  /** The namespace of the object; absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  /** The subresource, such as `status`. */
  readonly subresource?: string | undefined;
}

/**
 * Returns the path of a collection in one namespace, or in all namespaces if `namespace` is undefined.
 *
 * @throws {TypeError} If the namespace is not a valid name, or if it is set for a cluster-scoped resource.
 */
export function collectionPath(
  resource: ResourceDescriptor,
  namespace: string | undefined,
): string {
  requireResource(resource);
  const { group, version, plural } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  if (namespace === undefined) return `${root}/${plural}`;
  requireNamespaced(resource, namespace);
  return `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

/**
 * Returns the path of a list or a watch, in one namespace or in all namespaces.
 *
 * @throws {TypeError} If the namespace is not a valid name, or if it is set for a cluster-scoped resource.
 */
export function listPath(resource: ResourceDescriptor, namespace: string | undefined): string {
  requireResource(resource);
  if (namespace !== undefined && resource.namespaced) {
    const what = `namespace for ${resourceName(resource)}`;
    requireName(what, namespace, "; leave it out for all namespaces");
  }
  return collectionPath(resource, namespace);
}

/**
 * Returns the path of an object or one of its subresources.
 *
 * @param object The object in the body of the request, if there is one. It may contain the namespace.
 * @throws {TypeError} If the name, the namespace or the subresource is missing or not a valid name.
 */
export function objectPath(
  resource: ResourceDescriptor,
  name: string,
  place: ObjectPlace,
  object?: KubeObject,
): string {
  requireResource(resource);
  const { subresource } = place;
  const namespace = requireNamespace(resource, place.namespace, object);
  requireName(`name for ${resourceName(resource)}`, name);
  const path = `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
  if (subresource === undefined) return path;
  requireName(`subresource for ${resourceName(resource)}`, subresource);
  return `${path}/${encodeURIComponent(subresource)}`;
}

/**
 * Returns the path for creating an object: the collection, or the subresource of the object with that name.
 *
 * @throws {TypeError} If the object has neither a name nor a `generateName` and its kind needs one, or if a part of the
 * path is not a valid name.
 */
export function creationPath(
  resource: ResourceDescriptor,
  object: KubeObject,
  place: ObjectPlace,
): string {
  if (place.subresource !== undefined) {
    return objectPath(resource, requireObjectName(resource, object), place, object);
  }
  requireObject(resource, object);
  const { name, generateName } = object.metadata;
  const what = `the object for ${resourceName(resource)}`;
  if (name === undefined && generateName === undefined && !isReview(resource)) {
    throw new TypeError(
      `Missing metadata.name or metadata.generateName in ${what}: give one of them`,
    );
  }
  if (name !== undefined) requireName(`metadata.name in ${what}`, name);
  if (generateName !== undefined) requireName(`metadata.generateName in ${what}`, generateName);
  return collectionPath(resource, requireNamespace(resource, place.namespace, object));
}

/**
 * Reports whether the objects of a resource are questions, which the server answers without storing them: they have no
 * names. Every such kind is called a review: SelfSubjectReview, TokenReview, SubjectAccessReview, …
 */
function isReview(resource: ResourceDescriptor): boolean {
  return resource.kind.endsWith("Review");
}

/**
 * Checks and returns a path that the caller wrote.
 *
 * @throws {TypeError} If the path does not begin with a single slash, or contains a query or a segment `.` or `..`.
 */
export function rawPath(path: string): string {
  if (
    typeof path !== "string" || !/^\/(?:[^/?#\s\\][^?#\s\\]*)?$/.test(path) ||
    /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)
  ) {
    throw new TypeError(
      `Invalid path ${
        showValue(path)
      }: must begin with one "/", and hold no query, "." or ".." segment`,
    );
  }
  return path;
}

/**
 * Returns the name of an object in the body of a request.
 *
 * @throws {TypeError} If `object` is not an object or has no valid name.
 */
export function requireObjectName(
  resource: ResourceDescriptor,
  object: { readonly metadata: { readonly name?: string | undefined } },
): string {
  requireObject(resource, object);
  const { name } = object.metadata;
  return requireName(`metadata.name in the object for ${resourceName(resource)}`, name);
}

/**
 * Returns the namespace of a request for one object: the namespace in the options, or in the object.
 *
 * @throws {TypeError} If the namespace of a namespaced resource is missing, if the two namespaces differ, or if a
 * namespace is set for a cluster-scoped resource.
 */
function requireNamespace(
  resource: ResourceDescriptor,
  given: string | undefined,
  object: KubeObject | undefined,
): string | undefined {
  const own = object?.metadata.namespace;
  if (given !== undefined) requireNamespaced(resource, given);
  if (own !== undefined) {
    const what = `metadata.namespace in the object for ${resourceName(resource)}`;
    requireNamespaced(resource, own, what);
    if (given !== undefined && own !== given) {
      throw new TypeError(
        `Namespaces differ: the object says ${showName(own)}, the options say ${showName(given)}`,
      );
    }
  }
  const namespace = own ?? given;
  if (namespace === undefined && resource.namespaced) {
    throw new TypeError(
      `Missing namespace for ${resourceName(resource)}: give { namespace } in the options` +
        (object === undefined ? "" : " or metadata.namespace in the object"),
    );
  }
  return namespace;
}

/** Throws a TypeError if the namespace is not a valid name, or if the resource is cluster-scoped. */
function requireNamespaced(
  resource: ResourceDescriptor,
  namespace: unknown,
  what: string = `namespace for ${resourceName(resource)}`,
): void {
  if (!resource.namespaced) {
    const shown = typeof namespace === "string" ? showName(namespace) : describeValue(namespace);
    throw new TypeError(
      `Cannot address ${resourceName(resource)} in namespace ${shown}: ` +
        "the resource is cluster-scoped, leave the namespace out",
    );
  }
  requireName(what, namespace);
}

/** Throws a TypeError if `object` is not an object with metadata, because the server might store something else. */
function requireObject(resource: ResourceDescriptor, object: unknown): void {
  requireResource(resource);
  if (!isRecord(object)) {
    throw new TypeError(
      `Invalid object for ${resourceName(resource)}: ` +
        `expected an object with metadata, received ${describeValue(object)}`,
    );
  }
  if (!isRecord(object.metadata)) {
    throw new TypeError(
      `Missing metadata in the object for ${resourceName(resource)}: ` +
        `expected an object, received ${describeValue(object.metadata)}`,
    );
  }
}

/** Throws a TypeError if a descriptor, which may be hand-written, would lead to another path. */
function requireResource(resource: ResourceDescriptor): void {
  if (!isRecord(resource)) {
    throw new TypeError(
      `Invalid resource: expected a descriptor such as Pods, received ${describeValue(resource)}`,
    );
  }
  const { group, version, plural, namespaced } = resource;
  if (group !== "") requireName("group of the resource", group);
  requireName("version of the resource", version);
  requireName("plural of the resource", plural);
  if (typeof namespaced !== "boolean") {
    throw new TypeError(
      `Invalid resource ${resourceName(resource)}: ` +
        `namespaced must be true or false, received ${describeValue(namespaced)}`,
    );
  }
}

/**
 * Returns a name, checked to be a valid path segment as in apimachinery's `IsValidPathSegmentName`.
 *
 * @throws {TypeError} If `value` is not a valid name. A missing name must not lead to a request for the whole
 * collection.
 */
function requireName(what: string, value: unknown, hint = ""): string {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(
      `Missing ${what}: expected a non-empty string, received ${describeValue(value)}${hint}`,
    );
  }
  if (value === "." || value === ".." || /[/%]/.test(value)) {
    throw new TypeError(
      `Invalid ${what} ${showName(value)}: must not be "." or ".." or hold "/" or "%"`,
    );
  }
  // encodeURIComponent() rejects an unpaired surrogate with a message that does not contain the value.
  if (/\p{Surrogate}/u.test(value)) {
    throw new TypeError(`Invalid ${what} ${showName(value)}: not well-formed Unicode`);
  }
  return value;
}

/**
 * Shows a name in quotes. The object with it may come from a server, which can write anything into it: a text that no name of
 * Kubernetes looks like is only described.
 */
function showName(name: string): string {
  // JSON shows an unpaired surrogate.
  const paired = name.replace(/\p{Surrogate}/gu, "");
  return name.length > MAX_NAME_LENGTH || visibleText(paired, MAX_NAME_LENGTH) !== paired
    ? `(${name.length} characters that no name can have)`
    : JSON.stringify(name);
}
