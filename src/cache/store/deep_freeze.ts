/**
 * Freezes an object and all in it, so that changing it throws where it is done.
 *
 * Objects of a cache are shared: changing one corrupts what everyone else reads, and no index follows. Where client-go has
 * a detector that compares copies every second, JavaScript can refuse the change itself. For development and tests, since
 * it visits every field of every object once.
 *
 * @returns The object given.
 *
 * @example
 * ```ts
 * import { deepFreeze } from "@kubeloop/controller/cache";
 * import { assertThrows } from "@std/assert";
 *
 * const pod = deepFreeze({ metadata: { name: "a", labels: { app: "web" } } });
 * assertThrows(() => pod.metadata.labels.app = "api", TypeError);
 * ```
 */
export function deepFreeze<T>(obj: T): T {
  // Bytes cannot be frozen; JSON has none.
  if (typeof obj !== "object" || obj === null || ArrayBuffer.isView(obj)) return obj;
  if (Object.isFrozen(obj)) return obj;
  Object.freeze(obj);
  for (const value of Object.values(obj)) deepFreeze(value);
  return obj;
}
