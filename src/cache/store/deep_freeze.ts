/**
 * Freezes an object and everything in it, so that a change throws at the place where it is attempted.
 *
 * The objects of a cache are shared. A change to one of them corrupts it for every other reader, and no index follows
 * the change. client-go detects such changes with a mutation detector that compares copies every second; JavaScript can
 * reject the change itself. Use this function in development and tests: it visits every field of an object once. An
 * object that is already frozen is taken to be frozen throughout and is not visited.
 *
 * @returns The same object.
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
  // Without recursion: an object may be nested deeper than the stack is.
  const rest: unknown[] = [obj];
  while (rest.length > 0) {
    const value = rest.pop();
    // Typed arrays cannot be frozen. JSON has none.
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) continue;
    if (Object.isFrozen(value)) continue;
    Object.freeze(value);
    for (const member of Object.values(value)) rest.push(member);
  }
  return obj;
}
