import {
  type Clock,
  defaultLogger,
  delay,
  type Random,
  randomInt,
  realClock,
  realRandom,
} from "@kubeloop/controller/base";
import {
  DeletedFinalStateUnknown,
  metaNamespaceKeyFunc,
  type SharedInformer,
  SharedInformerFactory,
} from "@kubeloop/controller/cache";
import type { Client } from "@kubeloop/controller/client";
import { Controller } from "@kubeloop/controller/controller";
import {
  formatTime,
  isConflict,
  isNotFound,
  type KubeObject,
  type Node,
  Nodes,
  type Pod,
  Pods,
} from "@kubeloop/controller/types";
import { unschedulableMessage, whyNot } from "./node_fit.ts";
import { actorRetries } from "./retries.ts";
import type { Actor, ActorOptions } from "./actor.ts";

/** What the API server writes into Pods that name no scheduler. */
const DEFAULT_SCHEDULER = "default-scheduler";

/** Options of a {@linkcode Scheduler}. */
export interface SchedulerOptions extends ActorOptions {
  /** Which Pods it schedules: those whose `spec.schedulerName` this is. Default `default-scheduler`. */
  readonly schedulerName?: string | undefined;
  /**
   * How it chooses among the nodes that will do: the one with the fewest Pods, `random` deciding between equals, or one
   * after another in the order of their names. Default `least-pods`.
   */
  readonly strategy?: "least-pods" | "round-robin" | undefined;
  /** How long it takes over each Pod, in milliseconds: one after another, as the real one. Default 0. */
  readonly delayMs?: number | undefined;
}

/** What the scheduler reads of a Pod besides what the type has. */
type SchedulerSpec = { schedulerName?: string; schedulingGates?: unknown[] };

/**
 * Binds Pods to nodes, as kube-scheduler does: each Pod that has no node yet goes to one that is schedulable, whose taints
 * it tolerates, whose labels its `nodeSelector` wants and that has room for another Pod. When there is none, the condition
 * PodScheduled says why, and the Pod is tried again when a node changes or a Pod goes.
 *
 * The API server puts the taint `node.kubernetes.io/not-ready` on every new node; a `NodeController` takes it off.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, Scheduler, VirtualClock } from "@kubeloop/testing";
 * import { Nodes, Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client({ fetch: server.fetch, clock });
 * const stop = new AbortController();
 * const running = new Scheduler({ client, clock }).run({ signal: stop.signal });
 *
 * await client.create(Pods, {
 *   metadata: { name: "web", namespace: "default" },
 *   spec: { containers: [{ name: "main", image: "nginx" }] },
 * });
 * await client.create(Nodes, { metadata: { name: "node-1" } });
 * await client.patch(Nodes, "node-1", { spec: { taints: null } });
 * await clock.advance(1000);
 * assertEquals(server.get(Pods, "web", "default")?.spec?.nodeName, "node-1");
 *
 * stop.abort();
 * await running;
 * ```
 */
export class Scheduler implements Actor {
  /** `scheduler` */
  readonly name: string = "scheduler";
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #schedulerName: string;
  readonly #strategy: "least-pods" | "round-robin";
  readonly #delayMs: number;
  readonly #pods: SharedInformer<Pod>;
  readonly #nodes: SharedInformer<Node>;
  readonly #controller: Controller<Pod>;
  /** The nodes of Pods that were bound and are not yet so in the cache, by uid. */
  readonly #assumed = new Map<string, string>();
  /** The keys of the Pods for which there was no node. */
  readonly #unschedulable = new Set<string>();
  #lastNode = "";

