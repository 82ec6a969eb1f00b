import type { KubeObject, Stored } from "../../types/mod.ts";
import type { WaitPredicate } from "./wait_predicate.ts";

/**
 * Waits until the object is gone. `Client.waitFor` then resolves with undefined, or with the new object of that name if
 * a `uid` is given.
 *
 * @param uid The UID of the object that must be gone. Without it, an object that is created again under the same name
 * before the wait begins has to go too.
 * @returns A predicate for `Client.waitFor`.
 * @throws {TypeError} If `uid` is neither undefined nor a text, as if the object were passed.
 *
 * @example
 * ```ts
 * import { Client, deleted } from "@kubeloop/controller/client";
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const namespace = "default";
 * const { metadata } = await client.create(ConfigMaps, { metadata: { name: "a", namespace } });
 * await client.delete(ConfigMaps, "a", { namespace });
 * const gone = await client.waitFor(ConfigMaps, "a", deleted(metadata.uid), { namespace });
 * assertEquals(gone, undefined);
 * ```
 */
export function deleted(uid?: string): WaitPredicate {
  if (uid !== undefined && (typeof uid !== "string" || uid === "")) {
    throw new TypeError(
      "deleted() takes the metadata.uid of the object, or nothing: received " +
        (uid === "" ? "an empty text" : `a value of type ${typeof uid}`),
    );
  }
  return Object.assign((object: Stored<KubeObject> | undefined) => {
    if (object === undefined || (uid !== undefined && object.metadata.uid !== uid)) return true;
    const { deletionTimestamp, finalizers } = object.metadata;
    if (deletionTimestamp === undefined) return "it exists, and nobody has deleted it";
    return Array.isArray(finalizers) && finalizers.length > 0
      ? `it waits for its finalizers ${finalizers.join(", ")}`
      : "it terminates";
  }, { unmet: "was not deleted" });
}
