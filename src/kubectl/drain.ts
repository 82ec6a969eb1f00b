import {
  defaultLogger,
  describeError,
  LinkedAbort,
  parallelizeUntil,
  realClock,
  requireCount,
  requireFunctions,
  requireTimeLimit,
  toError,
} from "../base/mod.ts";
import { type Client, deleted, fieldSelector } from "../client/mod.ts";
import { controllerOf, explainError, type Pod, Pods, type Stored } from "../types/mod.ts";
import { cordon, nodeNameOf, type NodeTarget } from "./cordon.ts";
import { evict, type EvictOptions } from "./evict.ts";

const DEFAULT_CONCURRENCY = 10;
/** The annotation of a Pod that the kubelet started from a file, and that cannot be evicted. */
const MIRROR = "kubernetes.io/config.mirror";

/** How far {@linkcode drain} is with a Pod. */
export interface DrainProgress {
  /** The name of the Pod. */
  readonly name: string;
  /** The namespace of the Pod. */
  readonly namespace: string;
  /** `ignored`: it stays, because it belongs to a DaemonSet or to the kubelet. `evicted`: it stops. `gone`: it is gone. */
  readonly status: "ignored" | "evicted" | "gone";
}

/** Options of {@linkcode drain}. */
export interface DrainOptions extends Omit<EvictOptions, "dryRun"> {
  /** Whether to evict Pods that have no controller, so that nobody creates them again. Default false. */
  readonly force?: boolean | undefined;
  /** Whether to evict Pods with `emptyDir` volumes, whose data is lost. Default false. */
  readonly deleteEmptyDirData?: boolean | undefined;
  /** The label selector of the Pods to evict. Default: all. */
  readonly labelSelector?: string | undefined;
  /** The time limit of the whole call, in milliseconds. Default `Infinity`: no limit. */
  readonly timeoutMs?: number | undefined;
  /** How many Pods are evicted and waited for at the same time. Default 10. */
  readonly concurrency?: number | undefined;
  /** Called with each Pod that is ignored, evicted, and gone. */
  readonly onProgress?: ((progress: DrainProgress) => void) | undefined;
}

/**
 * Empties a Node, as `kubectl drain` does: cordons it, evicts its Pods as their PodDisruptionBudgets allow, and waits until
 * they are gone. Pods of DaemonSets and mirror Pods stay.
 *
 * If the options do not allow a Pod to be evicted, none is: the Node is then only cordoned.
 *
 * @param client The client that makes the requests.
 * @param node The name of the Node, or the Node.
 * @param options Which Pods may go, and how long it may take.
 * @returns The Pods that are gone.
 * @throws {AggregateError} If Pods must not be evicted, or could not be: an error for each, which names the Pod.
 *
 * @example
 * ```ts
 * import type { Client } from "@kubeloop/controller/client";
 * import { drain, uncordon } from "@kubeloop/controller/kubectl";
 *
 * async function maintain(client: Client, node: string, work: () => Promise<void>) {
 *   await drain(client, node, { deleteEmptyDirData: true, timeoutMs: 600_000 });
 *   await work();
 *   await uncordon(client, node);
 * }
 * ```
 */
