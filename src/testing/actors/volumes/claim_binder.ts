import { DeletedFinalStateUnknown, type SharedInformer } from "@kubeloop/controller/cache";
import { type Cached, isAlreadyExists, type Pod, Pods } from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  isBeingDeleted,
  isSame,
  keyOf,
  type PersistentVolume,
  type PersistentVolumeClaim,
  PersistentVolumeClaims,
  PersistentVolumes,
  Reconciler,
  type StorageClass,
  StorageClasses,
  unlessNotFound,
} from "../control/mod.ts";
import { bestVolume, claimsOfPod, usesClaims } from "./volume_match.ts";

const BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
const PROVISIONER = "volume.kubernetes.io/storage-provisioner";
const SELECTED_NODE = "volume.kubernetes.io/selected-node";
const NO_PROVISIONER = "kubernetes.io/no-provisioner";
const PROTECTION = "kubernetes.io/pvc-protection";

type Claim = Cached<PersistentVolumeClaim>;

/**
 * Binds PersistentVolumeClaims, as kube-controller-manager does: to a volume that exists and fits, or to a new one if their
 * StorageClass has a provisioner. With `WaitForFirstConsumer`, a claim waits until a Pod that uses it is on a node. It also
 * removes the finalizer of a deleted claim once no Pod uses the claim.
 */
export class PersistentVolumeBinder implements Actor {
  /** `persistentvolume-controller` */
  readonly name: string = "persistentvolume-controller";
  readonly #frame: Reconciler<PersistentVolumeClaim>;
  readonly #volumes: SharedInformer<PersistentVolume>;
  readonly #classes: SharedInformer<StorageClass>;
  readonly #pods: SharedInformer<Pod>;

