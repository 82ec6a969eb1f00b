import {
  type Clock,
  describeError,
  forkRandom,
  jsonEqual,
  type Logger,
  type Random,
} from "@kubeloop/controller/internal/base";
import type { SharedInformer } from "@kubeloop/controller/cache";
import type { Client } from "@kubeloop/controller/client";
import { Controller, type ReconcileResult } from "@kubeloop/controller/controller";
import {
  type Cached,
  formatTime,
  isReplaced,
  type KubeObject,
  type Node,
  Nodes,
  type Pod,
  Pods,
} from "@kubeloop/controller/types";
import { type LeaseRenewals, NodeRegistration } from "./node_registration.ts";
import {
  annotatedLives,
  answerCommand,
  answerPort,
  type ContainerRun,
  type ContainerUsage,
  covers,
  followOutput,
  forgivingSink,
  killCode,
  type LogSink,
  type PodCalls,
  type PodEvent,
  podEvents,
  type PodLife,
  type PodOutcome,
  PodRun,
  podStatus,
  requireLives,
  stopEvents,
  totalUsage,
  usageOf,
} from "./pods/mod.ts";
import {
  type Actor,
  actorInformers,
  type ActorOptions,
  actorRetries,
  environmentOf,
  EventWriter,
  unlessGone,
  unlessNotFound,
} from "./control/mod.ts";

export type {
  ContainerExit,
  ContainerUsage,
  ExecAnswer,
  LogSink,
  PodLife,
  PodOutcome,
  PortAnswer,
  ProbeFailure,
  ScriptedLine,
} from "./pods/mod.ts";

/** The number of Pods that are synced concurrently. */
const WORKERS = 4;
/** The number of Pod addresses of a node, from .2 to .254. */
const ADDRESSES = 253;
/** The labels of the platform, which many manifests have as node selectors. */
const PLATFORM = { "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" };
/** The grace period of a Pod that specifies none, in seconds. */
const DEFAULT_GRACE_SECONDS = 30;

/** The annotation with the time, in milliseconds, after which the containers of a Pod exit. */
const EXIT_AFTER_MS = "kubeloop.dev/exit-after-ms";
/** The annotation with the exit code of these containers. */
const EXIT_CODE = "kubeloop.dev/exit-code";

/** Options of a {@linkcode Kubelet}. */
export interface KubeletOptions extends ActorOptions {
  /** The name of the node. The kubelet registers the node and runs the Pods bound to it. */
  readonly nodeName: string;
  /** Labels of the node, besides the hostname, and `linux` and `amd64` as the platform, which they can replace. */
  readonly nodeLabels?: Readonly<Record<string, string>> | undefined;
  /** The capacity of the node. Default: 110 Pods, 4 CPUs, 16 GiB. */
  readonly capacity?: Readonly<Record<string, string>> | undefined;
  /** The system information of the node, such as `kubeletVersion`. Default: none. */
  readonly nodeInfo?: Partial<Required<NonNullable<Node["status"]>>["nodeInfo"]> | undefined;
  /** The subnet: Pods get 10.244.SUBNET.n, the node gets 172.18.0.(SUBNET + 2). From 0 to 250, default 0. */
  readonly subnet?: number | undefined;
  /** The time to create containers, or to restart them after a crash, in milliseconds. Default 1000. */
  readonly startDelayMs?: number | undefined;
  /** The time from the start of the containers until they are ready, in milliseconds. Default 0. */
  readonly readyDelayMs?: number | undefined;
  /**
   * The time that containers take to stop when their Pod is deleted, in milliseconds. When the grace period of the
   * deletion is shorter, they are killed at its end. Default 1000.
   */
  readonly stopDelayMs?: number | undefined;
  /** The mean time that containers run until they crash, in milliseconds. Default `Infinity`: they do not crash. */
  readonly meanTimeToCrashMs?: number | undefined;
  /**
   * Returns when the containers of a Pod exit, and with which exit code; undefined if they do not exit by themselves.
   * Default: reads the annotations `kubeloop.dev/exit-after-ms` and `kubeloop.dev/exit-code` of the Pod.
   */
  readonly outcome?: ((pod: Cached<Pod>) => PodOutcome | undefined) | undefined;
  /**
   * The scripts of Pods. They take precedence over `outcome` and the delays; one in the annotation `kubeloop.dev/life` of a
   * Pod, as JSON, takes precedence over them. Default: none.
   */
  readonly lives?: readonly PodLife[] | undefined;
  /**
   * Receives the logs of the containers; for example `ApiServer.logs`. The lines come from `lives`; without them, the logs
   * are empty. Default: the logs are discarded.
   */
  readonly logs?: LogSink | undefined;
  /**
   * Receives the usage of the Pods, and its sum as that of the node; for example `ApiServer.metrics`. The numbers come from
   * `lives`. Default: they are discarded.
   */
  readonly metrics?: UsageSink | undefined;
  /** Whether to write Events about containers, which `kubectl describe` shows: each costs a request. Default false. */
  readonly events?: boolean | undefined;
  /** Renews the Lease without requests; for example `ApiServer.nodeLeases`. Default: the kubelet sends a request each time. */
  readonly leases?: LeaseRenewals | undefined;
  /** The interval at which the Lease of the node is renewed, in milliseconds. Default 10,000, the real kubelet's. */
  readonly heartbeatMs?: number | undefined;
}