export async function drain(
  client: Client,
  node: NodeTarget,
  options: DrainOptions = {},
): Promise<Stored<Pod>[]> {
  const { concurrency = DEFAULT_CONCURRENCY, onProgress, timeoutMs = Infinity } = options;
  const nodeName = nodeNameOf(node, "drain");
  requireCount("concurrency", concurrency, 1);
  requireTimeLimit("timeoutMs", timeoutMs);
  requireFunctions({ onProgress });
  const { clock = realClock } = client.environment;
  const limit = new LinkedAbort(options.signal);
  const timer = timeoutMs === Infinity ? undefined : clock.setTimer(() => {
    const message = `Node ${nodeName} was not drained within ${timeoutMs} ms`;
    limit.abort(new DOMException(message, "TimeoutError"));
  }, timeoutMs);
  const { signal } = limit;
  try {
    await cordon(client, nodeName, { signal });
    const { evictable, ignored } = await podsOf(client, nodeName, options, signal);
    const tell = progressTeller(client, onProgress);
    for (const pod of ignored) tell(pod, "ignored");
    const gone: Stored<Pod>[] = [];
    const failures: Error[] = [];
    await parallelizeUntil(concurrency, evictable.length, async (index) => {
      const pod = evictable[index]!;
      const { name, namespace, uid } = pod.metadata;
      try {
        signal.throwIfAborted();
        const { gracePeriodSeconds } = options;
        if (await evict(client, pod, { gracePeriodSeconds, signal }) === "evicted") {
          tell(pod, "evicted");
          await client.waitFor(Pods, name, deleted(uid), { namespace, signal });
        }
        tell(pod, "gone");
        gone.push(pod);
      } catch (error) {
        const message = `Pod ${namespace}/${name}: ${explainError(error)}`;
        failures.push(new Error(message, { cause: toError(error) }));
      }
    });
    options.signal?.throwIfAborted();
    if (failures.length > 0) throw drainError(nodeName, failures);
    return gone;
  } finally {
    timer?.cancel();
    limit.release();
  }
}

/** Returns the Pods that are to be evicted, and those that stay. Throws if one must not be evicted. */
async function podsOf(
  client: Client,
  nodeName: string,
  { deleteEmptyDirData = false, force = false, labelSelector }: DrainOptions,
  signal: AbortSignal,
): Promise<{ readonly evictable: Stored<Pod>[]; readonly ignored: Stored<Pod>[] }> {
  const onNode = fieldSelector({ "spec.nodeName": nodeName });
  const { items } = await client.list(Pods, { fieldSelector: onNode, labelSelector, signal });
  const isIgnored = (pod: Stored<Pod>) =>
    pod.metadata.annotations?.[MIRROR] !== undefined || controllerOf(pod)?.kind === "DaemonSet";
  const evictable = items.filter((pod) => !isIgnored(pod));
  const refusals = evictable.flatMap((pod) => {
    const { name, namespace, deletionTimestamp } = pod.metadata;
    const phase = pod.status?.phase;
    const isOver = phase === "Succeeded" || phase === "Failed" || deletionTimestamp !== undefined;
    if (isOver) return [];
    const refuse = (why: string) => [new Error(`Pod ${namespace}/${name} ${why}`)];
    if (!force && controllerOf(pod) === undefined) {
      return refuse("has no controller that would create it again: give { force: true }");
    }
    if (!deleteEmptyDirData && hasEmptyDir(pod)) {
      return refuse("has data in an emptyDir: give { deleteEmptyDirData: true } to lose it");
    }
    return [];
  });
  if (refusals.length > 0) throw drainError(nodeName, refusals);
  return { evictable, ignored: items.filter(isIgnored) };
}

function hasEmptyDir({ spec }: Pod): boolean {
  const { volumes } = (spec ?? {}) as { volumes?: readonly { emptyDir?: unknown }[] };
  return Array.isArray(volumes) && volumes.some((one) => one?.emptyDir !== undefined);
}

function drainError(nodeName: string, errors: readonly Error[]): AggregateError {
  const shown = errors.slice(0, 10).map(({ message }) => message).join("; ");
  const more = errors.length > 10 ? `; and ${errors.length - 10} more` : "";
  return new AggregateError(errors, `Cannot drain Node ${nodeName}: ${shown}${more}`);
}

function progressTeller(
  client: Client,
  onProgress: DrainOptions["onProgress"],
): (pod: Stored<Pod>, status: DrainProgress["status"]) => void {
  return ({ metadata: { name, namespace = "" } }, status) => {
    try {
      onProgress?.({ name, namespace, status });
    } catch (error) {
      const { logger = defaultLogger } = client.environment;
      logger.error(`onProgress threw at Pod ${namespace}/${name}: ${describeError(error)}`);
    }
  };
}
