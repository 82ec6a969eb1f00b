import {
  abortable,
  type Clock,
  delay,
  describeValue,
  type Environment,
  forkRandom,
  type Logger,
  networkFailure,
  type Random,
  realClock,
  realRandom,
  redactOf,
  type ResettingBackoff,
  safeLogger,
  TerminalError,
  WATCH_PACE,
  watchBackoff,
  watchTimeoutSeconds,
  withTimeLimit,
} from "../../base/mod.ts";
import {
  explainError,
  isExactVersion,
  isExpired,
  type KubeList,
  type KubeObject,
  receivedVersion,
  type ResourceDescriptor,
  retryAfterOf,
  StatusError,
  type Stored,
} from "../../types/mod.ts";
import {
  fieldSelector,
  type ListCallOptions,
  type ResourceCallOptions,
  type WatchCallOptions,
} from "../request/mod.ts";
import type { WatchStream } from "../watch/mod.ts";
import { IdleLimit } from "./idle_limit.ts";
import { nameOf, type WaitPredicate } from "./wait_predicate.ts";
import { WaitState } from "./wait_state.ts";

/** Options of `Client.waitFor`. */
export interface WaitForOptions extends Omit<ResourceCallOptions, "timeoutMs" | "maxRetries"> {
  /**
   * The longest wait, in milliseconds. When it is over, the promise rejects with a `TimeoutError` that says what was
   * waited for and what was missing in the last state. Default `Infinity`: no limit.
   */
  readonly timeoutMs?: number | undefined;
}

/** The functions that make the requests of a wait. They must not retry: the wait has its own backoff. */
export interface WaitRequests<T extends KubeObject> {
  readonly environment: Environment;
  readonly list: (options: ListCallOptions) => Promise<KubeList<Stored<T>>>;
  readonly watch: (options: WatchCallOptions) => Promise<WatchStream<Stored<T>>>;
}

/** The codes below 500 that say nothing about the next request: a time-out, a lost version, too many requests. */
const TEMPORARY: readonly number[] = [408, 410, 429];

/** How a watch ended, unless an object met the predicate: whether another watch can continue it. */
type WatchEnd<T extends KubeObject> =
  | { readonly kind: "met"; readonly object: Stored<T> | undefined }
  | { readonly kind: "ended" | "silent" | "list" };

/**
 * Waits until the predicate holds for the object of one name: lists it, watches it from there, and starts again after
 * every failure that another request may not have.
 *
 * @throws {TypeError} If the predicate is not a function.
 * @throws {DOMException} `TimeoutError`, after `timeoutMs`.
 * @throws {StatusError} If the server refuses the requests for good.
 * @throws {TerminalError} If the client is closed.
 * @throws The error of the predicate; `signal.reason`, if the signal aborts.
 */
export async function waitForObject<T extends KubeObject>(
  requests: WaitRequests<T>,
  target: { readonly resource: ResourceDescriptor; readonly name: string },
  predicate: WaitPredicate<T>,
  { namespace, signal, timeoutMs = Infinity }: WaitForOptions,
): Promise<Stored<T> | undefined> {
  if (typeof predicate !== "function") {
    throw new TypeError(
      'waitFor() needs a predicate, such as rolledOut or condition("Ready"): received ' +
        describeValue(predicate),
    );
  }
  const what = nameOf(target.resource.kind, target.name, namespace);
  const redact = redactOf(safeLogger(requests.environment.logger));
  const state = new WaitState(what, predicate, redact);
  const clock = requests.environment.clock ?? realClock;
  const wanted = { what, name: target.name, namespace };
  return await withTimeLimit(
    { clock, signal, limitMs: timeoutMs, late: () => state.timedOut(timeoutMs) },
    (signal) => new ObjectWait(requests, wanted, state, signal).run(),
  );
}

/** One wait: the loop of lists and watches. */
class ObjectWait<T extends KubeObject> {
  readonly #requests: WaitRequests<T>;
  readonly #what: string;
  readonly #name: string;
  readonly #scope: { readonly namespace: string | undefined; readonly fieldSelector: string };
  readonly #state: WaitState<T>;
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #backoff: ResettingBackoff;

  constructor(
    requests: WaitRequests<T>,
    { what, name, namespace }: {
      readonly what: string;
      readonly name: string;
      readonly namespace: string | undefined;
    },
    state: WaitState<T>,
    signal: AbortSignal,
  ) {
    const { clock = realClock, random = realRandom, logger } = requests.environment;
    this.#requests = requests;
    this.#what = what;
    this.#name = name;
    this.#scope = { namespace, fieldSelector: fieldSelector({ "metadata.name": name }) };
    this.#state = state;
    this.#signal = signal;
    this.#clock = clock;
    this.#random = forkRandom(random, `wait for ${what}`);
    this.#logger = safeLogger(logger);
    this.#backoff = watchBackoff({ clock, random: this.#random });
  }

