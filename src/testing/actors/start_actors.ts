import { defaultLogger, describeError, type Logger } from "@kubeloop/controller/internal/base";
import { Client, type ClientOptions } from "@kubeloop/controller/client";
import type { Pod } from "@kubeloop/controller/types";
import { HorizontalPodAutoscalerController, type MetricSource } from "./autoscaling/mod.ts";
import { type Actor, actorInformers, type ActorOptions } from "./control/mod.ts";
import { GarbageCollector } from "./garbage_collector.ts";
import { Kubelet, type KubeletOptions, type LogSink, type UsageSink } from "./kubelet.ts";
import type { CalledPort, CalledProcess, PodCalls } from "./pods/mod.ts";
import { NamespaceController, type NamespaceControllerOptions } from "./namespace_controller.ts";
import { NamespaceDefaults } from "./namespace_defaults.ts";
import { NodeController, type NodeControllerOptions } from "./node_controller.ts";
import { ResourceQuotaController } from "./resource_quota_controller.ts";
import type { LeaseRenewals } from "./node_registration.ts";
import { Scheduler, type SchedulerOptions } from "./scheduler.ts";
import { EndpointsController, EndpointSliceController } from "./services/mod.ts";
import { StorageVersionMigrator } from "./storage_migration/mod.ts";
import { PersistentVolumeBinder, PersistentVolumeReclaimer } from "./volumes/mod.ts";
import { workloadControllers } from "./workloads/mod.ts";

/** A list of programs, such as `ApiServer.programs`. */
export interface ProgramList {
  /** Adds a program at the end. */
  push(program: PodCalls): unknown;
  /** Returns the index of a program; -1 if it is not in the list. */
  indexOf(program: PodCalls): number;
  /** Removes `count` programs from `start`. */
  splice(start: number, count: number): unknown;
}

/** The API server that actors connect to, such as an `ApiServer`. */
export interface ActorServer {
  /** The `fetch` that answers requests, and the clock, random source and logger of the server. */
  readonly clientOptions: ClientOptions;
  /** Where the kubelets write the logs of containers. */
  readonly logs?: LogSink | undefined;
  /** The renewals of the Leases of nodes. Default: the kubelets send requests, and the node controller watches the Leases. */
  readonly nodeLeases?: LeaseRenewals | undefined;
  /** The programs of Pods, to which that of the kubelets is added. */
  readonly programs?: ProgramList | undefined;
  /**
   * The usage of Pods by the key of the Pod, the resource and the container, which the kubelets set; for example
   * `ApiServer.metrics`.
   */
  readonly metrics?: UsageSink & {
    valueOf(podKey: string, resource: string, container?: string): string | undefined;
  };
}

/**
 * Options of {@linkcode startActors}. The actors inherit the clock, the random source and the logger of the server. An actor
 * whose options are `false` is not started.
 */
export interface StartActorsOptions extends Omit<ActorOptions, "client" | "informers"> {
  /** The bearer token of an administrator, for a server that requires tokens. Default: none. */
  readonly token?: string | undefined;
  /** The names of the nodes, or the number of nodes, which are then named `node-1`, `node-2` … Default 1. */
  readonly nodes?: number | readonly string[] | undefined;
  /** Options of all kubelets. */
  readonly kubelet?:
    | Omit<KubeletOptions, keyof ActorOptions | "nodeName" | "subnet">
    | undefined;
  /** Whether the kubelets and the scheduler write Events about Pods, each of which costs a request. Default false. */
  readonly events?: boolean | undefined;
  /** Options of the scheduler; `false` starts none. */
  readonly scheduler?: Omit<SchedulerOptions, keyof ActorOptions> | false | undefined;
  /** Options of the namespace controller; `false` starts none. */
  readonly namespaceController?:
    | Omit<NamespaceControllerOptions, keyof ActorOptions>
    | false
    | undefined;
  /** Options of the node controller; `false` starts none. */
  readonly nodeController?: Omit<NodeControllerOptions, keyof ActorOptions> | false | undefined;
  /** Whether to start a garbage collector. Default true. */
  readonly garbageCollector?: boolean | undefined;
  /**
   * Whether to start the controllers of workloads and of what they need: Deployments, ReplicaSets, StatefulSets,
   * DaemonSets, Jobs, CronJobs, endpoints, volumes, autoscalers, quotas, storage migrations and the ServiceAccount of each
   * namespace. Default true.
   */
  readonly workloads?: boolean | undefined;
  /** The certificate that the ConfigMap `kube-root-ca.crt` of each namespace holds. Default: there is no such ConfigMap. */
  readonly rootCertificate?: string | undefined;
  /**
   * The metrics for HorizontalPodAutoscalers. Default: `server.metrics`. Without that either, there are no metrics, as in a
   * cluster without a metrics server.
   */
  readonly metrics?: MetricSource | undefined;
}

