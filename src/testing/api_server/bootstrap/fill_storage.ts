import {
  type Clock,
  forkRandom,
  type Random,
  randomUuid,
} from "@kubeloop/controller/internal/base";
import { formatTime, type KubeObject } from "@kubeloop/controller/types";
import { type InitialResource, initialResources } from "./initial_resources.ts";
import { withAggregatedRules } from "../controllers/mod.ts";
import {
  applyPatch,
  prepareForCreate,
  type ResourceInfo,
  type ResourceRegistry,
  updateManagedFields,
} from "../kinds/mod.ts";
import { type Storage, StoredObject } from "../storage/mod.ts";
import type { JsonObject } from "../../values/mod.ts";

/**
 * Fills an empty storage with the objects of a fresh cluster. Their revisions are used up at once. The objects of a
 * resource are made on the first access to its store, so that a server starts fast.
 *
 * @param random The source of the UIDs. Each resource gets a fork, so that its UIDs do not depend on the order of the
 * accesses.
 */
export function fillStorage(
  storage: Storage,
  registry: ResourceRegistry,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): void {
  const now = formatTime(clock.wallNow());
  const byName = new Map(registry.all().map((info) => [info.storageName, info]));
  for (const initial of initialResources(registry.release)) {
    const info = byName.get(initial.resource);
    if (info === undefined) continue;
    storage.prefill(initial.resource, initial.count, (first) => {
      const uids = forkRandom(random, `uids of the first ${initial.resource}`);
      const objects = initial.objects(now).map((object) =>
        created(info, initial, object, { uid: randomUuid(uids), now })
      );
      return withAggregatedRules(info, objects, now).map((object, index) => {
        const revision = first + index;
        object.metadata.resourceVersion = String(revision);
        return new StoredObject(object, revision, info.encodeStored(object));
      });
    });
  }
}

/** The user as which an API server sends requests to itself. */
const SERVER = { username: "system:apiserver", groups: ["system:masters"] };

/** Returns an object in its state after the create and the write of its status. */
function created(
  { kind, record }: ResourceInfo,
  { manager = "kube-apiserver", status }: InitialResource,
  next: KubeObject,
  { uid, now }: { readonly uid: string; readonly now: string },
): KubeObject {
  const owned = updateManagedFields({ kind, next, manager, now });
  owned.metadata = { ...owned.metadata, uid, creationTimestamp: now };
  const prepared = prepareForCreate(kind, owned, {
    user: SERVER,
    now,
    warn: () => {},
  }) as unknown as JsonObject;
  const live =
    record.allocator?.allocate(prepared, undefined, { isTaken: () => false, dryRun: false }) ??
      prepared;
  if (status === undefined) return live as unknown as KubeObject;
  const { apiVersion = "", metadata: { name = "" } } = next;
  return applyPatch({
    kind,
    live: live as unknown as KubeObject,
    patch: { apiVersion, kind: kind.kind, metadata: { name }, status: status.of(live, now) },
    manager: status.manager,
    force: true,
    subresource: "status",
    name,
    now,
  }).object;
}
