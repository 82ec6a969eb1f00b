import type { SharedInformer } from "@kubeloop/controller/cache";
import type { ReconcileResult } from "@kubeloop/controller/controller";
import { type Cached, type Node, Nodes, type Pod, Pods } from "@kubeloop/controller/types";
import {
  type Actor,
  type ActorOptions,
  availableAtMs,
  Expectations,
  isBeingDeleted,
  isOver,
  isReady,
  isSame,
  keyOf,
  Ownership,
  PodControl,
  Reconciler,
  scaledValue,
  slowStart,
  whenTerminating,
} from "../control/mod.ts";
import { type DaemonSet, DaemonSets } from "./apps_kinds.ts";
import { daemonPod, HASH_LABEL, placement, podsByNode } from "./daemon_pods.ts";
import { HashCollision, RevisionHistory, type Revisions } from "./revision_history.ts";

/** The number of Pods that are created or deleted at once. */
const BURST = 250;

type Set = Cached<DaemonSet>;
type Placed = ReadonlyMap<string, readonly Cached<Pod>[]>;

/** The Pods to create, by node, and those to delete. */
interface Plan {
  readonly create: string[];
  readonly remove: Cached<Pod>[];
}

/**
 * Runs DaemonSets, as kube-controller-manager does: one Pod on each node that its template fits, which the scheduler binds.
 * An update replaces the Pods within `maxUnavailable`, or starts the new ones first within `maxSurge`.
 */
export class DaemonSetController implements Actor {
  /** `daemonset-controller` */
  readonly name: string = "daemonset-controller";
  readonly #frame: Reconciler<DaemonSet>;
  readonly #expectations: Expectations;
  readonly #pods: Ownership<DaemonSet, Pod>;
  readonly #nodes: SharedInformer<Node>;
  readonly #control: PodControl;
  readonly #history: RevisionHistory<DaemonSet>;

