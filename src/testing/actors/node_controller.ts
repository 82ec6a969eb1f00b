import type { Clock } from "@kubeloop/controller/internal/base";
import type { SharedInformer } from "@kubeloop/controller/cache";
import type { Client } from "@kubeloop/controller/client";
import { Controller, type ReconcileResult } from "@kubeloop/controller/controller";
import {
  type Cached,
  type Condition,
  formatTime,
  isConflict,
  Leases,
  type Node,
  Nodes,
  type Pod,
  Pods,
} from "@kubeloop/controller/types";
import { LEASE_NAMESPACE, type LeaseRenewals } from "./node_registration.ts";
import {
  type Actor,
  actorInformers,
  type ActorOptions,
  actorRetries,
  environmentOf,
  NOT_READY,
  type Taint,
  tolerates,
  tolerationsOf,
  unlessNotFound,
  UNREACHABLE,
} from "./control/mod.ts";

/** The delay before a write that met a conflict is retried. */
const CONFLICT_RETRY_MS = 100;

/** Options of a {@linkcode NodeController}. */
export interface NodeControllerOptions extends ActorOptions {
  /**
   * The time after the last renewal of its Lease at which a node counts as lost, in milliseconds. Default 50,000, as in
   * kube-controller-manager.
   */
  readonly gracePeriodMs?: number | undefined;
  /** The renewals of Leases; for example `ApiServer.nodeLeases`. Default: the controller watches the Leases. */
  readonly leases?: Pick<LeaseRenewals, "onRenewal"> | undefined;
}

/** A taint with the time at which it was added. */
type TimedTaint = Taint & { timeAdded?: string };

/**
 * Monitors the health of nodes, as the node lifecycle controller of kube-controller-manager does.
 *
 * - When a node is ready, the not-ready taint, which every new node carries, is removed.
 * - When the Lease of a node is not renewed in time, the Ready condition of the node becomes Unknown, its Pods are
 *   marked as not ready, and it gets the unreachable taint.
 * - The Pods are deleted once they no longer tolerate the taint. By default that takes five minutes: the API server
 *   gives every Pod a toleration of that time. No kubelet stops these Pods, so they stay Terminating until the node
 *   comes back or its Node object is deleted.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, Kubelet, NodeController, VirtualClock } from "@kubeloop/testing";
 * import { Nodes } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * const stop = new AbortController();
 * const kubelet = new Kubelet({ client, nodeName: "node-1" });
 * const running = [kubelet, new NodeController({ client })].map((one) =>
 *   one.run({ signal: stop.signal })
 * );
 *
 * const ready = () => server.get(Nodes, "node-1")?.status?.conditions?.[0]?.status;
 * await clock.advance(1000);
 * assertEquals(ready(), "True");
 * kubelet.crashNode();
 * await clock.advance(60_000);
 * assertEquals(ready(), "Unknown");
 *
 * stop.abort();
 * await Promise.all(running);
 * ```
 */
export class NodeController implements Actor {
  /** `node-controller` */
  readonly name: string = "node-controller";
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #gracePeriodMs: number;
  readonly #nodes: SharedInformer<Node>;
  readonly #leases: Pick<LeaseRenewals, "onRenewal"> | undefined;
  readonly #pods: SharedInformer<Pod>;
  readonly #controller: Controller;
  /** When the last renewal of each node was seen, by this clock: node clocks are not trusted. */
  readonly #heard = new Map<string, number>();
  /** The nodes that were lost when they were last reconciled. */
  readonly #lost = new Set<string>();

