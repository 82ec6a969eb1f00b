import {
  type Clock,
  defaultLogger,
  describeError,
  type Logger,
  type Random,
  realClock,
  realRandom,
} from "@kubeloop/controller/base";
import { Client } from "@kubeloop/controller/client";
import type { Actor, ActorOptions } from "./actor.ts";
import { GarbageCollector } from "./garbage_collector.ts";
import { Kubelet, type KubeletOptions } from "./kubelet.ts";
import { NamespaceController, type NamespaceControllerOptions } from "./namespace_controller.ts";
import { NodeController, type NodeControllerOptions } from "./node_controller.ts";
import { Scheduler, type SchedulerOptions } from "./scheduler.ts";

/** What actors need of a server: an `ApiServer` fits. */
export interface ActorServer {
  /** Answers requests, in place of `fetch`. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
}

/** Options of {@linkcode startActors}. An actor whose options are `false` is not there. */
export interface StartActorsOptions {
  /** Where every delay comes from: give the server's. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Where every choice comes from. Default: the machine's own source. */
  readonly random?: Random | undefined;
  /** Where failures go. Default: the console. */
  readonly logger?: Logger | undefined;
  /** The bearer token of an administrator, for a server that has tokens. Default: none. */
  readonly token?: string | undefined;
  /** The nodes, or how many there are: `node-1`, `node-2` … Default 1. */
  readonly nodes?: number | readonly string[] | undefined;
  /** How all kubelets are. */
  readonly kubelet?:
    | Omit<KubeletOptions, keyof ActorOptions | "nodeName" | "subnet">
    | undefined;
  /** How the scheduler is. */
  readonly scheduler?: Omit<SchedulerOptions, keyof ActorOptions> | false | undefined;
  /** How the namespace controller is. */
  readonly namespaceController?:
    | Omit<NamespaceControllerOptions, keyof ActorOptions>
    | false
    | undefined;
  /** How the node controller is. */
  readonly nodeController?: Omit<NodeControllerOptions, keyof ActorOptions> | false | undefined;
  /** Whether there is a garbage collector. Default true. */
  readonly garbageCollector?: boolean | undefined;
}

/**
 * The actors of a cluster, at work: made by {@linkcode startActors}.
 *
 * @example
 * ```ts
 * import { ApiServer, startActors, VirtualClock } from "@kubeloop/testing";
 * import { Nodes } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * const actors = startActors(server, { clock, nodes: ["east", "west"] });
 * await clock.advance(1000);
 * assertEquals(server.objects(Nodes).length, 2);
 * assertEquals(actors.kubelet("east")?.isDown, false);
 * await actors.stop();
 * ```
 */
export class Actors implements AsyncDisposable {
  /** The kubelets, one for each node. */
  readonly kubelets: readonly Kubelet[];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** Starts the actors; `clients` are closed when all have stopped. */
  constructor(
    actors: readonly Actor[],
    options: { readonly clients: readonly Client[]; readonly logger: Logger },
  ) {
    const { clients, logger } = options;
    this.kubelets = actors.filter((actor) => actor instanceof Kubelet);
    const { signal } = this.#stop;
    const lives = actors.map((actor) =>
      actor.run({ signal }).catch((error) => {
        logger.error(`The ${actor.name} has failed: ${describeError(error)}`, error);
      })
    );
    this.#running = Promise.all(lives)
      .then(() => Promise.all(clients.map((client) => client.close())))
      .then(() => {});
  }

  /**
   * Ends the containers of a Pod at once, wherever it runs.
   *
   * @param podKey The Pod, as in `default/web`.
   * @param options `exitCode`: what they exit with. Default 1.
   * @returns Whether they were running.
   */
  crash(podKey: string, options: { readonly exitCode?: number } = {}): boolean {
    return this.kubelets.some((kubelet) => kubelet.crash(podKey, options));
  }

  /** The kubelet of a node. */
  kubelet(nodeName: string): Kubelet | undefined {
    return this.kubelets.find((kubelet) => kubelet.nodeName === nodeName);
  }

  /** Stops all actors; resolves when nothing of them is left. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** {@linkcode Actors.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/**
 * Brings the rest of a cluster to life on an API server that has none: nodes with kubelets, a scheduler, and the
 * controllers for nodes, namespaces and garbage. Each is a controller made with this library, so that on a virtual clock
 * with seeded chance a whole cluster runs the same way every time. As kubelets renew their Leases for ever, such a clock
 * never runs out of timers.
 *
 * Stop them before the server is closed.
 *
 * @param server The API server.
 * @param options The time, the chance, the nodes, and how each actor is.
 * @returns The actors, which have started.
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
 * await using client = new Client({ fetch: server.fetch, clock });
 * await using _actors = startActors(server, { clock, random, nodes: 3 });
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
    clock = realClock,
    garbageCollector = true,
    kubelet = {},
    logger = defaultLogger,
    namespaceController = {},
    nodeController = {},
    nodes = 1,
    random = realRandom,
    scheduler = {},
    token,
  } = options;
  const clients: Client[] = [];
  /** What an actor gets, as the component of a cluster that it stands for. */
  const as = (userAgent: string): ActorOptions => {
    const { fetch } = server;
    const client = new Client({ fetch, clock, logger, userAgent, ...(token && { token }) });
    clients.push(client);
    return { client, clock, random, logger };
  };
  const actors: Actor[] = [];
  for (const [subnet, nodeName] of namesOf(nodes).entries()) {
    actors.push(new Kubelet({ ...kubelet, ...as("kubelet"), nodeName, subnet }));
  }
  const manager = "kube-controller-manager";
  if (nodeController) actors.push(new NodeController({ ...nodeController, ...as(manager) }));
  if (scheduler) actors.push(new Scheduler({ ...scheduler, ...as("kube-scheduler") }));
  if (namespaceController) {
    actors.push(new NamespaceController({ ...namespaceController, ...as(manager) }));
  }
  if (garbageCollector) actors.push(new GarbageCollector(as(manager)));
  return new Actors(actors, { clients, logger });
}

function namesOf(nodes: number | readonly string[]): readonly string[] {
  if (typeof nodes !== "number") return nodes;
  if (!Number.isInteger(nodes) || nodes < 0) {
    throw new RangeError(`nodes must be a whole number or names: received ${nodes}`);
  }
  return Array.from({ length: nodes }, (_, i) => `node-${i + 1}`);
}