/** Receives the usage of Pods and Nodes. The metrics of an `ApiServer` fit. */
export interface UsageSink {
  /** Sets the usage of the containers of a Pod; undefined removes it. */
  setPod(
    podKey: string,
    usage: { readonly containers: Readonly<Record<string, ContainerUsage>> } | undefined,
  ): void;
  /** Sets the usage of a Node; undefined removes it. */
  setNode(name: string, usage: ContainerUsage | undefined): void;
}

/** A Pod that runs on the node. */
interface Tenant {
  readonly run: PodRun;
  readonly address: number;
  readonly startTime: string;
}

/**
 * A simulated kubelet: registers its node, renews the node's Lease, and reports the status of the Pods bound to the
 * node. No container really runs. Containers are created, run, become ready, exit, and restart according to
 * `restartPolicy`, with the back-off of the real kubelet. A Pod that is deleted gets its grace period to stop before it
 * is removed. Init containers and sidecars run in their order. The containers of a Pod have states and restarts of their
 * own, and their probes are asked at the times that the Pod says. What containers do, and what probes answer, is said by
 * `lives` and `outcome`; without them, containers run until they are stopped, and probes succeed.
 *
 * {@linkcode Kubelet.crash} and {@linkcode Kubelet.crashNode} simulate failures.
 *
 * @example A Pod starts, crashes and restarts
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, Kubelet, VirtualClock } from "@kubeloop/testing";
 * import { Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * const kubelet = new Kubelet({ client, nodeName: "node-1" });
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
  /** The name of the kubelet's node. */
  readonly nodeName: string;
  /** Answers commands, attachments and connections of clients as the `lives` of the Pods say. */
  readonly program: PodCalls = {
    exec: (process) => {
      const run = this.#running(process);
      const exitCode = killCode(process);
      if (exitCode === undefined) return answerCommand(run, process, this.#clock);
      const { name, namespace } = process.pod.metadata;
      this.crash(`${namespace}/${name}`, { exitCode, container: run.name });
      return Promise.resolve(0);
    },
    attach: (process) => followOutput(this.#running(process), process),
    ports: (stream) => {
      const { pod } = stream;
      return answerPort(pod as Cached<Pod>, this.#tenantOf(pod)?.run.all ?? [], stream);
    },
  };
  readonly #options: KubeletOptions;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #logs: LogSink | undefined;
  readonly #events: EventWriter | undefined;
  readonly #registration: NodeRegistration;
  readonly #pods: SharedInformer<Pod>;
  readonly #controller: Controller;
  readonly #tenants = new Map<string, Tenant>();
  /** The keys of the Pods that run, by their addresses. */
  readonly #addresses = new Map<number, string>();
  /** The usage of containers by the key of their Pod; without the Pods that have none. */
  readonly #usages = new Map<string, Readonly<Record<string, ContainerUsage>>>();
  readonly #hostIP: string;
  /** Wall time minus clock time, computed once, so that the same moment always gives the same timestamp. */
  readonly #wallOffsetMs: number;
  #lastAddress = -1;
  #isDown = false;

  /**
   * Creates a kubelet, which does nothing until {@linkcode Kubelet.run} is called.
   *
   * @throws {RangeError} When a delay is negative or not a number, `meanTimeToCrashMs` or `heartbeatMs` is not above 0,
   * or `subnet` is not a whole number from 0 to 250.
   */
  constructor(options: KubeletOptions) {
    const { client } = options;
    const { nodeName, subnet = 0 } = options;
    this.name = `kubelet ${nodeName}`;
    const { clock, random, logger } = environmentOf(options, this.name);
    requireDelays(options);
    requireLives(options.lives ?? []);
    if (!Number.isInteger(subnet) || subnet < 0 || subnet > 250) {
      throw new RangeError(`subnet must be a whole number from 0 to 250: received ${subnet}`);
    }
    this.nodeName = nodeName;
    this.#options = options;
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#logger = logger;
    this.#logs = options.logs && forgivingSink(
      options.logs,
      (error) => logger.debug(`${this.name}: a log is not written: ${describeError(error)}`),
    );
    this.#events = options.events
      ? new EventWriter("kubelet", { client, clock, logger })
      : undefined;
    this.#hostIP = `172.18.0.${subnet + 2}`;
    this.#wallOffsetMs = clock.wallNow() - clock.now();
    const informers = actorInformers(client, { clock, random, logger });
    const nodes = informers.informer(Nodes, { fieldSelector: `metadata.name=${nodeName}` });
    this.#registration = new NodeRegistration(client, {
      name: nodeName,
      address: this.#hostIP,
      clock,
      leases: options.leases,
      labels: { ...PLATFORM, ...options.nodeLabels, "kubernetes.io/hostname": nodeName },
      info: options.nodeInfo,
      capacity: options.capacity ?? { cpu: "4", memory: "16Gi", pods: "110" },
      known: () => nodes.indexer.getByKey(nodeName),
    });
    const check = () => this.#registration.check();
    nodes.addEventHandler({ onAdd: check, onUpdate: check, onDelete: check });
    this.#pods = informers.informer(Pods, { fieldSelector: `spec.nodeName=${nodeName}` });
    this.#controller = new Controller({
      ...actorRetries(),
      informer: this.#pods,
      waitFor: [nodes],
      clock,
      logger,
      // The key of a Pod contains a slash, the name of a node does not.
      reconcile: (key, { signal }) =>
        key === nodeName ? this.#heartbeat(signal) : this.#sync(key, signal),
    });
  }

  /**
   * Reports whether the node is down, after {@linkcode Kubelet.crashNode}.
   *
   * @returns True until {@linkcode Kubelet.restartNode}.
   */
  isDown(): boolean {
    return this.#isDown;
  }

  /** Runs the kubelet until `signal` aborts. */
  run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.#controller.enqueue(this.nodeName);
    return this.#controller.run({ workers: WORKERS, signal });
  }

  /**
   * Crashes the containers of a Pod at once.
   *
   * @param podKey The key of the Pod, such as `default/web`.
   * @param options `exitCode`: the exit code of the containers. Default 1. `container`: the name of the only one to
   * crash, which may be an init container. Default: all containers but the init containers.
   * @returns Whether the containers were running on this node.
   */
  crash(
    podKey: string,
    options: { readonly exitCode?: number; readonly container?: string } = {},
  ): boolean {
    const run = this.#tenants.get(podKey)?.run;
    const { container, exitCode = 1 } = options;
    if (this.#isDown || run?.crash(this.#clock.now(), exitCode, container) !== true) return false;
    this.#controller.enqueue(podKey);
    return true;
  }

  /** Takes the node down: the kubelet stops renewing the Lease and stops updating the Pods. */
  crashNode(): void {
    this.#isDown = true;
  }

  /** Brings the node up again: its containers restart, or their Pods fail if `restartPolicy` forbids a restart. */
  restartNode(): void {
    if (!this.#isDown) return;
    this.#isDown = false;
    this.#registration.forget();
    for (const { run } of this.#tenants.values()) run.reboot(this.#clock.now());
    this.#controller.enqueue(this.nodeName);
    for (const key of this.#pods.indexer.listKeys()) this.#controller.enqueue(key);
  }

  #tenantOf({ metadata }: KubeObject): Tenant | undefined {
    const tenant = this.#tenants.get(`${metadata.namespace}/${metadata.name}`);
    return tenant?.run.uid === metadata.uid && !this.#isDown ? tenant : undefined;
  }

  #running(
    { container, pod }: { readonly container: string; readonly pod: KubeObject },
  ): ContainerRun {
    const run = this.#tenantOf(pod)?.run.all.find(({ name }) => name === container);
    if (run?.state === "running") return run;
    throw new Error(`container not found (${JSON.stringify(container)})`);
  }

  /** Reports what the Pod uses now, and what all Pods of the node use. */
  #measure(key: string, tenant: Tenant | undefined): void {
    const { metrics } = this.#options;
    if (metrics === undefined) return;
    const containers = tenant && usageOf(tenant.run.all);
    if (jsonEqual(this.#usages.get(key), containers)) return;
    if (containers === undefined) this.#usages.delete(key);
    else this.#usages.set(key, containers);
    metrics.setPod(key, containers && { containers });
    const all = [...this.#usages.values()].flatMap((one) => Object.values(one));
    metrics.setNode(this.nodeName, totalUsage(all));
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
    const tenant = this.#tenants.get(key) ?? this.#admit(key, pod);
    const { address, run, startTime } = tenant;
    const nowMs = this.#clock.now();
    const events: PodEvent[] = [];
    if (pod.metadata.deletionTimestamp !== undefined) {
      if (this.#events && !run.isStopping) events.push(...stopEvents(run));
      run.stop(nowMs, graceMsOf(pod));
    }
    const nextMs = run.advance(nowMs);
    this.#measure(key, tenant);
    const status = podStatus(pod, run, nowMs, {
      hostIP: this.#hostIP,
      podIP: this.#ipOf(address + 2),
      startTime,
      timeOf: (ms) => this.#timeOf(ms),
    });
    if (!covers(pod.status, status)) {
      if (this.#events) events.push(...podEvents(pod, run, status));
      const { name = "", namespace = "", uid } = pod.metadata;
      const call = { namespace, type: "strategic", signal } as const;
      await this.#client.patchStatus(Pods, name, { metadata: { uid }, status }, call)
        .catch(unlessReplaced);
    }
    for (const event of events) await this.#events?.write(Pods, pod, event, signal);
    if (run.isOver) {
      this.#release(key, tenant);
      await this.#remove(pod, signal);
    }
    if (nextMs !== undefined) return { requeueAfterMs: Math.max(0, nextMs - this.#clock.now()) };
  }

  #admit(key: string, pod: Cached<Pod>): Tenant {
    const {
      meanTimeToCrashMs,
      outcome = annotatedOutcome,
      readyDelayMs,
      startDelayMs,
      stopDelayMs,
    } = this.#options;
    const nowMs = this.#clock.now();
    const tenant = {
      run: new PodRun(pod, nowMs, {
        startDelayMs: startDelayMs ?? 1000,
        readyDelayMs: readyDelayMs ?? 0,
        stopDelayMs: stopDelayMs ?? 1000,
        meanTimeToCrashMs: meanTimeToCrashMs ?? Infinity,
        logs: this.#logs,
        outcome: outcome(pod),
        lives: [...this.#options.lives ?? [], ...this.#annotated(pod)],
        random: forkRandom(this.#random, `Pod ${pod.metadata.uid}`),
      }),
      address: this.#addressFor(pod),
      startTime: pod.status?.startTime ?? this.#timeOf(nowMs),
    };
    this.#addresses.set(tenant.address, key);
    this.#tenants.set(key, tenant);
    return tenant;
  }

  /** Returns the present address of a Pod, or the next free one. */
  #addressFor({ status }: Cached<Pod>): number {
    const before = this.#addressOf(status?.podIP);
    if (before !== undefined && !this.#addresses.has(before)) return before;
    // Pods that ran before this kubelet began may not be its tenants yet.
    const reserved = new Set(
      this.#pods.indexer.list().filter((pod) => !isOver(pod))
        .map((pod) => this.#addressOf(pod.status?.podIP)),
    );
    for (let tries = 0; tries < ADDRESSES; tries++) {
      this.#lastAddress = (this.#lastAddress + 1) % ADDRESSES;
      if (this.#addresses.has(this.#lastAddress) || reserved.has(this.#lastAddress)) continue;
      return this.#lastAddress;
    }
    return this.#lastAddress;
  }

  /** Returns the number of an address of this node; undefined for other addresses. */
  #addressOf(podIP: string | undefined): number | undefined {
    const prefix = this.#ipOf("");
    const number = podIP?.startsWith(prefix) ? Number(podIP.slice(prefix.length)) - 2 : NaN;
    return number >= 0 && number < ADDRESSES ? number : undefined;
  }

  #ipOf(host: number | ""): string {
    return `10.244.${this.#options.subnet ?? 0}.${host}`;
  }

  /** Returns the lives in the annotation of a Pod. If it is not valid, logs a warning and returns none. */
  #annotated(pod: Cached<Pod>): readonly PodLife[] {
    try {
      return annotatedLives(pod);
    } catch (error) {
      const { name, namespace } = pod.metadata;
      this.#logger.warn(`${this.name}: Pod ${namespace}/${name}: ${describeError(error)}`);
      return [];
    }
  }

  #evict(key: string): void {
    const tenant = this.#tenants.get(key);
    if (tenant === undefined) return;
    this.#tenants.delete(key);
    this.#measure(key, undefined);
    this.#release(key, tenant);
  }

  /** Frees the address of a Pod that has ended. It may belong to another Pod already. */
  #release(key: string, { address }: Tenant): void {
    if (this.#addresses.get(address) === key) this.#addresses.delete(address);
  }

  /** Completes the deletion of a Pod, with grace period 0, once its containers have stopped. */
  async #remove({ metadata }: Cached<Pod>, signal: AbortSignal): Promise<void> {
    const { deletionGracePeriodSeconds, deletionTimestamp, name = "", namespace = "", uid } =
      metadata;
    // The grace period is already 0: only finalizers of others keep the Pod.
    if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return;
    this.#logger.debug(`${this.name}: ${namespace}/${name} has stopped`);
    await this.#client.delete(Pods, name, {
      namespace,
      gracePeriodSeconds: 0,
      preconditions: { uid },
      signal,
    }).catch(unlessGone);
  }

  #timeOf(ms: number): string {
    return formatTime(this.#wallOffsetMs + ms);
  }
}

/** Throws an error, unless the Pod is gone, or another Pod has its name. */
function unlessReplaced(error: unknown): void {
  if (!isReplaced(error)) unlessNotFound(error);
}

function isOver({ status }: Cached<Pod>): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

function graceMsOf({ metadata, spec }: Cached<Pod>): number {
  return 1000 * (metadata.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ??
    DEFAULT_GRACE_SECONDS);
}

/** Reads the outcome from the annotations of a Pod; undefined without them. */
export function annotatedOutcome({ metadata }: Cached<Pod>): PodOutcome | undefined {
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
