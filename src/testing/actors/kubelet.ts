import {
  type Clock,
  defaultLogger,
  type Logger,
  type Random,
  realClock,
  realRandom,
} from "@kubeloop/controller/base";
import { type SharedInformer, SharedInformerFactory } from "@kubeloop/controller/cache";
import type { Client } from "@kubeloop/controller/client";
import { Controller, type ReconcileResult } from "@kubeloop/controller/controller";
import { formatTime, isConflict, isNotFound, type Pod, Pods } from "@kubeloop/controller/types";
import { NodeRegistration } from "./node_registration.ts";
import { type PodOutcome, PodRun } from "./pod_run.ts";
import { covers, podStatus } from "./pod_status.ts";
import { actorRetries } from "./retries.ts";
import type { Actor, ActorOptions } from "./actor.ts";

export type { PodOutcome } from "./pod_run.ts";

/** How many Pods are looked after at once. */
const WORKERS = 4;
/** How many addresses there are for the Pods of a node: those from .2 to .254. */
const ADDRESSES = 253;
/** The time a Pod gets to stop that names none, in seconds. */
const DEFAULT_GRACE_SECONDS = 30;

/** After how many milliseconds the containers of a Pod with this annotation exit. */
const EXIT_AFTER_MS = "kubeloop.dev/exit-after-ms";
/** What they exit with. */
const EXIT_CODE = "kubeloop.dev/exit-code";

/** Options of a {@linkcode Kubelet}. */
export interface KubeletOptions extends ActorOptions {
  /** The node that it is on, and registers. */
  readonly nodeName: string;
  /** Labels of the node, besides `kubernetes.io/hostname`. */
  readonly nodeLabels?: Readonly<Record<string, string>> | undefined;
  /** What the node has room for. Default: 110 Pods, 4 CPUs, 16 GiB. */
  readonly capacity?: Readonly<Record<string, string>> | undefined;
  /** Which addresses it gives: 10.244.SUBNET.n to Pods, 172.18.0.(SUBNET + 2) to the node. From 0 to 250, default 0. */
  readonly subnet?: number | undefined;
  /** How long containers take to be created, and to be started again after a crash, in milliseconds. Default 1000. */
  readonly startDelayMs?: number | undefined;
  /** How long containers take to be ready once they run, in milliseconds. Default 0. */
  readonly readyDelayMs?: number | undefined;
  /**
   * How long containers take to stop when the Pod is deleted, in milliseconds; after the grace period of the deletion they
   * are killed. Default 1000.
   */
  readonly stopDelayMs?: number | undefined;
  /** How long containers run before they crash, on average, in milliseconds. Default `Infinity`: they do not. */
  readonly meanTimeToCrashMs?: number | undefined;
  /**
   * When and how the containers of a Pod exit by themselves; undefined: never. Default: as the annotations
   * `kubeloop.dev/exit-after-ms` and `kubeloop.dev/exit-code` of the Pod say.
   */
  readonly outcome?: ((pod: Pod) => PodOutcome | undefined) | undefined;
  /** How often the node's Lease is renewed, in milliseconds. Default 10,000, kubelet's. */
  readonly heartbeatMs?: number | undefined;
}

/** One Pod on the node. */
interface Tenant {
  readonly run: PodRun;
  readonly address: number;
  readonly startTime: string;
}

/**
 * Plays the node of a cluster: registers it, keeps its Lease, and takes the Pods that are bound to it through their lives.
 * Containers are created, run, become ready, exit and are started again as `restartPolicy` has it, at kubelet's back-off;
 * a Pod that is deleted gets its time to stop before it is gone. All containers of a Pod do the same; init containers
 * and probes are not looked at.
 *
 * {@linkcode Kubelet.crash} and {@linkcode Kubelet.crashNode} make trouble.
 *
 * @example A Pod comes up, crashes, and comes up again
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, Kubelet, VirtualClock } from "@kubeloop/testing";
 * import { Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client({ fetch: server.fetch, clock });
 * const kubelet = new Kubelet({ client, clock, nodeName: "node-1" });
 * const stop = new AbortController();
 * const running = kubelet.run({ signal: stop.signal });
 *
 * await client.create(Pods, {
 *   metadata: { name: "web", namespace: "default" },
 *   spec: { nodeName: "node-1", containers: [{ name: "main", image: "nginx" }] },
 * });
 * await clock.advance(2000);
 * assertEquals(server.get(Pods, "web", "default")?.status?.phase, "Running");
 * kubelet.crash("default/web");
 * await clock.advance(2000);
 * const [main] = server.get(Pods, "web", "default")?.status?.containerStatuses ?? [];
 * assertEquals([main?.ready, main?.restartCount], [true, 1]);
 *
 * stop.abort();
 * await running;
 * ```
 */