  /** Creates a controller, which does nothing until {@linkcode NodeController.run} is called. */
  constructor(options: NodeControllerOptions) {
    const { client } = options;
    const { clock, random, logger } = environmentOf(options, this.name);
    this.#client = client;
    this.#clock = clock;
    this.#gracePeriodMs = options.gracePeriodMs ?? 50_000;
    const informers = actorInformers(client, { clock, random, logger });
    this.#nodes = informers.informer(Nodes);
    this.#leases = options.leases;
    const leases = options.leases === undefined
      ? [informers.informer(Leases, { namespace: LEASE_NAMESPACE })]
      : [];
    this.#pods = informers.informer(Pods);
    this.#pods.addIndexers({ node: ({ spec }) => spec?.nodeName ? [spec.nodeName] : [] });
    this.#controller = new Controller({
      ...actorRetries(),
      informer: this.#nodes,
      waitFor: [...leases, this.#pods],
      clock,
      logger,
      reconcile: (key, { signal }) => this.#reconcile(key, signal),
    });
    leases.forEach((informer) =>
      informer.addEventHandler({
        onAdd: (lease) => this.#hear(lease.metadata.name!),
        onUpdate: (old, lease) => {
          if (old.spec?.renewTime !== lease.spec?.renewTime) this.#hear(lease.metadata.name!);
        },
      })
    );
  }

  /** Runs the controller until `signal` aborts. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const forget = this.#leases?.onRenewal((node) => this.#hear(node));
    try {
      await this.#controller.run({ signal });
    } finally {
      forget?.();
    }
  }

  #hear(name: string): void {
    this.#heard.set(name, this.#clock.now());
    // A node that is not lost has a timer, which then runs on.
    if (this.#lost.has(name)) this.#controller.enqueue(name);
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<ReconcileResult | void> {
    const node = this.#nodes.indexer.getByKey(name);
    if (node === undefined) {
      this.#heard.delete(name);
      this.#lost.delete(name);
      return await this.#removeOrphans(name, signal);
    }
    const lostAtMs = this.#lastHeardMs(name) + this.#gracePeriodMs;
    const isLost = this.#clock.now() >= lostAtMs;
    if (isLost) this.#lost.add(name);
    else this.#lost.delete(name);
    try {
      if (isLost && readiness(node) !== "Unknown") await this.#markUnknown(name, signal);
      const taints = await this.#taint(node, isLost ? "Unknown" : readiness(node), signal);
      if (isLost) await this.#markPodsUnready(name, signal);
      const evictAtMs = await this.#evict(name, taints, signal);
      const nextMs = Math.min(isLost ? Infinity : lostAtMs, evictAtMs);
      if (nextMs === Infinity) return;
      return { requeueAfterMs: Math.max(0, nextMs - this.#clock.now()) };
    } catch (error) {
      if (isConflict(error)) return { requeueAfterMs: CONFLICT_RETRY_MS };
      unlessNotFound(error);
    }
  }

  #lastHeardMs(name: string): number {
    const heardMs = this.#heard.get(name) ?? this.#clock.now();
    this.#heard.set(name, heardMs);
    return heardMs;
  }

  async #markUnknown(name: string, signal: AbortSignal): Promise<void> {
    const condition = {
      type: "Ready",
      status: "Unknown" as const,
      reason: "NodeStatusUnknown",
      message: "Kubelet stopped posting node status.",
      lastTransitionTime: this.#now(),
    };
    const patch = { status: { conditions: [condition] } };
    await this.#client.patchStatus(Nodes, name, patch, { type: "strategic", signal });
  }

  /** Sets the health taints that match the Ready condition; returns all taints that the node then has. */
  async #taint(
    { metadata, spec }: Cached<Node>,
    ready: Condition["status"],
    signal: AbortSignal,
  ): Promise<readonly TimedTaint[]> {
    const present: readonly TimedTaint[] = spec?.taints ?? [];
    const wantedKey = { True: undefined, False: NOT_READY, Unknown: UNREACHABLE }[ready];
    const kept = present.filter(({ key }) =>
      key === wantedKey || (key !== NOT_READY && key !== UNREACHABLE)
    );
    const taints = [...kept];
    if (wantedKey !== undefined) {
      for (const effect of ["NoSchedule", "NoExecute"]) {
        if (kept.some((taint) => taint.key === wantedKey && taint.effect === effect)) continue;
        taints.push({ key: wantedKey, effect, timeAdded: this.#now() });
      }
    }
    if (taints.length === present.length && kept.length === present.length) return present;
    const { name = "", resourceVersion } = metadata;
    await this.#client.patch(Nodes, name, {
      metadata: { resourceVersion },
      spec: { taints: taints.length === 0 ? null : taints },
    }, { signal });
    return taints;
  }

  async #markPodsUnready(node: string, signal: AbortSignal): Promise<void> {
    for (const { metadata, status } of this.#pods.indexer.byIndex("node", node)) {
      const isReady = status?.conditions?.some((one) =>
        one.type === "Ready" && one.status === "True"
      );
      if (!isReady) continue;
      const { name = "", namespace = "" } = metadata;
      const lastTransitionTime = this.#now();
      const condition: Condition = { type: "Ready", status: "False", lastTransitionTime };
      const patch = { status: { conditions: [condition] } };
      await this.#client.patchStatus(Pods, name, patch, { namespace, type: "strategic", signal })
        .catch(unlessNotFound);
    }
  }

  /** Deletes the Pods that no longer tolerate the taints; returns the clock time of the next eviction. */
  async #evict(
    node: string,
    taints: readonly TimedTaint[],
    signal: AbortSignal,
  ): Promise<number> {
    const wallOffsetMs = this.#clock.wallNow() - this.#clock.now();
    let nextMs = Infinity;
    for (const pod of this.#pods.indexer.byIndex("node", node)) {
      if (pod.metadata.deletionTimestamp !== undefined) continue;
      const dueMs = Math.min(...taints.map((taint) => evictionMs(pod, taint))) - wallOffsetMs;
      if (dueMs > this.#clock.now()) {
        nextMs = Math.min(nextMs, dueMs);
        continue;
      }
      const { name = "", namespace = "", uid } = pod.metadata;
      await this.#client.delete(Pods, name, { namespace, preconditions: { uid }, signal })
        .catch(unlessNotFound);
    }
    return nextMs;
  }

  /** Force-deletes the Pods of a deleted node, because no kubelet completes their deletion. */
  async #removeOrphans(node: string, signal: AbortSignal): Promise<void> {
    for (const { metadata } of this.#pods.indexer.byIndex("node", node)) {
      const { name = "", namespace = "", uid } = metadata;
      await this.#client.delete(Pods, name, {
        namespace,
        gracePeriodSeconds: 0,
        preconditions: { uid },
        signal,
      }).catch(unlessNotFound);
    }
  }

  #now(): string {
    return formatTime(this.#clock.wallNow());
  }
}

function readiness({ status }: Cached<Node>): Condition["status"] {
  return status?.conditions?.find(({ type }) => type === "Ready")?.status ?? "Unknown";
}

/** Returns the wall time at which the taint evicts the Pod, in milliseconds; `Infinity` if it never does. */
function evictionMs(pod: Cached<Pod>, taint: TimedTaint): number {
  if (taint.effect !== "NoExecute") return Infinity;
  const sinceMs = Date.parse(taint.timeAdded ?? "") || 0;
  const seconds = tolerationsOf(pod).filter((toleration) => tolerates(toleration, taint))
    .map(({ tolerationSeconds = Infinity }) => tolerationSeconds);
  return sinceMs + 1000 * (seconds.length === 0 ? 0 : Math.min(...seconds));
}
