import { DeletedFinalStateUnknown, type SharedInformer } from "@kubeloop/controller/cache";
import { type Cached, isNotFound } from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  isBeingDeleted,
  keyOf,
  type PersistentVolume,
  type PersistentVolumeClaim,
  PersistentVolumeClaims,
  PersistentVolumes,
  Reconciler,
  unlessGone,
  unlessNotFound,
} from "../control/mod.ts";

const PROTECTION = "kubernetes.io/pv-protection";

/**
 * Reports the phases of PersistentVolumes, and reclaims volumes whose claim is gone, as kube-controller-manager does: a
 * volume with the policy Delete is deleted, a volume with Retain becomes Released and stays.
 */
export class PersistentVolumeReclaimer implements Actor {
  /** `persistentvolume-reclaimer` */
  readonly name: string = "persistentvolume-reclaimer";
  readonly #frame: Reconciler<PersistentVolume>;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;

  /** Creates a controller, which does nothing until {@linkcode PersistentVolumeReclaimer.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: PersistentVolumes,
      reconcile: (volume, signal) => this.#reconcile(volume, signal),
    });
    this.#claims = this.#frame.related(PersistentVolumeClaims);
    const enqueue = ({ spec }: Cached<PersistentVolumeClaim>) => {
      if (spec?.volumeName) this.#frame.enqueue(spec.volumeName);
    };
    this.#claims.addEventHandler({
      onAdd: enqueue,
      onUpdate: (_old, claim) => enqueue(claim),
      onDelete: (last) => {
        const claim = DeletedFinalStateUnknown.lastKnownState(last);
        if (claim !== undefined) enqueue(claim);
      },
    });
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  async #reconcile(volume: Cached<PersistentVolume>, signal: AbortSignal): Promise<void> {
    const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
    if (claimRef === undefined || claimRef.uid === undefined) {
      // A volume that is reserved for a claim waits for it.
      if (!isBeingDeleted(volume)) return await this.#setPhase(volume, "Available", signal);
      return await this.#unprotect(volume, signal);
    }
    if (await this.#hasClaim(volume, signal)) return await this.#setPhase(volume, "Bound", signal);
    await this.#setPhase(volume, "Released", signal);
    const { name, uid } = volume.metadata;
    if (policy === "Delete" && !isBeingDeleted(volume)) {
      await this.#frame.client.delete(PersistentVolumes, name, { preconditions: { uid }, signal })
        .catch(unlessGone);
    }
    if (isBeingDeleted(volume)) await this.#unprotect(volume, signal);
  }

  async #hasClaim({ spec }: Cached<PersistentVolume>, signal: AbortSignal): Promise<boolean> {
    const { name = "", namespace = "", uid } = spec?.claimRef ?? {};
    const cached = this.#claims.indexer.getByKey(keyOf({ metadata: { name, namespace } }));
    if (cached?.metadata.uid === uid) return true;
    // The cache may be behind, and a volume must not be reclaimed by mistake.
    try {
      const claim = await this.#frame.client.get(PersistentVolumeClaims, name, {
        namespace,
        signal,
      });
      return claim.metadata.uid === uid;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async #setPhase(
    { metadata, status }: Cached<PersistentVolume>,
    phase: string,
    signal: AbortSignal,
  ): Promise<void> {
    if (status?.phase === phase) return;
    await this.#frame.client.patchStatus(PersistentVolumes, metadata.name, { status: { phase } }, {
      signal,
    }).catch(unlessNotFound);
  }

  async #unprotect({ metadata }: Cached<PersistentVolume>, signal: AbortSignal): Promise<void> {
    const { finalizers = [], name, resourceVersion } = metadata;
    if (!finalizers.includes(PROTECTION)) return;
    const left = finalizers.filter((one) => one !== PROTECTION);
    const patch = { metadata: { resourceVersion, finalizers: left } };
    await this.#frame.client.patch(PersistentVolumes, name, patch, { signal })
      .catch(unlessNotFound);
  }
}
