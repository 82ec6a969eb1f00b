import {
  checkedElsewhere,
  forkRandom,
  isCount,
  isFunction,
  isSignal,
  type OptionChecks,
  PacedLogger,
  realClock,
  realRandom,
  requireOptions,
  safeLogger,
  tellUser,
} from "../base/mod.ts";
import { DeletedFinalStateUnknown, SharedInformer } from "../cache/mod.ts";
import type { Client, LogsOptions } from "../client/mod.ts";
import { type Cached, explainError, type Pod, Pods } from "../types/mod.ts";
import { ContainerFollower, type FollowerOptions } from "./container_follower.ts";
import { containersOf } from "./container_state.ts";
import { type FollowedLine, LineQueue } from "./line_queue.ts";
import { Slots } from "./slots.ts";

/** stern's limit. */
const DEFAULT_MAX_STREAMS = 50;

/** A failure of the log of one container. Other logs are not affected, and this log is retried. */
export interface FollowFailure {
  /** The name of the Pod. */
  readonly pod: string;
  /** The namespace of the Pod. */
  readonly namespace: string;
  /** The name of the container. */
  readonly container: string;
  /** The error. */
  readonly error: unknown;
  /** The time until the next try, in milliseconds. */
  readonly retryMs: number;
}

/** Options of {@linkcode followLogs}. */
export interface FollowLogsOptions
  extends Pick<LogsOptions, "sinceSeconds" | "sinceTime" | "tailLines" | "maxLineBytes"> {
  /** The namespace of the Pods. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** The label selector of the Pods, such as `app=web`. Default: all Pods. */
  readonly labelSelector?: string | undefined;
  /** The field selector of the Pods, such as `metadata.name=web-0`. Default: all Pods. */
  readonly fieldSelector?: string | undefined;
  /** The names of the containers. Default: all containers, init containers and ephemeral containers. */
  readonly containers?: readonly string[] | undefined;
  /**
   * The number of logs that are followed at the same time. Further containers wait until another one has ended, which
   * is logged. Default 50.
   */
  readonly maxStreams?: number | undefined;
  /** Called with each failure of the log of a container. Default: logs a warning, at most ten in ten seconds. */
  readonly onError?: ((failure: FollowFailure) => void) | undefined;
  /** Ends the follow. The iteration then throws `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

const CHECKS: OptionChecks<FollowLogsOptions> = {
  // Client.logs() checks which lines, Client.listerWatcher() which Pods.
  sinceSeconds: checkedElsewhere,
  sinceTime: checkedElsewhere,
  tailLines: checkedElsewhere,
  maxLineBytes: checkedElsewhere,
  namespace: checkedElsewhere,
  labelSelector: checkedElsewhere,
  fieldSelector: checkedElsewhere,
  containers: (_name, value) => {
    if (isNames(value)) return;
    throw new TypeError("Invalid containers of followLogs(): expected an array of names");
  },
  maxStreams: isCount(1),
  onError: isFunction,
  signal: isSignal,
};

/**
 * Follows the logs of all Pods of a selector, as `kubectl logs -f -l app=web --prefix --all-containers` does, until
 * the loop over the lines is left or `signal` aborts.
 *
 * - Pods that start later are read from their first line on. `sinceSeconds`, `sinceTime` and `tailLines`
 *   apply to Pods that exist when the follow begins.
 * - After a restart of a container, the log of its next instance follows. The last lines of the previous instance are
 *   read from its `previous` log.
 * - A connection that breaks is opened again, with a growing pause of at most a minute. Repeated lines are recognized
 *   by their time in nanoseconds, their text and their number, so that none comes twice. A log that is silent for five
 *   minutes is opened again too, since its connection may be dead.
 * - A failure of one log does not end the others. `onError` is called with it.
 *
 * Lines are lost only if the kubelet no longer has them: of an instance before the previous one, of a rotated log, and
 * of a Pod that was removed while the connection was broken. If the clock of a node is set
 * back, lines may be lost when the connection breaks then.
 *
 * The lines of one container come in their order. The client reads only as fast as the lines are taken.
 *
 * @param client The client. Its logger receives failures.
 * @param options Which Pods, containers and lines, and what ends the follow.
 * @returns The lines, to be iterated once. Nothing is sent before the first line is asked for. The iteration throws a
 * `StatusError` if the Pods cannot be listed at the start, and a `TerminalError` when the client is closed.
 * @throws {TypeError} If an option is not what it should be.
 * @throws {RangeError} If a number is out of range.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { followLogs } from "@kubeloop/controller/logs";
 * import { ApiServer, startActors } from "@kubeloop/testing";
 * import { Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using actors = startActors(server, {
 *   kubelet: { startDelayMs: 0, lives: [{ selector: "app=web", logs: [{ text: "listening" }] }] },
 * });
 * await using client = new Client(server.clientOptions);
 * await client.create(Pods, {
 *   metadata: { name: "web-0", namespace: "default", labels: { app: "web" } },
 *   spec: { containers: [{ name: "main", image: "nginx" }] },
 * });
 *
 * const options = { namespace: "default", labelSelector: "app=web" };
 * for await (const { pod, container, line } of followLogs(client, options)) {
 *   assertEquals(`[${pod} ${container}] ${line}`, "[web-0 main] listening");
 *   break;
 * }
 * ```
 */
export function followLogs(client: Client, options: FollowLogsOptions = {}): FollowedLogs {
  requireOptions("followLogs()", options, CHECKS);
  // Refuses what every request for a log would refuse.
  const { maxLineBytes, sinceSeconds, sinceTime, tailLines } = options;
  const since = { sinceSeconds, sinceTime, tailLines };
  client.logs("any", { namespace: "any", maxLineBytes, ...since });
  client.listerWatcher(Pods, scopeOf(options));
  return new FollowedLogs(client, options);
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** The followers of the containers of one Pod. */
interface FollowedPod {
  readonly uid: string;
  readonly followers: Map<string, ContainerFollower>;
}

/** The lines of {@linkcode followLogs}. Their connections are closed when a `for await` loop is left. */
export class FollowedLogs
  implements AsyncIterableIterator<FollowedLine, undefined>, AsyncDisposable {
  readonly #client: Client;
  readonly #options: FollowLogsOptions;
  readonly #lines = new LineQueue();
  readonly #slots: Slots;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #log: PacedLogger;
  readonly #pods = new Map<string, FollowedPod>();
  readonly #running = new Set<Promise<void>>();
  #following: Promise<void> | undefined;
  #isClosed = false;

  /** Creates the follow. Use {@linkcode followLogs} instead. */
  constructor(client: Client, options: FollowLogsOptions) {
    const { clock = realClock, logger } = client.environment;
    const { maxStreams = DEFAULT_MAX_STREAMS, signal } = options;
    this.#client = client;
    this.#options = options;
    this.#slots = new Slots(maxStreams);
    this.#log = new PacedLogger(safeLogger(logger), clock);
    const stop = this.#stop.signal;
    this.#signal = signal === undefined ? stop : AbortSignal.any([signal, stop]);
  }

  /** Returns the next line. */
  async next(): Promise<IteratorResult<FollowedLine, undefined>> {
    if (this.#isClosed) return DONE;
    this.#following ??= this.#follow();
    const line = await this.#lines.take();
    return line === undefined ? DONE : { done: false, value: line };
  }

  /** Ends the follow, and closes its connections. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    await this.close();
    return DONE;
  }

  /** Ends the follow. It may be called at any time and repeatedly. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#lines.clear();
    this.#lines.end();
    this.#stop.abort(new DOMException("The follow was closed", "AbortError"));
    await this.#following;
  }

  /** Ends the follow: {@linkcode FollowedLogs.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns the follow itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Runs until the follow ends. Never rejects: the reader gets the error. */
  async #follow(): Promise<void> {
    const signal = this.#signal;
    try {
      // An informer retries for ever, so an error of the first list ends the follow.
      await this.#client.list(Pods, { ...scopeOf(this.#options), limit: 1, signal });
      const informer = new SharedInformer<Pod>(
        this.#client.listerWatcher(Pods, scopeOf(this.#options)),
        { resource: Pods, name: "followLogs" },
      );
      informer.addEventHandler({
        onAdd: (pod, isInInitialList) => this.#update(pod, !isInInitialList),
        onUpdate: (_old, pod) => this.#update(pod, true),
        onDelete: (pod) => this.#remove(DeletedFinalStateUnknown.is(pod) ? pod.key : keyOf(pod)),
      });
      await informer.run({ signal });
      this.#lines.end(signal.aborted ? { error: signal.reason } : {});
    } catch (error) {
      this.#lines.end({ error: signal.aborted ? signal.reason : error });
    } finally {
      this.#stop.abort(new DOMException("The follow has ended", "AbortError"));
      await Promise.all(this.#running);
    }
  }

  #update(pod: Cached<Pod>, isFresh: boolean): void {
    const key = keyOf(pod);
    let known = this.#pods.get(key);
    if (known?.uid !== pod.metadata.uid) {
      this.#remove(key);
      known = { uid: pod.metadata.uid, followers: new Map() };
      this.#pods.set(key, known);
    }
    const { containers } = this.#options;
    for (const container of containersOf(pod)) {
      if (containers !== undefined && !containers.includes(container)) continue;
      const follower = known!.followers.get(container);
      if (follower === undefined) {
        known!.followers.set(container, this.#start(pod, container, isFresh));
      } else follower.update(pod);
    }
  }

  #remove(key: string): void {
    const known = this.#pods.get(key);
    if (known === undefined) return;
    this.#pods.delete(key);
    for (const follower of known.followers.values()) follower.update(undefined);
  }

  #start(pod: Cached<Pod>, container: string, isFresh: boolean): ContainerFollower {
    const { clock = realClock, random = realRandom } = this.#client.environment;
    const { maxLineBytes, maxStreams = DEFAULT_MAX_STREAMS } = this.#options;
    const { sinceSeconds, sinceTime, tailLines } = this.#options;
    const place = { pod: pod.metadata.name, namespace: pod.metadata.namespace ?? "", container };
    const name = `container ${container} in Pod ${keyOf(pod)}`;
    if (this.#slots.areTaken) {
      this.#log.warn(`Log of ${name}: waits, since ${maxStreams} logs are followed (maxStreams)`);
    }
    const options: FollowerOptions = {
      client: this.#client,
      clock,
      random: forkRandom(random, `log of ${name} ${pod.metadata.uid}`),
      since: { sinceSeconds, sinceTime, tailLines },
      maxLineBytes,
      slots: this.#slots,
      deliver: (line, signal) => this.#lines.put(line, signal),
      tell: (error, retryMs) => this.#tell({ ...place, error, retryMs }),
      signal: this.#signal,
    };
    const follower = new ContainerFollower(options, pod, { container, isFresh });
    const running = follower.run().catch((error) => {
      // A failure that no retry helps against: the client is closed.
      if (!this.#signal.aborted) this.#lines.end({ error });
    }).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return follower;
  }

  #tell(failure: FollowFailure): void {
    const { onError } = this.#options;
    const { container, error, namespace, pod, retryMs } = failure;
    const line = `Log of container ${container} in Pod ${namespace}/${pod}: ${explainError(error)}`;
    if (onError === undefined) {
      this.#log.warn(`${line}; trying again in ${Math.round(retryMs)} ms`);
      return;
    }
    tellUser(
      () => onError(failure),
      (thrown) => this.#log.error(`onError of followLogs() threw: ${explainError(thrown)}`),
    );
  }
}

function keyOf({ metadata }: Cached<Pod>): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function isNames(names: unknown): boolean {
  return Array.isArray(names) && names.every((name) => typeof name === "string" && name !== "");
}

function scopeOf({ fieldSelector, labelSelector, namespace }: FollowLogsOptions): {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
} {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}
