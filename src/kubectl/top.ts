import {
  checkedElsewhere,
  isRecord,
  isSignal,
  type OptionChecks,
  parseQuantity,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import {
  defineResource,
  isNotFound,
  type KubeObject,
  Nodes,
  type Resource,
  type Stored,
} from "@kubeloop/controller/types";
import { requireClient } from "./target.ts";

/** CPU and memory usage. */
export interface Usage {
  /** The used CPU, in thousandths of a core; undefined if unknown. */
  readonly cpuMillicores: number | undefined;
  /** The used memory, in bytes; undefined if unknown. */
  readonly memoryBytes: number | undefined;
}

/** The usage of a Pod: the sum of its containers. */
export interface PodUsage extends Usage {
  /** The name of the Pod. */
  readonly name: string;
  /** The namespace of the Pod. */
  readonly namespace: string;
  /** The usage of each container. */
  readonly containers: readonly (Usage & { readonly name: string })[];
}

/** The usage of a Node. */
export interface NodeUsage extends Usage {
  /** The name of the Node. */
  readonly name: string;
  /** The used CPU, in percent of the allocatable CPU; undefined if unknown. */
  readonly cpuPercent: number | undefined;
  /** The used memory, in percent of the allocatable memory; undefined if unknown. */
  readonly memoryPercent: number | undefined;
}

/** Options of {@linkcode topNodes}. */
export interface TopOptions {
  /** The label selector of the objects. Default: all. */
  readonly labelSelector?: string | undefined;
  /** Stops the requests. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@linkcode topPods}. */
export interface TopPodsOptions extends TopOptions {
  /** The namespace of the Pods. Default: all namespaces. */
  readonly namespace?: string | undefined;
}

const NODE_CHECKS: OptionChecks<TopOptions> = {
  // Checked by the list request.
  labelSelector: checkedElsewhere,
  signal: isSignal,
};

const POD_CHECKS: OptionChecks<TopPodsOptions> = { ...NODE_CHECKS, namespace: checkedElsewhere };

interface PodMetrics extends KubeObject {
  readonly containers?: readonly { readonly name?: string; readonly usage?: unknown }[];
}

interface NodeMetrics extends KubeObject {
  readonly usage?: unknown;
}

const OfPods: Resource<PodMetrics> = defineResource<PodMetrics>({
  group: "metrics.k8s.io",
  version: "v1beta1",
  plural: "pods",
  kind: "PodMetrics",
  namespaced: true,
});
const OfNodes: Resource<NodeMetrics> = defineResource<NodeMetrics>({
  group: "metrics.k8s.io",
  version: "v1beta1",
  plural: "nodes",
  kind: "NodeMetrics",
  namespaced: false,
});

/**
 * Returns the CPU and memory usage of Pods, as `kubectl top pods` does. The cluster must have a metrics server.
 *
 * @param client The client that makes the requests.
 * @param options The namespace and the labels of the Pods. Default: all Pods.
 * @returns The usage of each Pod, in the order of the server. Pods that have just started may be missing.
 * @throws {Error} If the cluster has no metrics server.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { topPods } from "@kubeloop/kubectl";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * server.metrics.setPod("default/web", { cpu: "100m", memory: "64Mi" });
 * await using client = new Client(server.clientOptions);
 *
 * const [web] = await topPods(client, { namespace: "default" });
 * assertEquals([web?.name, web?.cpuMillicores, web?.memoryBytes], ["web", 100, 64 * 1024 ** 2]);
 * ```
 */
export async function topPods(client: Client, options: TopPodsOptions = {}): Promise<PodUsage[]> {
  requireClient(client, "topPods");
  requireOptions("topPods()", options, POD_CHECKS);
  const items = await listMetrics(client, OfPods, options);
  return items.map(({ metadata, containers: given }) => {
    const { name, namespace = "" } = metadata;
    const containers = (Array.isArray(given) ? given : []).filter(isRecord).map((one) => ({
      name: String(one.name),
      ...usageOf(one.usage),
    }));
    const sum = (of: (usage: Usage) => number | undefined) =>
      containers.reduce<number | undefined>((total, one) => add(total, of(one)), 0);
    return {
      name,
      namespace,
      cpuMillicores: sum((usage) => usage.cpuMillicores),
      memoryBytes: sum((usage) => usage.memoryBytes),
      containers,
    };
  });
}

/**
 * Returns the CPU and memory usage of Nodes, as `kubectl top nodes` does. The cluster must have a metrics server.
 *
 * @param client The client that makes the requests.
 * @param options The labels of the Nodes. Default: all Nodes.
 * @returns The usage of each Node, in the order of the server.
 * @throws {Error} If the cluster has no metrics server.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { topNodes } from "@kubeloop/kubectl";
 * import { Nodes } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * server.metrics.setNode("n1", { cpu: "1", memory: "1Gi" });
 * await using client = new Client(server.clientOptions);
 * const allocatable = { cpu: "4", memory: "8Gi" };
 * await client.create(Nodes, { metadata: { name: "n1" }, status: { allocatable } });
 *
 * const [n1] = await topNodes(client);
 * assertEquals([n1?.cpuMillicores, n1?.cpuPercent, n1?.memoryPercent], [1000, 25, 12.5]);
 * ```
 */
export async function topNodes(client: Client, options: TopOptions = {}): Promise<NodeUsage[]> {
  requireClient(client, "topNodes");
  requireOptions("topNodes()", options, NODE_CHECKS);
  const items = await listMetrics(client, OfNodes, options);
  const nodes = await client.list(Nodes, options);
  const allocatable = new Map(
    nodes.items.map(({ metadata, status }) => [metadata.name, usageOf(status?.allocatable)]),
  );
  return items.map(({ metadata: { name }, usage }) => {
    const used = usageOf(usage);
    const most = allocatable.get(name);
    return {
      name,
      ...used,
      cpuPercent: percent(used.cpuMillicores, most?.cpuMillicores),
      memoryPercent: percent(used.memoryBytes, most?.memoryBytes),
    };
  });
}

async function listMetrics<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  options: TopPodsOptions,
): Promise<Stored<T>[]> {
  try {
    return (await client.list(resource, options)).items;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new Error(
      "The cluster has no metrics of Pods and Nodes: is a metrics server installed in it?",
      { cause: error },
    );
  }
}

function usageOf(usage: unknown): Usage {
  const { cpu, memory } = isRecord(usage) ? usage : {};
  const cpuNano = nanoOf(cpu);
  const memoryNano = nanoOf(memory);
  // Rounded up as in kubectl, so that a small usage is not shown as 0.
  return {
    cpuMillicores: cpuNano === undefined ? undefined : Math.ceil(cpuNano / 1e6),
    memoryBytes: memoryNano === undefined ? undefined : Math.ceil(memoryNano / 1e9),
  };
}

function nanoOf(quantity: unknown): number | undefined {
  if (typeof quantity !== "string") return undefined;
  const parsed = parseQuantity(quantity);
  const nano = parsed === undefined ? NaN : Number(parsed.nano);
  return Number.isFinite(nano) ? nano : undefined;
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function percent(used: number | undefined, most: number | undefined): number | undefined {
  return used === undefined || !most ? undefined : used / most * 100;
}
