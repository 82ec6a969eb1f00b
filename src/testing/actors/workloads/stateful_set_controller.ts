import { describeError } from "@kubeloop/controller/internal/base";
import type { ReconcileResult } from "@kubeloop/controller/controller";
import {
  type Cached,
  isAlreadyExists,
  isControlledBy,
  type Pod,
  Pods,
} from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  availableAtMs,
  isBeingDeleted,
  isOver,
  isReady,
  isSame,
  Ownership,
  Reconciler,
  slowStart,
  unlessGone,
  whenTerminating,
} from "../control/mod.ts";
import { type ControllerRevision, type StatefulSet, StatefulSets } from "./apps_kinds.ts";
import { HashCollision, RevisionHistory, type Revisions } from "./revision_history.ts";
import { StatefulClaims } from "./stateful_claims.ts";
import { ordinalOf, revisionNameOf, statefulPod } from "./stateful_pods.ts";

type Set = Cached<StatefulSet>;
type Status = NonNullable<StatefulSet["status"]>;

/** The revisions between which a rollout moves. */
interface Move extends Revisions {
  /** The revision from which the rollout began. */
  readonly current: Cached<ControllerRevision>;
}

/**
 * Runs StatefulSets, as kube-controller-manager does: Pods with ordinals, which are created, updated and deleted one after
 * another or at the same time by `podManagementPolicy`; a PersistentVolumeClaim for each Pod and template; and a
 * ControllerRevision for each template. An update replaces the Pods from the highest ordinal down to the partition.
 */
export class StatefulSetController implements Actor {
  /** `statefulset-controller` */
  readonly name: string = "statefulset-controller";
  readonly #frame: Reconciler<StatefulSet>;
  readonly #pods: Ownership<StatefulSet, Pod>;
  readonly #history: RevisionHistory<StatefulSet>;
  readonly #claims: StatefulClaims;

