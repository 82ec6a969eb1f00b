import { type Client, deleted, fieldSelector } from "@kubeloop/controller/client";
import {
  type Clock,
  defaultLogger,
  describeError,
  isCount,
  isFlag,
  isFunction,
  isText,
  type OptionChecks,
  PacedLogger,
  parallelizeUntil,
  realClock,
  requireOptions,
  safeLogger,
  tellUser,
  toError,
  withTimeLimit,
} from "@kubeloop/controller/internal/base";
import {
  controllerOf,
  explainError,
  type KubeObject,
  type Pod,
  Pods,
  type Stored,
} from "@kubeloop/controller/types";
import { cordon, nodeNameOf, type NodeTarget } from "./cordon.ts";
import { EVICT_CHECKS, type EvictOptions } from "./evict_options.ts";
import { evictPod } from "./evict_pod.ts";
import { shownBy } from "./shown.ts";
import { requireClient } from "./target.ts";

const DEFAULT_CONCURRENCY = 10;
/** The interval at which the same refusal of a Pod is reported again, in milliseconds. */
const REPEAT_MS = 60_000;
/** The annotation of mirror Pods, which the kubelet runs from a file and which cannot be evicted. */
const MIRROR = "kubernetes.io/config.mirror";

/** The progress of {@linkcode drain} for one Pod. */
export interface DrainProgress {
  /** The name of the Pod. */
  readonly name: string;
  /** The namespace of the Pod. */
  readonly namespace: string;
  /**
   * - `ignored`: the Pod stays, because it belongs to a DaemonSet or is a mirror Pod,
   * - `refused`: the server does not evict the Pod yet, mostly because of a PodDisruptionBudget; the call tries again,
   * - `evicted`: the server has accepted the eviction, and the Pod terminates,
   * - `gone`: the Pod no longer exists.
   */
  readonly status: "ignored" | "refused" | "evicted" | "gone";
  /** The message of the server, if the status is `refused`. */
  readonly message?: string | undefined;
}

/** Options of {@linkcode drain}. */
export interface DrainOptions extends Omit<EvictOptions, "dryRun"> {
  /** Whether to evict Pods without a controller: no controller replaces them. Default false. */
  readonly force?: boolean | undefined;
  /** Whether to evict Pods with `emptyDir` volumes, whose data is lost. Default false. */
  readonly deleteEmptyDirData?: boolean | undefined;
  /** The label selector of the Pods to evict. Default: all. */
  readonly labelSelector?: string | undefined;
  /** The time limit of the whole call, in milliseconds. Default `Infinity`: no limit. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of Pods that are evicted and waited for at the same time. Default 10. */
  readonly concurrency?: number | undefined;
  /**
   * Called each time that the status of a Pod changes. A refusal is reported at once, when its message changes, and every
   * minute. Default: refusals are logged as warnings.
   */
  readonly onProgress?: ((progress: DrainProgress) => void) | undefined;
}

const CHECKS: OptionChecks<DrainOptions> = {
  gracePeriodSeconds: EVICT_CHECKS.gracePeriodSeconds,
  timeoutMs: EVICT_CHECKS.timeoutMs,
  signal: EVICT_CHECKS.signal,
  force: isFlag,
  deleteEmptyDirData: isFlag,
  labelSelector: isText,
  concurrency: isCount(1),
  onProgress: isFunction,
};

/**
 * Empties a Node, as `kubectl drain` does: cordons it, evicts its Pods as their PodDisruptionBudgets allow, and waits until
 * they are gone. Pods of DaemonSets and mirror Pods stay.
 *
 * If the options forbid the eviction of one Pod, no Pod is evicted: the Node is then only cordoned.
 *
 * @param client The client that makes the requests.
 * @param node The name of the Node, or the Node.
 * @param options The Pods to evict, the grace period, and a time limit.
 * @returns The evicted Pods, which no longer exist.
 * @throws {AggregateError} If the options forbid evictions, or evictions failed. It has one error for each Pod, with its name.
 *
 * @example
 * ```ts
 * import type { Client } from "@kubeloop/controller/client";
 * import { drain, uncordon } from "@kubeloop/kubectl";
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
  requireClient(client, "drain");
  const nodeName = nodeNameOf(node, "drain");
  requireOptions("drain()", options, CHECKS);
  const { concurrency = DEFAULT_CONCURRENCY, timeoutMs = Infinity } = options;
  const { clock = realClock } = client.environment;
  const shown = shownBy(client);
  const late = () => `Node ${shown(nodeName)} was not drained within ${timeoutMs} ms`;
  const limit = { clock, signal: options.signal, limitMs: timeoutMs, late };
  return await withTimeLimit(limit, async (signal) => {
    await cordon(client, nodeName, { signal });
    const { evictable, ignored } = await podsOf(client, nodeName, options, signal);
    const reporter = new Reporter(client, nodeName, options.onProgress);
    for (const pod of ignored) reporter.tell(pod, "ignored");
    const gone: Stored<Pod>[] = [];
    const failures: Error[] = [];
    await parallelizeUntil(concurrency, evictable.length, async (index) => {
      const pod = evictable[index]!;
      /** The reason why the Pod still exists. */
      let missing = "";
      try {
        signal.throwIfAborted();
        await evictAndWait(client, pod, { ...options, signal }, reporter, (what) => missing = what);
        gone.push(pod);
      } catch (error) {
        const { name, namespace } = pod.metadata;
        const last = signal.aborted && missing !== "" ? `: ${missing}` : "";
        const message = shown(`Pod ${namespace}/${name}: ${explainError(error)}${last}`);
        failures.push(new Error(message, { cause: toError(error) }));
      }
    });
    options.signal?.throwIfAborted();
    if (failures.length > 0) throw drainError(shown(nodeName), failures);
    return gone;
  });
}

