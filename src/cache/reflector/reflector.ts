import { describeError, LinkedAbort } from "../../base/mod.ts";
import type { KubeObject, ListerWatcher } from "../../types/mod.ts";
import { listIntoStore } from "./plain_list.ts";
import { ReflectorContext } from "./reflector_context.ts";
import { streamIntoStore } from "./streaming_list.ts";
import { logWatchError } from "./watch_error.ts";
import { watchWithResync } from "./watch_loop.ts";
import type { WatchSession } from "./watch_session.ts";

import type { ObservedReflector, ReflectorOptions } from "./reflector_options.ts";
import type { ReflectorSnapshot } from "./reflector_snapshot.ts";
import type { ReflectorStore } from "./reflector_store.ts";

/**
 * Keeps a store equal to what a server has: lists, then watches, and begins again whenever that breaks, for as long as it
 * runs. It never gives up and never stops by itself.
 *
 * The rules are client-go's (`tools/cache/reflector.go`), with these differences:
 * - A streaming list that ends before its bookmark is retried with backoff, and replaced by a plain list the fourth time;
 *   one that brings nothing for 10 s is replaced for good.
 * - A watch that is silent for 65 s, or outlives its timeout by 5 s, is dropped and resumed without a list.
 * - A connection that breaks in mid-watch is a closed watch. A line that cannot be decoded is an internal error.
 * - Watches that bring an event and are over within a second are reopened at once three times, then after a pause of one
 *   to two seconds. That pause does not grow, since these watches make progress.
 * - Whatever a server does, no more than ten requests are begun within ten seconds, further pages of a list apart.
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
  #streamingLists: boolean;
  #running = false;

  /**
   * A reflector that does nothing until it is run.
   *
   * @param listerWatcher Where the objects come from.
   * @param store Where they go.
   * @param options How.
   */
  constructor(
    listerWatcher: ListerWatcher<T>,
    store: ReflectorStore<T>,
    options: ReflectorOptions = {},
  ) {
    this.#context = new ReflectorContext(listerWatcher, store, {
      options,
      report: (error) => this.#report(error),
    });
    this.#streamingLists = (options.useWatchList ?? true) &&
      listerWatcher.isWatchListSemanticsUnsupported !== true;
  }

  /** What log lines and metrics call it. */
  get name(): string {
    return this.#context.name;
  }

  /**
   * The version of the last list, event or bookmark.
   *
   * @returns The version; empty before the first list.
   */
  lastSyncResourceVersion(): string {
    return this.#context.position.resourceVersion;
  }

  /**
   * What it is doing and how it has fared.
   *
   * @returns A copy of its state.
   */
  snapshot(): ReflectorSnapshot {
    return this.#context.status.snapshot(this.name, this.lastSyncResourceVersion());
  }

  /**
   * Lists and watches until the signal aborts. Resolves once everything it started has stopped: from then on there is no
   * request, no store change and no timer.
   *
   * @param call Its `signal` is the only way to stop.
   * @throws {Error} When it is running already.
   */
  async run(call: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#running) throw new Error(`Cannot run the reflector of ${this.name}: it is running`);
    this.#running = true;
    const link = new LinkedAbort(call.signal);
    const { signal } = link;
    while (!signal.aborted) {
      let failure: unknown;
      try {
        await this.#listAndWatch(signal);
      } catch (error) {
        failure = error;
        if (!signal.aborted) this.#context.report(error);
      }
      await this.#context.backOff(signal, failure);
    }
    link.release();
    this.#context.status.phase = "stopped";
    this.#running = false;
  }

  /**
   * Lists and watches once: until the signal aborts or the objects have to be listed anew. Most callers want
   * {@linkcode Reflector.run}, which does this again and again.
   *
   * @param call Its `signal` stops it, which is no error.
   * @throws What the list, or the opening of the watch, failed with.
   */
  async listAndWatch(call: { readonly signal?: AbortSignal } = {}): Promise<void> {
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

  async #listAndWatch(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    let session: WatchSession<T> | undefined;
    if (this.#streamingLists) {
      const result = await streamIntoStore(this.#context, signal);
      session = result.session;
      // A server that ignores what it does not know will go on doing so, and each try costs half a minute.
      if (result.session === undefined && result.forGood) this.#streamingLists = false;
    }
    if (session === undefined) await listIntoStore(this.#context, signal);
    await watchWithResync(this.#context, session, signal);
  }

  #report(error: unknown): void {
    const { logger, options } = this.#context;
    try {
      (options.watchErrorHandler ?? logWatchError(logger))(this, error);
    } catch (thrown) {
      logger.error(`${this.name}: the watchErrorHandler threw: ${describeError(thrown)}`);
    }
  }
}