  /** Creates a controller, which does nothing until {@linkcode StatefulSetController.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: StatefulSets,
      reconcile: (set, signal) => this.#reconcile(set, signal),
    });
    this.#pods = new Ownership(this.#frame, { owner: StatefulSets, resource: Pods });
    this.#claims = new StatefulClaims(this.#frame);
    this.#history = new RevisionHistory(
      this.#frame,
      StatefulSets,
      "controller.kubernetes.io/hash",
    );
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  async #reconcile(set: Set, signal: AbortSignal): Promise<ReconcileResult | void> {
    const pods = (await this.#pods.claim(set, signal)).filter((pod) => ordinalOf(pod, set) >= 0);
    let revisions: Revisions;
    try {
      revisions = await this.#history.sync(set, signal);
    } catch (error) {
      if (!(error instanceof HashCollision)) throw error;
      const collisionCount = (set.status?.collisionCount ?? 0) + 1;
      return await this.#save(set, { ...set.status, collisionCount } as Status, signal);
    }
    const { currentRevision } = set.status ?? {};
    const current = revisions.all.find(({ metadata }) => metadata.name === currentRevision) ??
      revisions.update;
    const move = { ...revisions, current };
    let failure: unknown;
    if (!isBeingDeleted(set)) {
      await this.#step(set, pods, move, signal).catch((error) => {
        failure = error;
      });
    }
    const status = this.#statusOf(set, pods, move);
    await this.#save(set, status, signal);
    if (failure !== undefined && !whenTerminating(failure)) throw failure;
    const live = new Set<string | undefined>([
      status.currentRevision,
      status.updateRevision,
      ...pods.map(revisionNameOf),
    ]);
    await this.#history.truncate(set, revisions, ({ metadata }) => live.has(metadata.name), signal);
    const nowMs = this.#frame.clock.wallNow();
    const leftMs = pods.map((pod) => availableAtMs(pod, set.spec?.minReadySeconds) - nowMs)
      .filter((ms) => ms > 0);
    const nextMs = Math.min(Infinity, ...leftMs);
    if (nextMs < Infinity) return { requeueAfterMs: nextMs };
  }

  /** Takes the next step towards the desired state: scales first, and then updates. */
  async #step(
    set: Set,
    pods: readonly Cached<Pod>[],
    move: Move,
    signal: AbortSignal,
  ): Promise<void> {
    const { ordinals, podManagementPolicy, replicas = 1 } = set.spec ?? {};
    const start = ordinals?.start ?? 0;
    const isOrdered = podManagementPolicy !== "Parallel";
    const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod, set), pod]));
    const wanted = Array.from({ length: replicas }, (_, i) => start + i);
    const condemned = pods
      .filter((pod) => ordinalOf(pod, set) < start || ordinalOf(pod, set) >= start + replicas)
      .sort((a, b) => ordinalOf(b, set) - ordinalOf(a, set));
    const unhealthy = [...wanted.map((one) => byOrdinal.get(one)), ...condemned.toReversed()]
      .find((pod) => pod === undefined || !this.#isHealthy(set, pod));
    const keep = (ordinal: number) =>
      this.#keep(set, ordinal, byOrdinal.get(ordinal), { isOrdered, move }, signal);
    if (!await inTurn(wanted, isOrdered, keep)) return;
    for (const pod of condemned) await this.#claims.setOwners(set, pod, true, signal);
    const remove = async (pod: Cached<Pod>) => {
      if (isBeingDeleted(pod)) return !isOrdered;
      // All lower ordinals must be healthy before this Pod is deleted, unless this Pod is the unhealthy one.
      if (isOrdered && !this.#isHealthy(set, pod) && pod !== unhealthy) return false;
      await this.#delete(set, pod, signal);
      return !isOrdered;
    };
    if (!await inTurn(condemned, isOrdered, remove)) return;
    if (set.spec?.updateStrategy?.type === "OnDelete") return;
    const { partition = 0 } = set.spec?.updateStrategy?.rollingUpdate ?? {};
    for (const ordinal of wanted.slice(partition).reverse()) {
      const pod = byOrdinal.get(ordinal);
      if (pod === undefined) return;
      if (revisionNameOf(pod) !== move.update.metadata.name && !isBeingDeleted(pod)) {
        return await this.#delete(set, pod, signal);
      }
      if (!this.#isHealthy(set, pod)) return;
    }
  }

  /** Brings one replica into being; returns whether the next one may follow. */
  async #keep(
    set: Set,
    ordinal: number,
    pod: Cached<Pod> | undefined,
    { isOrdered, move }: { readonly isOrdered: boolean; readonly move: Move },
    signal: AbortSignal,
  ): Promise<boolean> {
    if (pod === undefined) {
      await this.#create(set, ordinal, move, signal);
      return !isOrdered;
    }
    if (isOver(pod)) {
      if (!isBeingDeleted(pod)) await this.#delete(set, pod, signal);
      return false;
    }
    if (pod.status?.phase === "Pending") await this.#claims.create(set, ordinal, signal);
    if (isOrdered && !this.#isHealthy(set, pod)) return false;
    await this.#claims.setOwners(set, pod, false, signal);
    return true;
  }

  #isHealthy(set: Set, pod: Cached<Pod>): boolean {
    const { minReadySeconds } = set.spec ?? {};
    return !isBeingDeleted(pod) && pod.status?.phase === "Running" &&
      availableAtMs(pod, minReadySeconds) <= this.#frame.clock.wallNow();
  }

  async #create(set: Set, ordinal: number, move: Move, signal: AbortSignal): Promise<void> {
    const { ordinals, updateStrategy } = set.spec ?? {};
    const { partition } = updateStrategy?.rollingUpdate ?? {};
    const index = ordinal - (ordinals?.start ?? 0);
    const isOld = updateStrategy?.type !== "OnDelete" &&
      index < (partition ?? set.status?.currentReplicas ?? 0);
    const pod = statefulPod(set, ordinal, isOld ? move.current : move.update);
    const { name } = pod.metadata;
    try {
      await this.#claims.create(set, ordinal, signal);
      await this.#frame.client.create(Pods, pod, { signal });
    } catch (error) {
      // The cache does not show the Pod yet.
      if (isAlreadyExists(error) && await this.#owns(set, pod, signal)) return;
      if (!signal.aborted) await this.#tell(set, "Create", name, error, signal);
      throw error;
    }
    await this.#tell(set, "Create", name, undefined, signal);
  }

  async #owns(set: Set, { metadata }: Pod, signal: AbortSignal): Promise<boolean> {
    const { name = "", namespace = "" } = metadata;
    return isControlledBy(await this.#frame.client.get(Pods, name, { namespace, signal }), set);
  }

  async #delete(set: Set, { metadata }: Cached<Pod>, signal: AbortSignal): Promise<void> {
    const { name, namespace = "", uid } = metadata;
    try {
      await this.#frame.client.delete(Pods, name, { namespace, preconditions: { uid }, signal })
        .catch(unlessGone);
    } catch (error) {
      if (!signal.aborted) await this.#tell(set, "Delete", name, error, signal);
      throw error;
    }
    await this.#tell(set, "Delete", name, undefined, signal);
  }

  async #tell(
    set: Set,
    verb: "Create" | "Delete",
    pod: string | undefined,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const what = `${verb} Pod ${pod} in StatefulSet ${set.metadata.name}`;
    await this.#frame.events.write(
      StatefulSets,
      set,
      error === undefined
        ? { type: "Normal", reason: `Successful${verb}`, message: `${what} successful` }
        : {
          type: "Warning",
          reason: `Failed${verb}`,
          message: `${what} failed error: ${describeError(error)}`,
        },
      signal,
    );
  }

  #statusOf(set: Set, pods: readonly Cached<Pod>[], { current, update }: Move): Status {
    const { minReadySeconds, replicas = 1, updateStrategy } = set.spec ?? {};
    const wallMs = this.#frame.clock.wallNow();
    const ready = pods.filter((pod) => pod.status?.phase === "Running" && isReady(pod));
    const at = ({ metadata }: Cached<ControllerRevision>) =>
      pods.filter((pod) => !isBeingDeleted(pod) && revisionNameOf(pod) === metadata.name).length;
    const status: Status = {
      observedGeneration: set.metadata.generation ?? 0,
      replicas: pods.length,
      readyReplicas: ready.length,
      availableReplicas:
        ready.filter((pod) => availableAtMs(pod, minReadySeconds) <= wallMs).length,
      currentReplicas: at(current),
      updatedReplicas: at(update),
      currentRevision: current.metadata.name,
      updateRevision: update.metadata.name,
      collisionCount: set.status?.collisionCount ?? 0,
    };
    const isFinished = (updateStrategy?.type ?? "RollingUpdate") === "RollingUpdate" &&
      [status.updatedReplicas, status.readyReplicas, status.replicas].every((n) => n === replicas);
    return isFinished
      ? { ...status, currentReplicas: replicas, currentRevision: update.metadata.name }
      : status;
  }

  async #save(set: Set, status: Status, signal: AbortSignal): Promise<void> {
    if (isSame(status, set.status)) return;
    await this.#frame.client.updateStatus(StatefulSets, { ...set, status } as StatefulSet, {
      signal,
    });
  }
}

/** Calls `act` for each item: in order, until one returns false; or for all of them, in growing batches. */
async function inTurn<I>(
  items: readonly I[],
  isOrdered: boolean,
  act: (item: I) => Promise<boolean>,
): Promise<boolean> {
  if (isOrdered) {
    for (const item of items) if (!await act(item)) return false;
    return true;
  }
  const { error } = await slowStart(items.length, async (i) => void await act(items[i]!));
  if (error !== undefined) throw error;
  return true;
}
