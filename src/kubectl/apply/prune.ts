import { parallelizeUntil, toError } from "@kubeloop/controller/internal/base";
import { isUnknownKind } from "@kubeloop/controller/client";
import { type Client, NoMatchError } from "@kubeloop/controller/client";
import {
  apiVersionOf,
  isConflict,
  isNotFound,
  metadataOf,
  type PartialObjectMetadata,
  type ResourceDescriptor,
  type Stored,
} from "@kubeloop/controller/types";
import { type Inventory, isAppliedMember, PART_OF } from "./apply_set.ts";
import { rankOf } from "./kind_order.ts";
import type { ApplyResult } from "./results.ts";

/** The parts of a call of `applyAll` that pruning uses. */
export interface PruneContext {
  readonly client: Client;
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** A member of a set that is no longer applied. */
export interface Prunable {
  readonly resource: ResourceDescriptor;
  readonly object: Stored<PartialObjectMetadata>;
}

/** The members of a set that are no longer applied. */
export interface PrunableMembers {
  /** The members, in the order of deletion. */
  readonly members: readonly Prunable[];
  /** Errors of kinds with unknown members, because their API groups are not available. */
  readonly unknown: readonly Error[];
}

/**
 * Returns the members of a set that were not applied this time. A kind that the server no longer serves has no members.
 *
 * @param applied The UIDs of the applied objects.
 */
export async function findPrunable(
  { client, concurrency, signal }: PruneContext,
  id: string,
  { kinds, namespaces }: Inventory,
  applied: ReadonlySet<string>,
): Promise<PrunableMembers> {
  const places: { resource: ResourceDescriptor; namespace: string | undefined }[] = [];
  const unknown: Error[] = [];
  for (const kind of kinds) {
    const resource = await client.resourceFor(kind, { signal }).catch((error) => {
      if (!NoMatchError.is(error)) throw error;
      if (isUnknownKind(error)) unknown.push(error);
      return undefined;
    });
    if (resource === undefined) continue;
    const wanted = resource.namespaced ? namespaces : [undefined];
    for (const namespace of wanted) places.push({ resource, namespace });
  }
  const found = new Map<string, Prunable>();
  await parallelizeUntil(concurrency, places.length, async (index) => {
    const { resource, namespace } = places[index]!;
    signal.throwIfAborted();
    const labelSelector = `${PART_OF}=${id}`;
    const list = await client.list(metadataOf(resource), { namespace, labelSelector, signal });
    for (const object of list.items) {
      const { uid, deletionTimestamp } = object.metadata;
      if (applied.has(uid) || deletionTimestamp !== undefined || !isAppliedMember(object)) continue;
      found.set(uid, { resource, object });
    }
  }, { signal });
  signal.throwIfAborted();
  const rank = ({ resource }: Prunable) =>
    rankOf({ apiVersion: apiVersionOf(resource), kind: resource.kind });
  return { members: [...found.values()].sort((a, b) => rank(b) - rank(a)), unknown };
}

/** Deletes a member of a set. It does not throw: errors are part of the result. */
export async function pruneOne(
  { client, dryRun, signal }: PruneContext,
  { resource, object }: Prunable,
): Promise<ApplyResult> {
  const { name, namespace, uid } = object.metadata;
  const identity = { apiVersion: apiVersionOf(resource), kind: resource.kind, name, namespace };
  try {
    // Do not delete another object of the same name.
    const preconditions = { uid };
    await client.delete(resource, name, { namespace, preconditions, dryRun, signal });
  } catch (error) {
    // A conflict means another UID: the member is gone, and another object has its name.
    if (!isNotFound(error) && !isConflict(error)) {
      return { ...identity, status: "failed", error: toError(error) };
    }
  }
  return { ...identity, status: "pruned" };
}
