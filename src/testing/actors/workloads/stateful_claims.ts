import type { SharedInformer } from "@kubeloop/controller/cache";
import {
  type Cached,
  isAlreadyExists,
  type OwnerReference,
  type Pod,
  type Resource,
} from "@kubeloop/controller/types";
import {
  isSame,
  type PersistentVolumeClaim,
  PersistentVolumeClaims,
  type Reconciler,
  unlessGone,
} from "../control/mod.ts";
import { type StatefulSet, StatefulSets } from "./apps_kinds.ts";
import { claimOwners, claimsOf, ordinalOf } from "./stateful_pods.ts";

/** The PersistentVolumeClaims of the Pods of StatefulSets. */
export class StatefulClaims {
  readonly #frame: Reconciler<StatefulSet>;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;

  /** Starts to watch claims for a controller. */
  constructor(frame: Reconciler<StatefulSet>) {
    this.#frame = frame;
    this.#claims = frame.related(PersistentVolumeClaims);
  }

  /** Creates the claims of an ordinal that do not exist. */
  async create(set: Cached<StatefulSet>, ordinal: number, signal: AbortSignal): Promise<void> {
    for (const { claim } of claimsOf(set, ordinal)) {
      const { name, namespace } = claim.metadata;
      if (this.#claims.indexer.getByKey(`${namespace}/${name}`) !== undefined) continue;
      try {
        await this.#frame.client.create(PersistentVolumeClaims as Resource, claim, { signal });
      } catch (error) {
        // The cache does not show the claim yet.
        if (isAlreadyExists(error)) continue;
        throw error;
      }
      const pod = `Pod ${set.metadata.name}-${ordinal}`;
      await this.#frame.events.write(StatefulSets, set, {
        type: "Normal",
        reason: "SuccessfulCreate",
        message: `Create Claim ${name} ${pod} in StatefulSet ${set.metadata.name} success`,
      }, signal);
    }
  }

  /** Gives the claims of a Pod the owners that the retention policy says. */
  async setOwners(
    set: Cached<StatefulSet>,
    pod: Cached<Pod>,
    isCondemned: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const wanted = claimOwners(set, pod, { isCondemned });
    for (const { claim } of claimsOf(set, ordinalOf(pod, set))) {
      const { name = "", namespace = "" } = claim.metadata;
      const found = this.#claims.indexer.getByKey(`${namespace}/${name}`);
      if (found === undefined) continue;
      const { ownerReferences: present = [], resourceVersion } = found.metadata;
      const ownerReferences = [...present.filter((one) => !isManaged(one, set, pod)), ...wanted];
      if (isSame(ownerReferences, present)) continue;
      const patch = { metadata: { resourceVersion, ownerReferences } };
      await this.#frame.client.patch(PersistentVolumeClaims, name, patch, { namespace, signal })
        .catch(unlessGone);
    }
  }
}

/** Reports whether the retention policy manages an owner reference. */
function isManaged(
  { kind, name }: Readonly<OwnerReference>,
  set: Cached<StatefulSet>,
  pod: Cached<Pod>,
): boolean {
  return kind === "StatefulSet" && name === set.metadata.name ||
    kind === "Pod" && name === pod.metadata.name;
}