export class Kubelet implements Actor {
  /** `kubelet NODE` */
  readonly name: string;
  /** The node that it is on. */
  readonly nodeName: string;
  readonly #options: KubeletOptions;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #registration: NodeRegistration;
  readonly #pods: SharedInformer<Pod>;
  readonly #controller: Controller<Pod>;
  readonly #tenants = new Map<string, Tenant>();
  readonly #addresses = new Set<number>();
  readonly #hostIP: string;
  /** Fixed, so that the same moment is always written the same. */
  readonly #wallOffsetMs: number;
  #lastAddress = -1;
  #isDown = false;

  /**
   * A kubelet that does nothing until it is run.
   *
   * @throws {RangeError} When a delay is negative or no number, or the subnet is none.
   */
  constructor(options: KubeletOptions) {
    const { client, clock = realClock, random = realRandom, logger = defaultLogger } = options;
    const { nodeName, subnet = 0 } = options;
    requireDelays(options);
    if (!Number.isInteger(subnet) || subnet < 0 || subnet > 250) {
      throw new RangeError(`subnet must be a whole number from 0 to 250: received ${subnet}`);
    }
    this.name = `kubelet ${nodeName}`;
    this.nodeName = nodeName;
    this.#options = options;
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#logger = logger;
    this.#hostIP = `172.18.0.${subnet + 2}`;
    this.#wallOffsetMs = clock.wallNow() - clock.now();
    this.#registration = new NodeRegistration(client, {
      name: nodeName,
      address: this.#hostIP,
      clock,
      labels: { ...options.nodeLabels, "kubernetes.io/hostname": nodeName },
      capacity: options.capacity ?? { cpu: "4", memory: "16Gi", pods: "110" },
    });
    const informers = new SharedInformerFactory(client, { clock, random, logger });
    this.#pods = informers.informer(Pods, { fieldSelector: `spec.nodeName=${nodeName}` });
    this.#controller = new Controller<Pod>({
      ...actorRetries(),
      informer: this.#pods,
      clock,
      logger,
      // Keys of Pods have a slash, names of nodes have none.
      reconcile: (key, { signal }) =>
        key === nodeName ? this.#heartbeat(signal) : this.#sync(key, signal),
    });
  }

  /** Whether the node is down. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** Looks after the node's Pods until `signal` aborts. */
  run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.#controller.enqueue(this.nodeName);
    return this.#controller.run({ workers: WORKERS, signal });
  }

  /**
   * Ends the containers of a Pod at once.
   *
   * @param podKey The Pod, as in `default/web`.
   * @param options `exitCode`: what they exit with. Default 1.
   * @returns Whether they were running, here.
   */
  crash(podKey: string, options: { readonly exitCode?: number } = {}): boolean {
    const run = this.#tenants.get(podKey)?.run;
    if (this.#isDown || run?.crash(this.#clock.now(), options.exitCode ?? 1) !== true) return false;
    this.#controller.enqueue(podKey);
    return true;
  }

  /** Takes the node down: its Lease is not renewed any more, and its Pods stay as they are. */
  crashNode(): void {
    this.#isDown = true;
  }

  /** Brings the node up again: its Pods are started anew, or have failed when they are not to be. */
  restartNode(): void {
    if (!this.#isDown) return;
    this.#isDown = false;
    this.#registration.forget();
    for (const { run } of this.#tenants.values()) run.reboot(this.#clock.now());
    this.#controller.enqueue(this.nodeName);
    for (const key of this.#pods.indexer.listKeys()) this.#controller.enqueue(key);
  }

  async #heartbeat(signal: AbortSignal): Promise<ReconcileResult | void> {
    if (this.#isDown) return;
    await this.#registration.renew(signal);
    return { requeueAfterMs: this.#options.heartbeatMs ?? 10_000 };
  }

  async #sync(key: string, signal: AbortSignal): Promise<ReconcileResult | void> {
    const pod = this.#pods.indexer.getByKey(key);
    const before = this.#tenants.get(key);
    if (before !== undefined && before.run.uid !== (pod?.metadata.uid ?? "")) this.#evict(key);
    if (pod === undefined || this.#isDown) return;
    if (!this.#tenants.has(key) && isOver(pod)) return this.#remove(pod, signal);
    const { address, run, startTime } = this.#tenants.get(key) ?? this.#admit(key, pod);
    const nowMs = this.#clock.now();
    if (pod.metadata.deletionTimestamp !== undefined) run.stop(nowMs, graceMsOf(pod));
    const nextMs = run.advance(nowMs);
    const status = podStatus(pod, run, nowMs, {
      hostIP: this.#hostIP,
      podIP: `10.244.${this.#options.subnet ?? 0}.${address + 2}`,
      startTime,
      timeOf: (ms) => this.#timeOf(ms),
    });
    if (!covers(pod.status, status)) {
      const { name = "", namespace = "", uid } = pod.metadata;
      const call = { namespace, type: "strategic", signal } as const;
      await this.#client.patchStatus(Pods, name, { metadata: { uid }, status }, call)
        .catch(unlessNotFound);
    }
    if (run.state === "over") await this.#remove(pod, signal);
    if (nextMs !== undefined) return { requeueAfterMs: Math.max(0, nextMs - this.#clock.now()) };
  }

  #admit(key: string, pod: Pod): Tenant {
    const {
      meanTimeToCrashMs,
      outcome = annotatedOutcome,
      readyDelayMs,
      startDelayMs,
      stopDelayMs,
    } = this.#options;
    do this.#lastAddress = (this.#lastAddress + 1) % ADDRESSES; while (
      this.#addresses.has(this.#lastAddress) && this.#addresses.size < ADDRESSES
    );
    const nowMs = this.#clock.now();
    const tenant = {
      run: new PodRun(pod, nowMs, {
        startDelayMs: startDelayMs ?? 1000,
        readyDelayMs: readyDelayMs ?? 0,
        stopDelayMs: stopDelayMs ?? 1000,
        meanTimeToCrashMs: meanTimeToCrashMs ?? Infinity,
        outcome: outcome(pod),
        random: this.#random,
      }),
      address: this.#lastAddress,
      startTime: pod.status?.startTime ?? this.#timeOf(nowMs),
    };
    this.#addresses.add(tenant.address);
    this.#tenants.set(key, tenant);
    return tenant;
  }

  #evict(key: string): void {
    const tenant = this.#tenants.get(key);
    if (tenant === undefined) return;
    this.#tenants.delete(key);
    this.#addresses.delete(tenant.address);
  }

  /** Tells the API server that nothing of a Pod that is being deleted runs any more. */
  async #remove({ metadata }: Pod, signal: AbortSignal): Promise<void> {
    const { deletionGracePeriodSeconds, deletionTimestamp, name = "", namespace = "", uid } =
      metadata;
    // Without any time left, the API server waits for others.
    if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return;
    this.#logger.debug(`${this.name}: ${namespace}/${name} has stopped`);
    await this.#client.delete(Pods, name, {
      namespace,
      gracePeriodSeconds: 0,
      preconditions: { uid },
      signal,
    }).catch((error) => {
      // Another Pod of that name is none of ours.
      if (!isConflict(error)) unlessNotFound(error);
    });
  }

  #timeOf(ms: number): string {
    return formatTime(this.#wallOffsetMs + ms);
  }
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

function isOver({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

function graceMsOf({ metadata, spec }: Pod): number {
  return 1000 * (metadata.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ??
    DEFAULT_GRACE_SECONDS);
}

/** What the annotations of a Pod say. */
function annotatedOutcome({ metadata }: Pod): PodOutcome | undefined {
  const { annotations = {} } = metadata;
  const afterMs = Number(annotations[EXIT_AFTER_MS]);
  if (!(afterMs >= 0)) return undefined;
  return { afterMs, exitCode: Number(annotations[EXIT_CODE] ?? 0) || 0 };
}

function requireDelays(options: KubeletOptions): void {
  for (const name of ["startDelayMs", "readyDelayMs", "stopDelayMs"] as const) {
    const value = options[name] ?? 0;
    if (!(value >= 0 && value < Infinity)) {
      throw new RangeError(`${name} must be a number of milliseconds: received ${value}`);
    }
  }
  for (const name of ["meanTimeToCrashMs", "heartbeatMs"] as const) {
    const value = options[name] ?? 1;
    if (!(value > 0)) throw new RangeError(`${name} must be above 0: received ${value}`);
  }
}
