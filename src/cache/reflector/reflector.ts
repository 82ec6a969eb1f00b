import { describeError, LinkedAbort, redactOf, TerminalError } from "../../base/mod.ts";
import type { KubeObject, ListerWatcher } from "../../types/mod.ts";
import { listIntoStore } from "./plain_list.ts";
import { ReflectorContext } from "./reflector_context.ts";
import { streamIntoStore } from "./streaming_list.ts";
import { watchWithResync } from "./watch_loop.ts";
import type { WatchSession } from "./watch_session.ts";
import type { ObservedReflector, ReflectorOptions } from "./reflector_options.ts";
import type { ReflectorSnapshot } from "./reflector_status.ts";
import type { ReflectorStore } from "./reflector_store.ts";

/**
 * The time without streaming lists after a silent one, in milliseconds, doubled with each further silent one in a row. A
 * server that ignores `sendInitialEvents` keeps ignoring it, and each attempt costs the whole `watchListTimeoutMs`.
 */
const FIRST_PAUSE_MS = 600_000;
const MAX_PAUSE_MS = 86_400_000;

/**
 * Keeps a store equal to the objects of a server: lists, then watches, and starts again after every failure. It never
 * gives up, unless a request fails with a `TerminalError`, as the requests of a closed client do.
 *
 * The rules are client-go's (`tools/cache/reflector.go`), with these differences:
 * - A streaming list (WatchList) that ends before its bookmark is retried with backoff; the fourth time, a plain list
 *   replaces it. If a streaming list sends nothing for 10 s, or is not complete after two minutes, the reflector uses
 *   plain lists for the next ten minutes, and twice as long with each further such list in a row, up to a day.
 * - A watch that receives nothing for 65 s, or is still open 5 s after its timeout, is dropped and resumed without a
 *   list.
 * - A connection that breaks during a watch counts as a closed watch. A line that cannot be decoded counts as an
 *   internal error of the server.
 * - A watch that delivers an event and ends within a second is reopened at once, three times in a row. After that there
 *   is a pause of one to two seconds. The pause does not grow, since these watches make progress.
 * - The reflector starts at most ten requests within ten seconds, whatever the server does. Further pages of a list are
 *   not limited.
 * - A page of a list and the opening of a watch have a time limit.
 * - Items without a name are skipped, not stored under an empty key.
 *
 * @typeParam T The interface of the objects.
 *
 * @example
 * ```ts
 * import { metaNamespaceKeyFunc, newStore, Reflector } from "@kubeloop/controller/cache";
 * import { FakeControllerSource, VirtualClock } from "@kubeloop/testing";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * const stop = new AbortController();
 * const source = new FakeControllerSource<Pod>();
 * const store = newStore<Pod>(metaNamespaceKeyFunc);
 * const reflector = new Reflector(source, store, { clock });
 *
 * source.add({ metadata: { namespace: "default", name: "a" } });
 * const running = reflector.run({ signal: stop.signal });
 * await clock.advance(10);
 * source.add({ metadata: { namespace: "default", name: "b" } });
 * await clock.advance(10);
 * assertEquals(store.listKeys(), ["default/a", "default/b"]);
 * assertEquals(reflector.lastSyncResourceVersion(), "2");
 *
 * stop.abort();
 * await clock.run(running);
 * ```
 */
export class Reflector<T extends KubeObject = KubeObject> implements ObservedReflector {
  readonly #context: ReflectorContext<T>;
  readonly #wantsStreams: boolean;
  /** The number of streaming lists in a row that were silent. */
  #silentStreams = 0;
  /** The time from which a streaming list may be requested. */
  #streamsAtMs = -Infinity;
  #running = false;

  /**
   * Creates a reflector, which does nothing until it is run.
   *
   * @param listerWatcher Lists and watches the objects.
   * @param store Receives the objects.
   * @param options Options.
   * @throws {RangeError} If a number in the options is out of range.
   */
  constructor(
    listerWatcher: ListerWatcher<T>,
    store: ReflectorStore<T>,
    options: ReflectorOptions = {},
  ) {
    this.#context = new ReflectorContext(listerWatcher, store, options, this);
    this.#wantsStreams = (options.useWatchList ?? true) &&
      listerWatcher.isWatchListSemanticsUnsupported !== true;
  }

  /** The name of the reflector in log lines and metrics. */
  get name(): string {
    return this.#context.name;
  }

  /**
   * Returns the resource version of the last list, event or bookmark.
   *
   * @returns The resource version; empty before the first list.
   */
  lastSyncResourceVersion(): string {
    return this.#context.position.resourceVersion;
  }

  /**
   * Returns the phase, the counters and the last error of the reflector.
   *
   * @returns A copy of the state.
   */
  snapshot(): ReflectorSnapshot {
    const { status, logger } = this.#context;
    return status.snapshot(this.name, redactOf(logger)(this.lastSyncResourceVersion()));
  }

  /**
   * Lists and watches until the signal aborts. Resolves once everything has stopped: the reflector then makes no
   * further request, does not change the store any more and has no timer. It can be run again afterwards. A second call
   * while it is running logs a warning and returns at once.
   *
   * @param call The `signal` stops the reflector.
   * @throws {TerminalError} If a request fails with a `TerminalError`.
   */
  async run(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#running) {
      this.#context.logger.warn(
        `${this.name}: the reflector is already running and cannot be run twice`,
      );
      return;
    }
    this.#running = true;
    const link = new LinkedAbort(call.signal);
    try {
      await this.#runUntilStopped(link.signal);
    } finally {
      link.release();
      this.#context.status.phase = "stopped";
      this.#running = false;
    }
  }

  /**
   * Lists and watches once, until the signal aborts or the objects must be listed again. Most callers want
   * {@linkcode Reflector.run}, which repeats this.
   *
   * @param call The `signal` stops the call, without an error.
   * @throws The error with which the list, or the opening of the watch, failed.
   */
  async listAndWatch(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const link = new LinkedAbort(call.signal);
    try {
      await this.#listAndWatch(link.signal);
    } catch (error) {
      if (!link.signal.aborted) throw error;
    } finally {
      link.release();
      this.#context.status.phase = "idle";
    }
  }

  async #runUntilStopped(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let failure: unknown;
      try {
        await this.#listAndWatch(signal);
      } catch (error) {
        if (signal.aborted) return;
        // Not reported: the owner of the reflector logs it, once.
        if (TerminalError.is(error)) {
          throw new TerminalError(describeError(error), { cause: error });
        }
        failure = error;
        this.#context.report(error);
      }
      await this.#context.backOff(signal, failure);
    }
  }

  async #listAndWatch(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { clock } = this.#context;
    let session: WatchSession<T> | undefined;
    if (this.#wantsStreams && clock.now() >= this.#streamsAtMs) {
      const result = await streamIntoStore(this.#context, signal);
      session = result.session;
      if (result.wasSilent) {
        this.#streamsAtMs = clock.now() +
          Math.min(FIRST_PAUSE_MS * 2 ** this.#silentStreams++, MAX_PAUSE_MS);
      } else this.#silentStreams = 0;
    }
    if (session === undefined) await listIntoStore(this.#context, signal);
    await watchWithResync(this.#context, session, signal);
  }
}