  /** Creates a controller, which does nothing until {@linkcode PersistentVolumeBinder.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: PersistentVolumeClaims,
      reconcile: (claim, signal) => this.#reconcile(claim, signal),
    });
    this.#volumes = this.#frame.related(PersistentVolumes);
    this.#classes = this.#frame.related(StorageClasses);
    this.#pods = this.#frame.related(Pods);
    const tryAll = () => this.#enqueueUnbound();
    this.#volumes.addEventHandler({ onAdd: tryAll, onUpdate: tryAll, onDelete: tryAll });
    this.#classes.addEventHandler({ onAdd: tryAll });
    this.#pods.addEventHandler({
      onAdd: (pod) => this.#enqueueClaims(pod),
      onUpdate: (old, pod) => {
        const relevant = (one: Cached<Pod>) => [one.spec?.nodeName, usesClaims(one)];
        if (!isSame(relevant(old), relevant(pod))) this.#enqueueClaims(pod);
      },
      onDelete: (last) => {
        const pod = DeletedFinalStateUnknown.lastKnownState(last);
        if (pod !== undefined) this.#enqueueClaims(pod);
      },
    });
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  #enqueueUnbound(): void {
    for (const claim of this.#frame.objects.indexer.list()) this.#frame.enqueue(keyOf(claim));
  }

  #enqueueClaims(pod: Cached<Pod>): void {
    for (const name of claimsOfPod(pod)) {
      this.#frame.enqueue(`${pod.metadata.namespace}/${name}`);
    }
  }

  async #reconcile(claim: Claim, signal: AbortSignal): Promise<void> {
    if (isBeingDeleted(claim)) return await this.#unprotect(claim, signal);
    const { volumeName } = claim.spec ?? {};
    if (claim.metadata.annotations?.[BIND_COMPLETED] !== undefined && volumeName) {
      const volume = this.#volumes.indexer.getByKey(volumeName);
      if (volume === undefined) return await this.#lose(claim, signal);
      return await this.#report(claim, volume, signal);
    }
    const { storageClassName = "" } = claim.spec ?? {};
    const storage = this.#classes.indexer.getByKey(storageClassName);
    const node = await this.#consumerNode(claim, storage, signal);
    if (node === undefined) return await this.#pend(claim, signal);
    const volume = bestVolume(claim, this.#volumes.indexer.list());
    if (volume !== undefined) return await this.#bind(claim, volume, signal);
    await this.#pend(claim, signal);
    if (!volumeName) await this.#provision(claim, storage, node, signal);
  }

  /** Returns the node of the first consumer; empty if the claim need not wait, undefined if it waits. */
  async #consumerNode(
    claim: Claim,
    storage: Cached<StorageClass> | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { annotations, name, namespace = "" } = claim.metadata;
    if (storage?.volumeBindingMode !== "WaitForFirstConsumer" || claim.spec?.volumeName) return "";
    if (annotations?.[SELECTED_NODE]) return annotations[SELECTED_NODE];
    const consumers = this.#pods.indexer.byIndex("namespace", namespace)
      .filter((pod) => usesClaims(pod) && claimsOfPod(pod).includes(name));
    const node = consumers.find(({ spec }) => spec?.nodeName)?.spec?.nodeName;
    if (node !== undefined) return node;
    const [first, ...others] = consumers.map(({ metadata }) => metadata.name);
    const [reason, message] = first === undefined
      ? ["WaitForFirstConsumer", "waiting for first consumer to be created before binding"]
      : [
        "WaitForPodScheduled",
        others.length === 0
          ? `waiting for pod ${first} to be scheduled`
          : `waiting for pods ${[first, ...others].join()} to be scheduled`,
      ];
    await this.#frame.writeEvent(claim, "Normal", reason, message, signal);
    return undefined;
  }

  async #bind(claim: Claim, volume: Cached<PersistentVolume>, signal: AbortSignal): Promise<void> {
    const { name, namespace = "", resourceVersion, uid } = claim.metadata;
    const { claimRef } = volume.spec ?? {};
    const { client } = this.#frame;
    if (claimRef?.uid !== uid) {
      const reference = {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        name,
        namespace,
        uid,
        resourceVersion,
      };
      const isReserved = claimRef !== undefined;
      await client.patch(PersistentVolumes, volume.metadata.name, {
        metadata: {
          resourceVersion: volume.metadata.resourceVersion,
          ...(!isReserved && { annotations: { [BOUND_BY_CONTROLLER]: "yes" } }),
        },
        spec: { claimRef: reference },
      }, { signal });
    }
    const isNamed = !!claim.spec?.volumeName;
    const bound = await client.patch(PersistentVolumeClaims, name, {
      metadata: {
        resourceVersion,
        annotations: {
          [BIND_COMPLETED]: "yes",
          ...(!isNamed && { [BOUND_BY_CONTROLLER]: "yes" }),
        },
      },
      spec: { volumeName: volume.metadata.name },
    }, { namespace, signal });
    await this.#report(bound, volume, signal);
  }

  /** Reports the phase Bound, with what the volume has. */
  async #report(
    claim: Claim,
    { spec }: Cached<PersistentVolume>,
    signal: AbortSignal,
  ): Promise<void> {
    const { accessModes, capacity } = spec ?? {};
    const status = { phase: "Bound", accessModes, capacity };
    const { phase, accessModes: modes, capacity: size } = claim.status ?? {};
    if (isSame(status, { phase, accessModes: modes, capacity: size })) return;
    await this.#saveStatus(claim, status, signal);
  }

  async #lose(claim: Claim, signal: AbortSignal): Promise<void> {
    if (claim.status?.phase === "Lost") return;
    await this.#saveStatus(claim, { phase: "Lost", accessModes: null, capacity: null }, signal);
    const message = "Bound claim has lost its PersistentVolume. Data on the volume is lost!";
    await this.#frame.writeEvent(claim, "Warning", "ClaimLost", message, signal);
  }

  async #pend(claim: Claim, signal: AbortSignal): Promise<void> {
    if ((claim.status?.phase ?? "Pending") !== "Pending") {
      await this.#saveStatus(claim, { phase: "Pending" }, signal);
    }
  }

  async #saveStatus({ metadata }: Claim, status: object, signal: AbortSignal): Promise<void> {
    const { name, namespace = "" } = metadata;
    await this.#frame.client.patchStatus(PersistentVolumeClaims, name, { status }, {
      namespace,
      signal,
    });
  }

  /** Makes a volume for the claim, in the place of the provisioner of its class. */
  async #provision(
    claim: Claim,
    storage: Cached<StorageClass> | undefined,
    node: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { storageClassName = "" } = claim.spec ?? {};
    if (storageClassName === "") {
      const message = "no persistent volumes available for this claim and no storage class is set";
      return await this.#frame.writeEvent(claim, "Normal", "FailedBinding", message, signal);
    }
    if (storage === undefined) {
      const message = `storageclass.storage.k8s.io "${storageClassName}" not found`;
      return await this.#frame.writeEvent(claim, "Warning", "ProvisioningFailed", message, signal);
    }
    const { provisioner = "" } = storage;
    if (provisioner === NO_PROVISIONER) return;
    const marked = await this.#mark(claim, provisioner, node, signal);
    const volume = volumeFor(marked, storage);
    const { name = "" } = volume.metadata;
    try {
      await this.#frame.client.create(PersistentVolumes, volume, { signal });
      const message = `Successfully provisioned volume ${name}`;
      await this.#frame.writeEvent(claim, "Normal", "ProvisioningSucceeded", message, signal);
    } catch (error) {
      // The cache does not show the volume yet.
      if (!isAlreadyExists(error)) throw error;
    }
  }

  async #mark(
    claim: Claim,
    provisioner: string,
    node: string,
    signal: AbortSignal,
  ): Promise<Claim> {
    const annotations = {
      [PROVISIONER]: provisioner,
      [`volume.beta.kubernetes.io/storage-provisioner`]: provisioner,
      ...(node !== "" && { [SELECTED_NODE]: node }),
    };
    const { annotations: present, name, namespace = "" } = claim.metadata;
    if (isSame({ ...present, ...annotations }, present)) return claim;
    const patch = { metadata: { annotations } };
    return await this.#frame.client.patch(PersistentVolumeClaims, name, patch, {
      namespace,
      signal,
    });
  }

  async #unprotect(claim: Claim, signal: AbortSignal): Promise<void> {
    const { finalizers = [], name, namespace = "", resourceVersion } = claim.metadata;
    if (!finalizers.includes(PROTECTION)) return;
    const isUsed = this.#pods.indexer.byIndex("namespace", namespace)
      .some((pod) => usesClaims(pod) && claimsOfPod(pod).includes(name));
    if (isUsed) return;
    const left = finalizers.filter((one) => one !== PROTECTION);
    const patch = { metadata: { resourceVersion, finalizers: left } };
    await this.#frame.client.patch(PersistentVolumeClaims, name, patch, { namespace, signal })
      .catch(unlessNotFound);
  }
}

function volumeFor(
  { metadata, spec }: Claim,
  storage: Cached<StorageClass>,
): PersistentVolume {
  const name = `pvc-${metadata.uid}`;
  const { provisioner = "", reclaimPolicy = "Delete" } = storage;
  return {
    metadata: { name, annotations: { [PROVISIONED_BY]: provisioner } },
    spec: {
      capacity: { storage: spec?.resources?.requests?.storage ?? "0" },
      accessModes: [...spec?.accessModes ?? []],
      claimRef: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        name: metadata.name,
        namespace: metadata.namespace ?? "",
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
      },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storage.metadata.name,
      volumeMode: spec?.volumeMode ?? "Filesystem",
      // The name of a provisioner may have a slash, as in `rancher.io/local-path`, and that of a driver may not.
      csi: { driver: provisioner.replaceAll(/[^a-z0-9.-]+/gi, "-"), volumeHandle: name },
    },
  };
}
