import {
  type Clock,
  delay,
  forkRandom,
  type Random,
  randomInt,
} from "@kubeloop/controller/internal/base";
import {
  DeletedFinalStateUnknown,
  metaNamespaceKeyFunc,
  type SharedInformer,
} from "@kubeloop/controller/cache";
import type { Client } from "@kubeloop/controller/client";
import { Controller } from "@kubeloop/controller/controller";
import {
  type Cached,
  formatTime,
  isConflict,
  isNotFound,
  type KubeObject,
  type Node,
  Nodes,
  type Pod,
  Pods,
} from "@kubeloop/controller/types";
import {
  type Actor,
  actorInformers,
  type ActorOptions,
  actorRetries,
  environmentOf,
  EventWriter,
  unschedulableMessage,
  whyNot,
} from "./control/mod.ts";

/** The scheduler name that the API server sets by default. */
const DEFAULT_SCHEDULER = "default-scheduler";

/** Options of a {@linkcode Scheduler}. */
export interface SchedulerOptions extends ActorOptions {
  /** The `spec.schedulerName` of the Pods to schedule. Default `default-scheduler`. */
  readonly schedulerName?: string | undefined;
  /**
   * The choice among the nodes that fit. `least-pods` takes the node with the fewest Pods, and chooses among equals at
   * random. `round-robin` takes one node after another, in the order of their names. Default `least-pods`.
   */
  readonly strategy?: "least-pods" | "round-robin" | undefined;
  /** The time to schedule a Pod, in milliseconds. Pods are scheduled one at a time, as in kube-scheduler. Default 0. */
  readonly delayMs?: number | undefined;
  /** Whether to write Events about Pods, which `kubectl describe` shows: each costs a request. Default false. */
  readonly events?: boolean | undefined;
}

/** Fields of a Pod spec that the scheduler reads and the type {@linkcode Pod} does not have. */
type SchedulerSpec = { schedulerName?: string; schedulingGates?: unknown[] };

/**
 * Binds Pods to nodes, as kube-scheduler does. A node fits a Pod if the node is schedulable, the Pod tolerates its
 * taints, its labels match the Pod's `nodeSelector`, and its number of Pods is below `allocatable.pods`. If no node
 * fits, the condition PodScheduled gives the reasons, and the Pod is retried when a node is added or changes, or when a
 * Pod ends or is deleted.
 *
 * The API server puts the taint `node.kubernetes.io/not-ready` on every new node; a `NodeController` removes it.
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
 * await using client = new Client(server.clientOptions);
 * const stop = new AbortController();
 * const running = new Scheduler({ client }).run({ signal: stop.signal });
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
  readonly #events: EventWriter | undefined;
  readonly #schedulerName: string;
  readonly #strategy: "least-pods" | "round-robin";
  readonly #delayMs: number;
  readonly #pods: SharedInformer<Pod>;
  readonly #nodes: SharedInformer<Node>;
  readonly #controller: Controller;
  /** The nodes of Pods whose binding the cache does not show yet, by the uid of the Pod. */
  readonly #assumed = new Map<string, string>();
  /** The keys of the Pods that fit no node. */
  readonly #unschedulable = new Set<string>();
  #lastNode = "";

  /** Creates a scheduler, which does nothing until {@linkcode Scheduler.run} is called. */
  constructor(options: SchedulerOptions) {
    const { client } = options;
    const { clock, random, logger } = environmentOf(options, this.name);
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#events = options.events
      ? new EventWriter(DEFAULT_SCHEDULER, { client, clock, logger })
      : undefined;
    this.#schedulerName = options.schedulerName ?? DEFAULT_SCHEDULER;
    this.#strategy = options.strategy ?? "least-pods";
    this.#delayMs = options.delayMs ?? 0;
    const informers = actorInformers(client, { clock, random, logger });
    this.#pods = informers.informer(Pods);
    this.#pods.addIndexers({ node: ({ spec }) => spec?.nodeName ? [spec.nodeName] : [] });
    this.#nodes = informers.informer(Nodes);
    this.#controller = new Controller({
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

  /** Runs the scheduler until `signal` aborts. */
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
      // The Pod is deleted, or another client has bound it.
      if (!isNotFound(error) && !isConflict(error)) throw error;
      return;
    }
    const { name, namespace } = pod.metadata;
    await this.#events?.write(Pods, pod, {
      type: "Normal",
      reason: "Scheduled",
      message: `Successfully assigned ${namespace}/${name} to ${node}`,
    }, signal);
  }

  #isToSchedule(pod: Cached<Pod> | undefined): pod is Cached<Pod> {
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return false;
    if (pod.spec?.nodeName || this.#assumed.has(pod.metadata.uid ?? "") || isOver(pod)) {
      return false;
    }
    const { schedulerName = DEFAULT_SCHEDULER, schedulingGates = [] } =
      (pod.spec ?? {}) as SchedulerSpec;
    return schedulerName === this.#schedulerName && schedulingGates.length === 0;
  }

  /** Returns the name of the best node; appends to `reasons` why each other node does not fit. */
  #choose(pod: Cached<Pod>, reasons: string[]): string | undefined {
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
    // Each Pod has a random source of its own, so that one more Pod does not move all others.
    const random = forkRandom(this.#random, `Pod ${pod.metadata.uid}`);
    return best[randomInt(random, best.length)]?.name;
  }

  #podsOn(node: string): number {
    const pods = this.#pods.indexer.byIndex("node", node).filter((pod) => !isOver(pod));
    const uids = new Set(pods.map(({ metadata }) => metadata.uid ?? ""));
    for (const [uid, assumed] of this.#assumed) if (assumed === node) uids.add(uid);
    return uids.size;
  }

  async #bind({ metadata }: Cached<Pod>, node: string, signal: AbortSignal): Promise<void> {
    const { name = "", namespace = "", uid } = metadata;
    const binding: KubeObject & { target: object } = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name, namespace, ...(uid === undefined ? {} : { uid }) },
      target: { apiVersion: "v1", kind: "Node", name: node },
    };
    await this.#client.create<KubeObject>(Pods, binding, { subresource: "binding", signal });
  }

  async #tellWhy(pod: Cached<Pod>, message: string, signal: AbortSignal): Promise<void> {
    const before = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
    if (before?.status === "False" && before.message === message) return;
    const { name = "", namespace = "" } = pod.metadata;
    const condition = {
      type: "PodScheduled",
      status: "False" as const,
      reason: "Unschedulable",
      message,
      lastTransitionTime: before?.status === "False"
        ? before.lastTransitionTime
        : formatTime(this.#clock.wallNow()),
    };
    const event = { type: "Warning", reason: "FailedScheduling", message } as const;
    await this.#events?.write(Pods, pod, event, signal);
    const patch = { status: { conditions: [condition] } };
    const call = { namespace, type: "strategic", signal } as const;
    await this.#client.patchStatus(Pods, name, patch, call).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

/** Reports whether a Pod has ended, and so no longer counts against the capacity of its node. */
function isOver({ status }: Cached<Pod>): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}
