import { isName, isSignal, type OptionChecks, requireOptions } from "../../base/mod.ts";
import type { Client, JsonPatchOperation } from "../../client/mod.ts";
import {
  type Cached,
  isConflict,
  isInvalid,
  isObjectNotFound,
  type KubeObject,
  type Resource,
} from "../../types/mod.ts";
import {
  additionPatch,
  finalizersOf,
  removalPatch,
  requireFinalizerName,
} from "./finalizer_patch.ts";

/** The maximum number of attempts to patch an object that other clients change at the same time. */
const MAX_TRIES = 10;

/** Options of {@linkcode ensureFinalizer} and {@linkcode removeFinalizer}. */
export interface FinalizerOptions {
  /** The field manager of the patch. Default: the user agent up to its first slash. */
  readonly fieldManager?: string | undefined;
  /** Stops the requests. */
  readonly signal?: AbortSignal | undefined;
}

const CHECKS: OptionChecks<FinalizerOptions> = { fieldManager: isName, signal: isSignal };

/**
 * Adds a finalizer to an object, unless it has it. Call it before the first action that must be undone when the object is
 * deleted.
 *
 * The finalizer is added by a JSON patch with tests of the UID and of the other finalizers, which keep their order. If the
 * object has changed in the meantime, it is read again. An object that already has the finalizer costs no request.
 *
 * @typeParam T The interface of the object.
 * @param client The client that makes the requests.
 * @param resource The resource of the object.
 * @param object The object, as in the cache. The cache may be late.
 * @param name The finalizer: a domain, a slash and a name.
 * @param options The field manager, and a signal that stops the requests.
 * @returns The object with the finalizer; undefined if the object is gone, or is being deleted without the finalizer. The
 * caller must then not create anything for it.
 * @throws {TypeError} If the name is invalid, or an option is unknown.
 * @throws {StatusError} If the server rejects the patch, or other clients have changed the object during each of ten attempts.
 *
 * @example
 * ```ts
 * import { ensureFinalizer, removeFinalizer } from "@kubeloop/controller/operator";
 * import { Client } from "@kubeloop/controller/client";
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client({ fetch: server.fetch });
 * const created = await client.create(ConfigMaps, { metadata: { name: "a", namespace: "default" } });
 *
 * const kept = await ensureFinalizer(client, ConfigMaps, created, "example.com/bucket");
 * assertEquals(kept?.metadata.finalizers, ["example.com/bucket"]);
 * const freed = await removeFinalizer(client, ConfigMaps, created, "example.com/bucket");
 * assertEquals(freed?.metadata.finalizers, undefined);
 * ```
 */
export async function ensureFinalizer<T extends KubeObject>(
  client: Pick<Client, "get" | "patch">,
  resource: Resource<T>,
  object: Cached<T>,
  name: string,
  options: FinalizerOptions = {},
): Promise<Cached<T> | undefined> {
  requireOptions("ensureFinalizer()", options, CHECKS);
  requireFinalizerName(name);
  // The server rejects a new finalizer for an object that is being deleted.
  const found = await patchUntil(
    client,
    resource,
    object,
    options,
    (current) =>
      finalizersOf(current).includes(name) || current.metadata.deletionTimestamp !== undefined
        ? undefined
        : additionPatch(current, name),
  );
  return found !== undefined && finalizersOf(found).includes(name) ? found : undefined;
}

/**
 * Removes a finalizer from an object, after the cleanup. The server then deletes the object if it is being deleted and has
 * no other finalizers.
 *
 * The finalizer is removed by a JSON patch with tests of the UID and of the finalizer at its index, so that no other
 * finalizer is removed. If the finalizers have changed in the meantime, the object is read again. An object without the
 * finalizer costs no request. It is not an error if the object is gone.
 *
 * @typeParam T The interface of the object.
 * @param client The client that makes the requests.
 * @param resource The resource of the object.
 * @param object The object. It must have been read after the finalizer was added: in an older version, it is missing.
 * @param name The finalizer: a domain, a slash and a name.
 * @param options The field manager, and a signal that stops the requests.
 * @returns The object without the finalizer; undefined if the object was gone before.
 * @throws {TypeError} If the name is invalid, or an option is unknown.
 * @throws {StatusError} If the server rejects the patch, or other clients have changed the object during each of ten attempts.
 *
 * @example
 * ```ts
 * import { removeFinalizer } from "@kubeloop/controller/operator";
 * import { Client } from "@kubeloop/controller/client";
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client({ fetch: server.fetch });
 * const finalizers = ["example.com/bucket", "example.com/other"];
 * const metadata = { name: "a", namespace: "default", finalizers };
 * const object = await client.create(ConfigMaps, { metadata });
 *
 * const freed = await removeFinalizer(client, ConfigMaps, object, "example.com/bucket");
 * assertEquals(freed?.metadata.finalizers, ["example.com/other"]);
 * ```
 */
export async function removeFinalizer<T extends KubeObject>(
  client: Pick<Client, "get" | "patch">,
  resource: Resource<T>,
  object: Cached<T>,
  name: string,
  options: FinalizerOptions = {},
): Promise<Cached<T> | undefined> {
  requireOptions("removeFinalizer()", options, CHECKS);
  requireFinalizerName(name);
  return await patchUntil(
    client,
    resource,
    object,
    options,
    (current) => finalizersOf(current).includes(name) ? removalPatch(current, name) : undefined,
  );
}

/**
 * Patches an object until `patchOf` returns undefined, and returns the object. Reads the object again if a test of the patch
 * fails. Returns undefined if the object is gone, or another one has its name.
 */
async function patchUntil<T extends KubeObject>(
  client: Pick<Client, "get" | "patch">,
  resource: Resource<T>,
  object: Cached<T>,
  { fieldManager, signal }: FinalizerOptions,
  patchOf: (object: Cached<T>) => readonly JsonPatchOperation[] | undefined,
): Promise<Cached<T> | undefined> {
  const { name, namespace, uid } = object.metadata;
  const call = { namespace, signal };
  let current = object;
  for (let tries = 1;; tries++) {
    const patch = patchOf(current);
    if (patch === undefined) return current;
    try {
      const options = { ...call, type: "json", fieldManager } as const;
      current = await client.patch<never, T, "json">(resource, name, patch, options) as Cached<T>;
    } catch (error) {
      if (isObjectNotFound(error)) return undefined;
      if ((!isInvalid(error) && !isConflict(error)) || tries >= MAX_TRIES) throw error;
      const fresh = await read(client, resource, name, call);
      if (fresh === undefined || fresh.metadata.uid !== uid) return undefined;
      // The object has not changed: the server rejects the patch for another reason.
      if (fresh.metadata.resourceVersion === current.metadata.resourceVersion) throw error;
      current = fresh;
    }
  }
}

async function read<T extends KubeObject>(
  client: Pick<Client, "get">,
  resource: Resource<T>,
  name: string,
  call: { readonly namespace: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<Cached<T> | undefined> {
  try {
    return await client.get<never, T>(resource, name, call) as Cached<T>;
  } catch (error) {
    if (isObjectNotFound(error)) return undefined;
    throw error;
  }
}
