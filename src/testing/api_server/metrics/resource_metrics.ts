import { isRecord, parseQuantity } from "@kubeloop/controller/internal/base";

/** The usage of a Pod, a container or a Node, as quantities. */
export interface MetricUsage {
  /** The CPU, as in `250m`. */
  readonly cpu: string;
  /** The memory, as in `64Mi`. */
  readonly memory: string;
}

/** The usage of a Pod: in total, which is reported for its first container, or by the names of its containers. */
export type PodMetricUsage = MetricUsage | {
  /** The usage of each container. */
  readonly containers: Readonly<Record<string, MetricUsage>>;
};

/**
 * The usage of Pods and Nodes. As soon as a usage is set, the server serves `metrics.k8s.io/v1beta1` with it, as a metrics
 * server in the cluster would.
 *
 * @example
 * ```ts
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * server.metrics.setPod("default/web", { cpu: "100m", memory: "64Mi" });
 * const path = "http://cluster/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/web";
 * const { containers } = await (await server.fetch(path)).json();
 * assertEquals(containers, [{ name: "web", usage: { cpu: "100m", memory: "64Mi" } }]);
 * ```
 */
export class ResourceMetrics {
  readonly #pods = new Map<string, PodMetricUsage>();
  readonly #nodes = new Map<string, MetricUsage>();
  readonly #served: () => void;
  #isServed = false;

  /** Creates metrics without numbers; `served` is called when the first number is set. */
  constructor(served: () => void) {
    this.#served = served;
  }

  /** Whether numbers have been set. */
  get isServed(): boolean {
    return this.#isServed;
  }

  /** The Pods with numbers, by `namespace/name`. */
  get pods(): ReadonlyMap<string, PodMetricUsage> {
    return this.#pods;
  }

  /** The Nodes with numbers. */
  get nodes(): ReadonlyMap<string, MetricUsage> {
    return this.#nodes;
  }

  /**
   * Sets what a Pod uses.
   *
   * @param podKey The key of the Pod, as in `default/web`. The Pod need not exist.
   * @param usage The usage; undefined removes it.
   * @throws {TypeError} If the key or a quantity is invalid.
   */
  setPod(podKey: string, usage: PodMetricUsage | undefined): void {
    if (typeof podKey !== "string" || !/^[^/]+\/[^/]+$/.test(podKey)) {
      throw new TypeError('setPod() needs the key of a Pod, as in "default/web"');
    }
    const containers = isRecord(usage) && isRecord(usage.containers) ? usage.containers : { usage };
    for (const one of Object.values(containers)) requireUsage(podKey, one);
    this.#set(this.#pods, podKey, usage);
  }

  /**
   * Sets what a Node uses.
   *
   * @param name The name of the Node. The Node need not exist.
   * @param usage The usage; undefined removes it.
   * @throws {TypeError} If a quantity is invalid.
   */
  setNode(name: string, usage: MetricUsage | undefined): void {
    if (typeof name !== "string" || name === "") {
      throw new TypeError("setNode() needs the name of a Node");
    }
    requireUsage(name, usage);
    this.#set(this.#nodes, name, usage);
  }

  /**
   * Returns what a Pod or one of its containers uses of a resource; undefined if that is not known.
   *
   * @param podKey The key of the Pod, as in `default/web`.
   * @param resource `cpu` or `memory`.
   * @param container The name of the container. Default: the whole Pod.
   */
  valueOf(podKey: string, resource: string, container?: string): string | undefined {
    const usage = this.#pods.get(podKey);
    if (usage === undefined || (resource !== "cpu" && resource !== "memory")) return undefined;
    if (!("containers" in usage)) return usage[resource];
    if (container !== undefined) return usage.containers[container]?.[resource];
    const nano = Object.values(usage.containers)
      .reduce((sum, one) => sum + (parseQuantity(one[resource])?.nano ?? 0n), 0n);
    return `${nano}n`;
  }

  #set<U>(usages: Map<string, U>, key: string, usage: U | undefined): void {
    if (usage === undefined) usages.delete(key);
    else usages.set(key, usage);
    if (this.#isServed || usage === undefined) return;
    this.#isServed = true;
    this.#served();
  }
}

function requireUsage(what: string, usage: unknown): void {
  if (usage === undefined) return;
  for (const resource of ["cpu", "memory"]) {
    const quantity = isRecord(usage) ? usage[resource] : undefined;
    if (typeof quantity === "string" && parseQuantity(quantity) !== undefined) continue;
    throw new TypeError(
      `The ${resource} of ${what} must be a quantity, as in { cpu: "100m", memory: "64Mi" }`,
    );
  }
}