  /** A scheduler that does nothing until it is run. */
  constructor(options: SchedulerOptions) {
    const { client, clock = realClock, random = realRandom, logger = defaultLogger } = options;
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#schedulerName = options.schedulerName ?? DEFAULT_SCHEDULER;
    this.#strategy = options.strategy ?? "least-pods";
    this.#delayMs = options.delayMs ?? 0;
    const informers = new SharedInformerFactory(client, { clock, random, logger });
    this.#pods = informers.informer(Pods);
    this.#pods.addIndexers({ node: ({ spec }) => spec?.nodeName ? [spec.nodeName] : [] });
    this.#nodes = informers.informer(Nodes);
    this.#controller = new Controller<Pod>({
      ...actorRetries(),
      informer: this.#pods,
      waitFor: [this.#nodes],
      clock,
      logger,
      reconcile: (key, { signal }) => this.#schedule(key, signal),
    });
    const tryAgain = () => this.#tryAgain();
    this.#nodes.addEventHandler({ onAdd: tryAgain, onUpdate: tryAgain });
    this.#pods.addEventHandler({
      onUpdate: (old, pod) => {
        if (pod.spec?.nodeName || pod.metadata.uid !== old.metadata.uid) {
          this.#assumed.delete(old.metadata.uid ?? "");
        }
        if (isOver(pod) && !isOver(old)) this.#tryAgain();
      },
      onDelete: (last) => {
        const pod = DeletedFinalStateUnknown.lastKnownState(last);
        if (pod === undefined) return;
        this.#assumed.delete(pod.metadata.uid ?? "");
        this.#unschedulable.delete(metaNamespaceKeyFunc(pod));
        this.#tryAgain();
      },
    });
  }

  /** Schedules until `signal` aborts. */
  run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    return this.#controller.run({ signal });
  }

  #tryAgain(): void {
    for (const key of this.#unschedulable) this.#controller.enqueue(key);
    this.#unschedulable.clear();
  }

  async #schedule(key: string, signal: AbortSignal): Promise<void> {
    if (!this.#isToSchedule(this.#pods.indexer.getByKey(key))) return;
    if (this.#delayMs > 0) await delay(this.#delayMs, { clock: this.#clock, signal });
    const pod = this.#pods.indexer.getByKey(key);
    if (!this.#isToSchedule(pod)) return;
    const reasons: string[] = [];
    const node = this.#choose(pod, reasons);
    if (node === undefined) {
      this.#unschedulable.add(key);
      await this.#tellWhy(pod, unschedulableMessage(reasons), signal);
      return;
    }
    const uid = pod.metadata.uid ?? "";
    this.#assumed.set(uid, node);
    try {
      await this.#bind(pod, node, signal);
    } catch (error) {
      this.#assumed.delete(uid);
      // It is gone, or somebody else has bound it.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  #isToSchedule(pod: Pod | undefined): pod is Pod {
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return false;
    if (pod.spec?.nodeName || this.#assumed.has(pod.metadata.uid ?? "") || isOver(pod)) {
      return false;
    }
    const { schedulerName = DEFAULT_SCHEDULER, schedulingGates = [] } =
      (pod.spec ?? {}) as SchedulerSpec;
    return schedulerName === this.#schedulerName && schedulingGates.length === 0;
  }

  /** The name of the best node; notes into `reasons` what is wrong with those that will not do. */
  #choose(pod: Pod, reasons: string[]): string | undefined {
    const candidates: { name: string; pods: number }[] = [];
    for (const node of this.#nodes.indexer.list()) {
      const name = node.metadata.name ?? "";
      const pods = this.#podsOn(name);
      const reason = whyNot(node, pod, pods);
      if (reason === undefined) candidates.push({ name, pods });
      else reasons.push(reason);
    }
    candidates.sort((a, b) => (a.name < b.name ? -1 : 1));
    if (this.#strategy === "round-robin") {
      const next = candidates.find(({ name }) => name > this.#lastNode) ?? candidates[0];
      this.#lastNode = next?.name ?? this.#lastNode;
      return next?.name;
    }
    const fewest = Math.min(...candidates.map(({ pods }) => pods));
    const best = candidates.filter(({ pods }) => pods === fewest);
    if (best.length <= 1) return best[0]?.name;
    return best[randomInt(this.#random, best.length)]?.name;
  }

  #podsOn(node: string): number {
    const pods = this.#pods.indexer.byIndex("node", node).filter((pod) => !isOver(pod));
    const uids = new Set(pods.map(({ metadata }) => metadata.uid ?? ""));
    for (const [uid, assumed] of this.#assumed) if (assumed === node) uids.add(uid);
    return uids.size;
  }

  async #bind({ metadata }: Pod, node: string, signal: AbortSignal): Promise<void> {
    const { name = "", namespace = "", uid } = metadata;
    const binding: KubeObject & { target: object } = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name, namespace, ...(uid === undefined ? {} : { uid }) },
      target: { apiVersion: "v1", kind: "Node", name: node },
    };
    await this.#client.create<KubeObject>(Pods, binding, { subresource: "binding", signal });
  }

  async #tellWhy(pod: Pod, message: string, signal: AbortSignal): Promise<void> {
    const before = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
    if (before?.status === "False" && before.message === message) return;
    const { name = "", namespace = "" } = pod.metadata;
    const condition = {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message,
      lastTransitionTime: before?.status === "False"
        ? before.lastTransitionTime
        : formatTime(this.#clock.wallNow()),
    };
    const patch = { status: { conditions: [condition] } };
    const call = { namespace, type: "strategic", signal } as const;
    await this.#client.patchStatus(Pods, name, patch, call).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/** Whether a Pod has ended, and takes no room any more. */
function isOver({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}