  /** Creates a controller, which does nothing until {@linkcode DaemonSetController.run} is called. */
  constructor(options: ActorOptions) {
    this.#frame = new Reconciler(options, {
      name: this.name,
      resource: DaemonSets,
      reconcile: (set, signal) => this.#reconcile(set, signal),
    });
    this.#expectations = new Expectations(this.#frame.clock);
    this.#pods = new Ownership(this.#frame, {
      owner: DaemonSets,
      resource: Pods,
      expectations: this.#expectations,
    });
    this.#control = new PodControl(DaemonSets, this.#frame);
    this.#history = new RevisionHistory(this.#frame, DaemonSets, HASH_LABEL);
    this.#nodes = this.#frame.related(Nodes);
    this.#nodes.addEventHandler({
      onAdd: () => this.#enqueueAll(),
      onUpdate: (old, node) => {
        // Heartbeats change the status of nodes, which decides nothing.
        const relevant = ({ metadata, spec }: Cached<Node>) => [metadata.labels, spec?.taints];
        if (!isSame(relevant(old), relevant(node))) this.#enqueueAll();
      },
      onDelete: () => this.#enqueueAll(),
    });
  }

  /** Runs the controller until `signal` aborts. */
  run(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#frame.run(call);
  }

  #enqueueAll(): void {
    for (const set of this.#frame.objects.indexer.list()) this.#frame.enqueue(keyOf(set));
  }

  async #reconcile(set: Set, signal: AbortSignal): Promise<ReconcileResult | void> {
    const waitMs = this.#expectations.waitMs(set.metadata.uid);
    const pods = await this.#pods.claim(set, signal);
    let revisions: Revisions;
    try {
      revisions = await this.#history.sync(set, signal);
    } catch (error) {
      if (!(error instanceof HashCollision)) throw error;
      const collisionCount = (set.status?.collisionCount ?? 0) + 1;
      return await this.#save(set, { ...set.status, collisionCount }, signal);
    }
    const hash = revisions.update.metadata.labels?.[HASH_LABEL] ?? "";
    const placed = podsByNode(pods);
    let failure: unknown;
    if (waitMs === 0 && !isBeingDeleted(set)) {
      failure = await this.#manage(set, placed, hash, signal);
    }
    await this.#save(set, this.#statusOf(set, placed, hash), signal);
    if (failure !== undefined) throw failure;
    const live = new Set([hash, ...pods.map(({ metadata }) => metadata.labels?.[HASH_LABEL])]);
    await this.#history.truncate(
      set,
      revisions,
      ({ metadata }) => live.has(metadata.labels?.[HASH_LABEL]),
      signal,
    );
    const nowMs = this.#frame.clock.wallNow();
    const leftMs = pods.map((pod) => availableAtMs(pod, set.spec?.minReadySeconds) - nowMs);
    const nextMs = Math.min(waitMs || Infinity, ...leftMs.filter((ms) => ms > 0));
    if (nextMs < Infinity) return { requeueAfterMs: nextMs };
  }

  async #manage(
    set: Set,
    placed: Placed,
    hash: string,
    signal: AbortSignal,
  ): Promise<unknown> {
    const plan = this.#placePods(set, placed, hash);
    await this.#tellEnded(set, plan.remove, signal);
    // Updates wait until each node has what it is to have.
    const isSettled = plan.create.length + plan.remove.length === 0;
    if (isSettled && set.spec?.updateStrategy?.type !== "OnDelete") {
      this.#update(set, placed, hash, plan);
    }
    const { uid } = set.metadata;
    const create = plan.create.slice(0, BURST);
    const remove = plan.remove.slice(0, BURST);
    if (create.length + remove.length === 0) return undefined;
    this.#expectations.expect(uid, create.length, remove.map(({ metadata }) => metadata.uid));
    const { error, succeeded } = await slowStart(
      create.length,
      (i) => this.#control.create(set, daemonPod(set, create[i]!, hash), signal),
    );
    this.#expectations.creationObserved(uid, create.length - succeeded);
    const results = await Promise.allSettled(remove.map(async (pod) => {
      let isDeleted = false;
      try {
        isDeleted = await this.#control.delete(set, pod, signal);
      } finally {
        if (!isDeleted) this.#expectations.deletionObserved(uid, pod.metadata.uid);
      }
    }));
    const failed = results.find((result) => result.status === "rejected")?.reason;
    return whenTerminating(error) ? failed : error ?? failed;
  }

  /** Plans one Pod for each node that the template fits, and none for the others. */
  #placePods(set: Set, placed: Placed, hash: string): Plan {
    const plan: Plan = { create: [], remove: [] };
    const isSurging = this.#limits(set, 1).surge > 0;
    for (const node of this.#nodes.indexer.list()) {
      const { name } = node.metadata;
      const present = placed.get(name) ?? [];
      const { starts, stays } = placement(set, node);
      const alive = present.filter((pod) => !isBeingDeleted(pod));
      if (!stays) {
        plan.remove.push(...alive);
        continue;
      }
      const running = alive.filter((pod) => !isOver(pod));
      plan.remove.push(...alive.filter(isOver));
      // Without surge, the old Pod must be gone before there is a new one.
      if (starts && (isSurging ? running : present).length === 0) plan.create.push(name);
      plan.remove.push(...this.#excess(set, running, isSurging, hash));
    }
    const known = new Set(this.#nodes.indexer.list().map(({ metadata }) => metadata.name));
    for (const [node, present] of placed) {
      // The node is gone, and a Pod that was never bound to it would wait for ever.
      if (known.has(node)) continue;
      plan.remove.push(...present.filter((pod) => !pod.spec?.nodeName && !isBeingDeleted(pod)));
    }
    return plan;
  }

  /** Returns the Pods that are too many on a node: all but the oldest; with surge, the oldest of each template stays. */
  #excess(
    set: Set,
    running: readonly Cached<Pod>[],
    isSurging: boolean,
    hash: string,
  ): Cached<Pod>[] {
    if (!isSurging) return running.slice(1);
    const [updated, ...moreUpdated] = running.filter((pod) => isUpdated(pod, hash));
    const [old, ...moreOld] = running.filter((pod) => !isUpdated(pod, hash));
    const replaced = updated && old && (this.#isAvailable(set, updated) || !isReady(old));
    return [...moreUpdated, ...moreOld, ...(replaced ? [old] : [])];
  }

  #update(set: Set, placed: Placed, hash: string, plan: Plan): void {
    const desired = this.#nodes.indexer.list().filter((node) => placement(set, node).starts).length;
    const { surge, unavailable } = this.#limits(set, desired);
    let used = 0;
    const candidates: (readonly [node: string, pod: Cached<Pod>])[] = [];
    for (const [node, present] of placed) {
      const alive = present.filter((pod) => !isBeingDeleted(pod));
      const old = alive.find((pod) => !isUpdated(pod, hash));
      const updated = alive.find((pod) => isUpdated(pod, hash));
      if (old !== undefined && updated === undefined) {
        // A Pod that is not available can be replaced at once.
        if (this.#isAvailable(set, old)) candidates.push([node, old]);
        else if (surge > 0) plan.create.push(node);
        else {
          plan.remove.push(old);
          used++;
        }
      } else if (updated === undefined || !this.#isAvailable(set, updated)) used++;
    }
    const room = Math.max(0, (surge || unavailable) - used);
    for (const [node, pod] of candidates.slice(0, room)) {
      if (surge > 0) plan.create.push(node);
      else plan.remove.push(pod);
    }
  }

  #limits(set: Set, desired: number): { readonly surge: number; readonly unavailable: number } {
    const { maxSurge, maxUnavailable = 1 } = set.spec?.updateStrategy?.rollingUpdate ?? {};
    const surge = scaledValue(maxSurge, desired, { up: true });
    const unavailable = scaledValue(maxUnavailable, desired, { up: true });
    return { surge, unavailable: surge + unavailable === 0 ? 1 : unavailable };
  }

  #isAvailable(set: Set, pod: Cached<Pod>): boolean {
    return availableAtMs(pod, set.spec?.minReadySeconds) <= this.#frame.clock.wallNow();
  }

  async #tellEnded(set: Set, pods: readonly Cached<Pod>[], signal: AbortSignal): Promise<void> {
    for (const { metadata, spec, status } of pods.filter(isOver)) {
      const isFailed = status?.phase === "Failed";
      const which = `${metadata.namespace}/${metadata.name} on node ${spec?.nodeName}`;
      await this.#frame.events.write(DaemonSets, set, {
        type: isFailed ? "Warning" : "Normal",
        reason: isFailed ? "FailedDaemonPod" : "SucceededDaemonPod",
        message: isFailed
          ? `Found failed daemon pod ${which}, will try to kill it`
          : `Found succeeded daemon pod ${which}, will try to delete it`,
      }, signal);
    }
  }

  #statusOf(set: Set, placed: Placed, hash: string): NonNullable<DaemonSet["status"]> {
    let [desired, current, misscheduled, ready, available, updated] = [0, 0, 0, 0, 0, 0];
    for (const node of this.#nodes.indexer.list()) {
      const [pod] = placed.get(node.metadata.name) ?? [];
      if (!placement(set, node).starts) {
        if (pod !== undefined) misscheduled++;
        continue;
      }
      desired++;
      if (pod === undefined) continue;
      current++;
      if (isReady(pod)) ready++;
      if (this.#isAvailable(set, pod)) available++;
      if (isUpdated(pod, hash)) updated++;
    }
    const { collisionCount } = set.status ?? {};
    return {
      observedGeneration: set.metadata.generation ?? 0,
      desiredNumberScheduled: desired,
      currentNumberScheduled: current,
      numberMisscheduled: misscheduled,
      numberReady: ready,
      numberAvailable: available,
      numberUnavailable: desired - available,
      updatedNumberScheduled: updated,
      ...(collisionCount !== undefined && { collisionCount }),
    };
  }

  async #save(
    set: Set,
    status: NonNullable<DaemonSet["status"]>,
    signal: AbortSignal,
  ): Promise<void> {
    if (isSame(status, set.status)) return;
    await this.#frame.client.updateStatus(DaemonSets, { ...set, status } as DaemonSet, { signal });
  }
}

function isUpdated({ metadata }: Cached<Pod>, hash: string): boolean {
  return metadata.labels?.[HASH_LABEL] === hash;
}
