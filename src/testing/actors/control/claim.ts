import type { Client } from "@kubeloop/controller/client";
import {
  type Cached,
  controllerReference,
  isInvalid,
  isNotFound,
  type KubeObject,
  type LabelSelector,
  labelSelectorAsSelector,
  type Resource,
} from "@kubeloop/controller/types";
import { isBeingDeleted } from "./pod_facts.ts";
import { unlessNotFound } from "./errors.ts";

/** The arguments of {@linkcode claim}. */
export interface ClaimContext<T extends KubeObject, D extends KubeObject> {
  readonly client: Client;
  /** The owner, from the cache. */
  readonly owner: Cached<T>;
  readonly ownerResource: Resource<T>;
  /** The resource of the objects to claim. */
  readonly resource: Resource<D>;
  /** The objects that the owner controls. */
  readonly owned: readonly Cached<D>[];
  /** The objects of the namespace without a controller owner. */
  readonly orphans: readonly Cached<D>[];
  /** The finalizers that adopted objects get. Default: none. */
  readonly finalizers?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/**
 * Makes the owner the controller of the orphans that its selector matches, and gives up the objects that it no longer
 * matches: apimachinery's `ControllerRefManager`. An owner that is being deleted neither adopts nor releases.
 *
 * @returns The objects that the owner controls and selects.
 */
export async function claim<T extends KubeObject, D extends KubeObject>(
  context: ClaimContext<T, D>,
): Promise<Cached<D>[]> {
  const { orphans, owned, owner } = context;
  const { spec } = owner as { readonly spec?: { readonly selector?: LabelSelector } };
  const selector = labelSelectorAsSelector(spec?.selector);
  const claimed: Cached<D>[] = [];
  for (const object of owned) {
    if (selector.matches(object.metadata.labels)) claimed.push(object);
    else if (!isBeingDeleted(owner)) await release(context, object);
  }
  const wanted = isBeingDeleted(owner)
    ? []
    : orphans.filter((object) =>
      !isBeingDeleted(object) && selector.matches(object.metadata.labels)
    );
  if (wanted.length === 0 || !(await mayAdopt(context))) return claimed;
  for (const object of wanted) if (await adopt(context, object)) claimed.push(object);
  return claimed;
}

/** The cache may be old: an owner that is gone or being deleted must not adopt. */
async function mayAdopt<T extends KubeObject, D extends KubeObject>(
  { client, owner, ownerResource, signal }: ClaimContext<T, D>,
): Promise<boolean> {
  const { name, namespace = "", uid } = owner.metadata;
  const latest = await client.get(ownerResource as Resource, name, {
    namespace,
    signal,
  });
  return latest.metadata.uid === uid && !isBeingDeleted(latest);
}

async function adopt<T extends KubeObject, D extends KubeObject>(
  { client, finalizers = [], owner, ownerResource, resource, signal }: ClaimContext<T, D>,
  { metadata }: Cached<D>,
): Promise<boolean> {
  const { name, namespace = "", uid } = metadata;
  const ownerReferences = [controllerReference(owner, ownerResource)];
  try {
    await client.patch(resource as Resource, name, {
      metadata: { uid, ownerReferences, ...(finalizers.length > 0 && { finalizers }) },
    }, { namespace, type: "strategic", signal });
    return true;
  } catch (error) {
    unlessNotFound(error);
    return false;
  }
}

async function release<T extends KubeObject, D extends KubeObject>(
  { client, owner, resource, signal }: ClaimContext<T, D>,
  { metadata }: Cached<D>,
): Promise<void> {
  const { name, namespace = "", uid } = metadata;
  const ownerReferences = [{ $patch: "delete", uid: owner.metadata.uid }];
  const patch = { metadata: { uid, ownerReferences } } as object;
  await client.patch(resource as Resource, name, patch, {
    namespace,
    type: "strategic",
    signal,
  }).catch((error) => {
    // The object is gone, or another object has its name.
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  });
}