/**
 * The running actors of a cluster, as returned by {@linkcode startActors}.
 *
 * @example
 * ```ts
 * import { ApiServer, startActors, VirtualClock } from "@kubeloop/testing";
 * import { Nodes } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * const actors = startActors(server, { nodes: ["east", "west"] });
 * await clock.advance(1000);
 * assertEquals(server.objects(Nodes).length, 2);
 * assertEquals(actors.kubelet("east")?.isDown(), false);
 * await actors.stop();
 * ```
 */
export class Actors implements AsyncDisposable {
  /** The kubelets, one per node. */
  readonly kubelets: readonly Kubelet[];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** Starts the actors. The `clients` are closed when all actors have stopped. */
  constructor(
    actors: readonly Actor[],
    options: {
      readonly clients: readonly Client[];
      readonly logger: Logger;
      readonly programs?: ProgramList | undefined;
    },
  ) {
    const { clients, logger, programs } = options;
    this.kubelets = actors.filter((actor) => actor instanceof Kubelet);
    const program = programOf(this.kubelets);
    programs?.push(program);
    const { signal } = this.#stop;
    const lives = actors.map((actor) =>
      actor.run({ signal }).catch((error) => {
        logger.error(`The ${actor.name} has failed: ${describeError(error)}`, error);
      })
    );
    this.#running = Promise.all(lives)
      .then(() => Promise.all(clients.map((client) => client.close())))
      .then(() => void programs?.splice(programs.indexOf(program), 1));
  }

  /**
   * Crashes the containers of a Pod at once, on whichever node the Pod runs.
   *
   * @param podKey The key of the Pod, such as `default/web`.
   * @param options `exitCode`: the exit code of the containers. Default 1. `container`: the name of the only one to
   * crash, which may be an init container. Default: all containers but the init containers.
   * @returns Whether the containers were running.
   */
  crash(
    podKey: string,
    options: { readonly exitCode?: number; readonly container?: string } = {},
  ): boolean {
    return this.kubelets.some((kubelet) => kubelet.crash(podKey, options));
  }

  /** Returns the kubelet of a node; undefined if there is no such node. */
  kubelet(nodeName: string): Kubelet | undefined {
    return this.kubelets.find((kubelet) => kubelet.nodeName === nodeName);
  }

