import {
  type Clock,
  forkRandom,
  type Random,
  randomUuid,
} from "@kubeloop/controller/internal/base";
import { formatTime, type KubeObject } from "@kubeloop/controller/types";
import { INITIAL_RESOURCES, type InitialResource } from "./initial_resources.ts";
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
 * Gives an empty storage the objects of a fresh cluster. They have their revisions at once, but those of a resource are
 * made only when something asks for it: most servers never do, and start in no time.
 *
 * @param random The source of the UIDs, of which each resource gets a fork. So they do not depend on which resource is
 * asked for first.
 */
export function fillStorage(
  storage: Storage,
  registry: ResourceRegistry,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): void {
  const now = formatTime(clock.wallNow());
  const byName = new Map(registry.all().map((info) => [info.storageName, info]));
  for (const initial of INITIAL_RESOURCES) {
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

/** Returns an object as it is after its creation, and after the write of its status. */
function created(
  { kind, record }: ResourceInfo,
  { manager = "kube-apiserver", status }: InitialResource,
  next: KubeObject,
  { uid, now }: { readonly uid: string; readonly now: string },
): KubeObject {
  const owned = updateManagedFields({ kind, next, manager, now });
  owned.metadata = { ...owned.metadata, uid, creationTimestamp: now };
  const prepared = prepareForCreate(kind, owned, { user: SERVER, now }) as unknown as JsonObject;
  const live = record.allocate?.(prepared, undefined, { others: [], dryRun: false }) ?? prepared;
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
