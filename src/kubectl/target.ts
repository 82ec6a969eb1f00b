import { describeValue, isRecord, requireMethods } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import type { DeepReadonly, KubeObject, ResourceDescriptor } from "@kubeloop/controller/types";

/** The resource, name and namespace of an object, or the object with its apiVersion and kind. Only its metadata is read. */
export type ObjectTarget =
  | {
    /** The resource of the object. */
    readonly resource: ResourceDescriptor;
    /** The name of the object. */
    readonly name: string;
    /** The namespace of the object; undefined for a cluster-scoped one. */
    readonly namespace?: string | undefined;
  }
  | DeepReadonly<KubeObject>;

/** The name and namespace of an object, or the object. */
export type NamedTarget =
  | {
    /** The name of the object. */
    readonly name: string;
    /** The namespace of the object. */
    readonly namespace: string;
  }
  | DeepReadonly<KubeObject>;

/** The address of an object in the API. */
export interface Place {
  readonly resource: ResourceDescriptor;
  readonly name: string;
  readonly namespace: string | undefined;
}

/**
 * Returns the address of a target. Names are checked by the request.
 *
 * @param fn The name of the called function, for messages.
 * @throws {TypeError} If `target` is not a target.
 */
export async function placeOf(
  client: Client,
  target: ObjectTarget,
  fn: string,
  signal: AbortSignal | undefined,
): Promise<Place> {
  requireClient(client, fn);
  const given: unknown = target;
  if (isRecord(given)) {
    const { apiVersion, kind, metadata, name, namespace, resource } = given;
    if (isRecord(resource)) {
      return { resource, name, namespace } as unknown as Place;
    }
    if (typeof apiVersion === "string" && typeof kind === "string" && isRecord(metadata)) {
      const found = await client.resourceFor({ apiVersion, kind }, { signal });
      return {
        resource: found,
        name: metadata["name"] as string,
        namespace: metadata["namespace"] as string | undefined,
      };
    }
  }
  throw new TypeError(
    `${fn}() needs { resource, name, namespace }, or an object with apiVersion, kind and ` +
      `metadata: received ${describeValue(given)}`,
  );
}

/**
 * Returns the name, the namespace and the UID of a target; the UID is undefined for a target by name.
 *
 * @throws {TypeError} If `target` is not a target.
 */
export function namedPlaceOf(
  target: NamedTarget,
  fn: string,
): { readonly name: string; readonly namespace: string; readonly uid: string | undefined } {
  const given: unknown = target;
  const meta = isRecord(given) && isRecord(given.metadata) ? given.metadata : given;
  if (isRecord(meta) && typeof meta.name === "string" && typeof meta.namespace === "string") {
    const uid = meta === given ? undefined : meta.uid;
    return {
      name: meta.name,
      namespace: meta.namespace,
      uid: typeof uid === "string" ? uid : undefined,
    };
  }
  throw new TypeError(
    `${fn}() needs { name, namespace }, or an object with metadata: received ${
      describeValue(given)
    }`,
  );
}

/** @throws {TypeError} If `client` is not a client. */
export function requireClient(client: Client, fn: string): void {
  requireMethods(`a client as the first argument of ${fn}()`, client, "get", "resourceFor");
}