  /** Stops all actors and closes their clients; resolves when that is done. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Calls {@linkcode Actors.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/**
 * Starts the cluster components besides the API server: nodes with kubelets, a scheduler, a node controller, a
 * namespace controller, a garbage collector, and the controllers of workloads such as Deployments. Each actor is a
 * controller built with this library, so a whole cluster behaves the same way on every run if the clock is virtual and
 * the random source is seeded. Kubelets renew their Leases forever, so such a clock never runs out of timers.
 *
 * Stop the actors before you close the server.
 *
 * @param server The API server.
 * @param options The nodes, and the options of each actor.
 * @returns The running actors.
 * @throws {RangeError} When an option is out of its range.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, SeededRandom, startActors, VirtualClock } from "@kubeloop/testing";
 * import { Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * const random = new SeededRandom(1);
 * await using server = new ApiServer({ clock, random });
 * await using client = new Client(server.clientOptions);
 * await using _actors = startActors(server, { nodes: 3 });
 * await client.create(Pods, {
 *   metadata: { name: "web", namespace: "default" },
 *   spec: { containers: [{ name: "main", image: "nginx" }] },
 * });
 * await clock.advance(5000);
 * assertEquals(server.get(Pods, "web", "default")?.status?.phase, "Running");
 * await client.delete(Pods, "web", { namespace: "default" });
 * assertEquals(server.objects(Pods).length, 1);
 * await clock.advance(5000);
 * assertEquals(server.objects(Pods).length, 0);
 * ```
 */
export function startActors(server: ActorServer, options: StartActorsOptions = {}): Actors {
  const {
    clock = server.clientOptions.clock,
    events,
    garbageCollector = true,
    kubelet = {},
    metrics = metricsOf(server),
    logger = server.clientOptions.logger ?? defaultLogger,
    namespaceController = {},
    nodeController = {},
    nodes = 1,
    random = server.clientOptions.random,
    rootCertificate,
    scheduler = {},
    token,
    workloads = true,
  } = options;
  const clients: Client[] = [];
  /** Returns the shared options of an actor, with the user agent of the component that it simulates. */
  const as = (userAgent: string): ActorOptions => {
    const client = new Client({
      ...server.clientOptions,
      clock,
      random,
      logger,
      userAgent,
      // As in kube-controller-manager: that a component uses a deprecated API is nothing that a user can change.
      warningHandler: () => {},
      ...(token && { token }),
    });
    clients.push(client);
    return { client };
  };
  const actors: Actor[] = [];
  for (const [subnet, nodeName] of namesOf(nodes).entries()) {
    const shared = {
      events,
      logs: server.logs,
      metrics: server.metrics,
      leases: server.nodeLeases,
    };
    actors.push(new Kubelet({ ...shared, ...kubelet, ...as("kubelet"), nodeName, subnet }));
  }
  const manager = "kube-controller-manager";
  if (nodeController) {
    const leases = server.nodeLeases;
    actors.push(new NodeController({ leases, ...nodeController, ...as(manager) }));
  }
  if (scheduler) actors.push(new Scheduler({ events, ...scheduler, ...as("kube-scheduler") }));
  if (namespaceController) {
    actors.push(new NamespaceController({ ...namespaceController, ...as(manager) }));
  }
  if (garbageCollector) actors.push(new GarbageCollector(as(manager)));
  if (workloads) {
    const { client } = as(manager);
    // The controllers share their caches, as in kube-controller-manager.
    const informers = actorInformers(client, { logger });
    const shared = { client, informers };
    actors.push(
      new NamespaceDefaults({ ...shared, rootCertificate }),
      new ResourceQuotaController(shared),
      ...workloadControllers(shared),
      new EndpointSliceController(shared),
      new EndpointsController(shared),
      new PersistentVolumeBinder(shared),
      new PersistentVolumeReclaimer(shared),
      new HorizontalPodAutoscalerController({ ...shared, metrics }),
      new StorageVersionMigrator(shared),
    );
  }
  return new Actors(actors, { clients, logger, programs: server.programs });
}

/** Returns a program that passes each call to the kubelet on the node of the Pod. */
function programOf(kubelets: readonly Kubelet[]): PodCalls {
  const callsOf = ({ pod }: CalledProcess | CalledPort): PodCalls => {
    const { nodeName } = ((pod as Pod).spec ?? {}) as { readonly nodeName?: string };
    const kubelet = kubelets.find((one) => one.nodeName === nodeName);
    if (kubelet === undefined) throw new Error(`no kubelet runs on node ${nodeName}`);
    return kubelet.program;
  };
  return {
    exec: async (process) => await callsOf(process).exec(process),
    attach: async (process) => await callsOf(process).attach(process),
    ports: async (stream) => await callsOf(stream).ports(stream),
  };
}

/** Returns what the server knows of Pods, which is what a metrics server would say. */
function metricsOf({ metrics }: ActorServer): MetricSource {
  return ({ type, name, pod, container }) => {
    if ((type !== "Resource" && type !== "ContainerResource") || pod === undefined) {
      return undefined;
    }
    const { namespace, name: podName } = pod.metadata;
    return metrics?.valueOf(`${namespace}/${podName}`, name, container);
  };
}

function namesOf(nodes: number | readonly string[]): readonly string[] {
  if (typeof nodes !== "number") return nodes;
  if (!Number.isInteger(nodes) || nodes < 0) {
    throw new RangeError(`nodes must be a whole number or names: received ${nodes}`);
  }
  return Array.from({ length: nodes }, (_, i) => `node-${i + 1}`);
}