/**
 * Evicts a Pod, and waits until it no longer exists.
 *
 * @param waits Called with the reason why the Pod still exists, each time that it changes.
 */
async function evictAndWait(
  client: Client,
  pod: Stored<Pod>,
  { gracePeriodSeconds, signal }: DrainOptions,
  reporter: Reporter,
  waits: (what: string) => void,
): Promise<void> {
  const { name, namespace = "", uid } = pod.metadata;
  const place = { name, namespace, uid };
  const refused = reporter.refusals(pod);
  const outcome = await evictPod(client, place, { gracePeriodSeconds, signal }, (message) => {
    waits(message);
    refused(message);
  });
  if (outcome === "evicted") {
    reporter.tell(pod, "evicted");
    const isGone = deleted(uid);
    const judge = (object: Stored<KubeObject> | undefined) => {
      const verdict = isGone(object);
      if (typeof verdict === "string") waits(verdict);
      return verdict;
    };
    await client.waitFor(Pods, name, judge, { namespace, signal });
  }
  reporter.tell(pod, "gone");
}

/** Returns the Pods of the Node to evict and to ignore. Throws if the options forbid the eviction of one. */
async function podsOf(
  client: Client,
  nodeName: string,
  { deleteEmptyDirData = false, force = false, labelSelector }: DrainOptions,
  signal: AbortSignal,
): Promise<{ readonly evictable: Stored<Pod>[]; readonly ignored: Stored<Pod>[] }> {
  const shown = shownBy(client);
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
    const refuse = (why: string) => [new Error(shown(`Pod ${namespace}/${name} ${why}`))];
    if (!force && controllerOf(pod) === undefined) {
      return refuse("has no controller that would create it again: give { force: true }");
    }
    if (!deleteEmptyDirData && hasEmptyDir(pod)) {
      return refuse("has data in an emptyDir: give { deleteEmptyDirData: true } to lose it");
    }
    return [];
  });
  if (refusals.length > 0) throw drainError(shown(nodeName), refusals);
  return { evictable, ignored: items.filter(isIgnored) };
}

function hasEmptyDir({ spec }: Pod): boolean {
  // The volumes come from the server unchecked.
  const volumes: unknown = spec?.volumes;
  return Array.isArray(volumes) && volumes.some((one) => one?.emptyDir !== undefined);
}

function drainError(nodeName: string, errors: readonly Error[]): AggregateError {
  const shown = errors.slice(0, 10).map(({ message }) => message).join("; ");
  const more = errors.length > 10 ? `; and ${errors.length - 10} more` : "";
  return new AggregateError(errors, `Cannot drain Node ${nodeName}: ${shown}${more}`);
}

/** Reports the progress of a drain to the caller, or else to the log. */
class Reporter {
  readonly #clock: Clock;
  readonly #logger: PacedLogger;
  readonly #nodeName: string;
  readonly #onProgress: DrainOptions["onProgress"];

  constructor(client: Client, nodeName: string, onProgress: DrainOptions["onProgress"]) {
    const { clock = realClock, logger = defaultLogger } = client.environment;
    this.#clock = clock;
    this.#logger = new PacedLogger(safeLogger(logger), clock);
    this.#nodeName = nodeName;
    this.#onProgress = onProgress;
  }

  tell(
    { metadata: { name, namespace = "" } }: Stored<Pod>,
    status: DrainProgress["status"],
    message?: string,
  ): void {
    const onProgress = this.#onProgress;
    if (onProgress === undefined) {
      if (status !== "refused") return;
      const pod = `Pod ${namespace}/${name}`;
      return this.#logger.warn(`Drain of Node ${this.#nodeName}: ${pod} is refused: ${message}`);
    }
    const progress = { name, namespace, status, ...(message === undefined ? {} : { message }) };
    tellUser(
      () => onProgress(progress),
      (error) =>
        this.#logger.error(`onProgress threw at Pod ${namespace}/${name}: ${describeError(error)}`),
    );
  }

  /** Returns a function that reports the refusals of one Pod: a new message at once, the same message every minute. */
  refusals(pod: Stored<Pod>): (message: string) => void {
    let told: { readonly message: string; readonly atMs: number } | undefined;
    return (message) => {
      const atMs = this.#clock.now();
      if (told?.message === message && atMs - told.atMs < REPEAT_MS) return;
      told = { message, atMs };
      this.tell(pod, "refused", message);
    };
  }
}