  async run(): Promise<Stored<T> | undefined> {
    for (;;) {
      const list = await this.#attempt(() => this.#list());
      if (list === undefined) continue;
      const object = list.items.find(({ metadata }) => metadata?.name === this.#name);
      if (this.#state.isMet(object)) return object;
      const end = await this.#watchFrom(receivedVersion(list.metadata));
      if (end.kind === "met") return end.object;
    }
  }

  /** Watches, again after each clean end, until the object is to be listed again. */
  async #watchFrom(resourceVersion: string): Promise<WatchEnd<T>> {
    const position = { resourceVersion };
    for (let silentWatches = 0;;) {
      const startedAtMs = this.#clock.now();
      const idle = new IdleLimit(this.#clock, this.#signal);
      idle.start(WATCH_PACE.openMs);
      try {
        const stream = await this.#attempt(() =>
          this.#watch(position.resourceVersion, idle.signal)
        );
        if (stream === undefined) return { kind: "list" };
        const end = await this.#follow(stream, position, idle);
        if (end.kind === "met" || end.kind === "list") return end;
        silentWatches = end.kind === "silent" ? silentWatches + 1 : 0;
        if (silentWatches >= WATCH_PACE.maxSilent) return { kind: "list" };
      } finally {
        idle.stop();
      }
      if (this.#clock.now() - startedAtMs >= WATCH_PACE.shortMs) this.#backoff.restart();
      else await this.#pause();
      // Changes between the list and a watch without a version are lost.
      if (!isExactVersion(position.resourceVersion)) return { kind: "list" };
    }
  }

  /** Reads a watch to its end. */
  async #follow(
    stream: WatchStream<Stored<T>>,
    position: { resourceVersion: string },
    idle: IdleLimit,
  ): Promise<WatchEnd<T>> {
    const events = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        idle.start(WATCH_PACE.idleMs);
        let next: Awaited<ReturnType<typeof events.next>>;
        try {
          next = await events.next();
        } catch (error) {
          this.#signal.throwIfAborted();
          if (idle.isOver) return { kind: "silent" };
          // A connection that breaks is the end of a watch.
          if (!StatusError.is(error) && networkFailure(error) !== undefined) {
            this.#state.failed(error);
            return { kind: "ended" };
          }
          await this.#afterFailure(error);
          return { kind: "list" };
        }
        if (next.done) return { kind: "ended" };
        const { type, object } = next.value;
        // It makes progress, so that the next pause is short.
        this.#backoff.restart();
        position.resourceVersion = receivedVersion(object.metadata) || position.resourceVersion;
        if (type === "BOOKMARK" || object.metadata?.name !== this.#name) continue;
        const current = type === "DELETED" ? undefined : object as Stored<T>;
        if (this.#state.isMet(current)) return { kind: "met", object: current };
      }
    } finally {
      // A body that ignores its cancellation must not hold back the end of the wait.
      await abortable(stream.close(), this.#signal).catch(() => {});
    }
  }

  /** Makes a request. After a failure that may pass, waits and returns undefined. */
  async #attempt<R>(request: () => Promise<R>): Promise<R | undefined> {
    this.#signal.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      this.#signal.throwIfAborted();
      await this.#afterFailure(error);
      return undefined;
    }
  }

  /**
   * Waits after a failure.
   *
   * @throws The error itself, if another request would fail too.
   */
  async #afterFailure(error: unknown): Promise<void> {
    if (isFinal(error)) throw error;
    this.#state.failed(error);
    const line = `Waiting for ${this.#what}: ${explainError(error)}; trying again`;
    // Servers expire versions all the time.
    if (isExpired(error)) this.#logger.info(line);
    else this.#logger.warn(line);
    await this.#pause(retryAfterOf(error));
  }

  #pause(leastMs = 0): Promise<void> {
    const delayMs = Math.max(this.#backoff.step(), leastMs);
    return delay(delayMs, { clock: this.#clock, signal: this.#signal });
  }

  #list(): Promise<KubeList<Stored<T>>> {
    return this.#requests.list({
      ...this.#scope,
      maxRetries: 0,
      timeoutMs: WATCH_PACE.openMs,
      signal: this.#signal,
    });
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<WatchStream<Stored<T>>> {
    const opening = this.#requests.watch({
      ...this.#scope,
      ...(resourceVersion === "" ? {} : { resourceVersion }),
      timeoutSeconds: watchTimeoutSeconds(this.#random),
      allowWatchBookmarks: true,
      maxRetries: 0,
      signal,
    });
    // A fetch that does not know the signal may answer after the time limit.
    opening.then((stream) => signal.aborted ? stream.close() : undefined, () => {});
    return await abortable(opening, signal);
  }
}

/** Reports whether another request would fail too: the client is closed, or the server refuses the request for good. */
function isFinal(error: unknown): boolean {
  if (!StatusError.is(error)) return TerminalError.is(error);
  return error.code >= 400 && error.code < 500 && !TEMPORARY.includes(error.code);
}
