import type { JsonPatchOperation } from "../../client/mod.ts";
import { type Cached, isQualifiedName, type KubeObject } from "../../types/mod.ts";

const LIST = "/metadata/finalizers";

/**
 * Checks the name of a finalizer.
 *
 * @throws {TypeError} If it has no domain, or the API server would refuse it.
 */
export function requireFinalizerName(name: unknown): void {
  if (typeof name === "string" && name.includes("/") && isQualifiedName(name)) return;
  throw new TypeError(
    `Invalid finalizer ${JSON.stringify(name)}: expected a domain, a slash and a name, ` +
      'such as "example.com/bucket"',
  );
}

/** Returns the finalizers of an object. */
export function finalizersOf(object: Cached<KubeObject>): readonly string[] {
  const finalizers: unknown = object.metadata.finalizers;
  // A server may send anything.
  return Array.isArray(finalizers) ? finalizers : [];
}

/**
 * Returns the patch that appends a finalizer. It fails if the object was replaced, or its finalizers have changed.
 */
export function additionPatch(object: Cached<KubeObject>, name: string): JsonPatchOperation[] {
  const { uid, resourceVersion } = object.metadata;
  const finalizers = finalizersOf(object);
  const isSame: JsonPatchOperation = { op: "test", path: "/metadata/uid", value: uid };
  if (finalizers.length > 0) {
    return [
      isSame,
      { op: "test", path: LIST, value: finalizers },
      { op: "add", path: `${LIST}/-`, value: name },
    ];
  }
  // A patch cannot test that the list is absent, only that the object has not changed.
  return [
    isSame,
    { op: "test", path: "/metadata/resourceVersion", value: resourceVersion },
    { op: "add", path: LIST, value: [name] },
  ];
}

/**
 * Returns the patch that removes a finalizer. It fails if the object was replaced, or another finalizer is at its index.
 */
export function removalPatch(object: Cached<KubeObject>, name: string): JsonPatchOperation[] {
  const path = `${LIST}/${finalizersOf(object).indexOf(name)}`;
  return [
    { op: "test", path: "/metadata/uid", value: object.metadata.uid },
    { op: "test", path, value: name },
    { op: "remove", path },
  ];
}
