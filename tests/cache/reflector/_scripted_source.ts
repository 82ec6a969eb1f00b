/** A lister-watcher that answers from a script and records the requests. */

import type {
  KubeList,
  ListerWatcher,
  ListerWatcherCall,
  ListOptions,
  Pod,
  WatchEvent,
  WatchLine,
} from "../../../src/types/mod.ts";
import type { VirtualClock } from "../../../src/testing/mod.ts";

/** Creates a Pod with a resource version. */
export function pod(name: string, resourceVersion: string, extra: Partial<Pod> = {}): Pod {
  return { metadata: { namespace: "x", name, resourceVersion }, ...extra } as Pod;
}

/** Creates a list of Pods. */
export function listOf(resourceVersion: string, ...items: Pod[]): KubeList<Pod> {
  return { metadata: { resourceVersion }, items };
}

export const added = (object: Pod): WatchEvent<Pod> => ({ type: "ADDED", object });
export const modified = (object: Pod): WatchEvent<Pod> => ({ type: "MODIFIED", object });
export const deleted = (object: Pod): WatchEvent<Pod> => ({ type: "DELETED", object });
export const bookmark = (resourceVersion: string): WatchEvent<Pod> => ({
  type: "BOOKMARK",
  object: { metadata: { resourceVersion } },
});
export const initialEventsEnd = (resourceVersion: string, value = "true"): WatchEvent<Pod> => ({
  type: "BOOKMARK",
  object: {
    metadata: { resourceVersion, annotations: { "k8s.io/initial-events-end": value } },
  },
});
/** Creates an ERROR event, as yielded by a lister-watcher that passes the server's lines on unchanged. */
export const errorEvent = (
  code: number,
  reason: string,
  message: string = reason,
): WatchEvent<Pod> => {
  const line: WatchLine<Pod> = { type: "ERROR", object: { code, reason, message } };
  return line as unknown as WatchEvent<Pod>;
};

/** A watch whose events the test sends. It stays open until the test ends it. */
export class Stream implements AsyncIterableIterator<WatchEvent<Pod>> {
  /** The number of calls of `return()`. */
  returns = 0;
  /** Whether the stream ignores `return()`. */
  isDeaf = false;
  #queue: (() => Promise<IteratorResult<WatchEvent<Pod>>>)[] = [];
  #wake: (() => void) | undefined;
  #stopped = false;

  send(...events: WatchEvent<Pod>[]): this {
    for (const value of events) this.#put(() => Promise.resolve({ done: false, value }));
    return this;
  }

  end(): this {
    return this.#put(() => Promise.resolve({ done: true, value: undefined }));
  }

  fail(error: unknown): this {
    return this.#put(() => Promise.reject(error));
  }

  async next(): Promise<IteratorResult<WatchEvent<Pod>>> {
    while (true) {
      if (this.#stopped) return { done: true, value: undefined };
      const step = this.#queue.shift();
      if (step !== undefined) return await step();
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  async return(): Promise<IteratorResult<WatchEvent<Pod>>> {
    this.returns++;
    if (this.isDeaf) await new Promise(() => {});
    this.#stopped = true;
    this.#wake?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #put(step: () => Promise<IteratorResult<WatchEvent<Pod>>>): this {
    this.#queue.push(step);
    this.#wake?.();
    return this;
  }
}

type ListAnswer = (
  options: ListOptions,
  call: ListerWatcherCall,
) => KubeList<Pod> | Promise<KubeList<Pod>>;
type WatchAnswer = (options: ListOptions) => AsyncIterable<WatchEvent<Pod>> | Promise<Stream>;

/** A recorded request and its time. */
export interface Asked {
  readonly verb: "list" | "watch";
  readonly options: ListOptions;
  readonly atMs: number;
}

/**
 * Answers requests from scripts: each request takes the next entry of `lists` or `watches`, and the last entry answers
 * all further requests. Without a script, a list is empty and a watch stays open.
 */
export class ScriptedSource implements ListerWatcher<Pod> {
  isWatchListSemanticsUnsupported = true;
  readonly asked: Asked[] = [];
  lists: ListAnswer[] = [];
  watches: WatchAnswer[] = [];
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  async list(options: ListOptions, call: ListerWatcherCall): Promise<KubeList<Pod>> {
    this.#ask("list", options);
    const answer = this.lists.length > 1 ? this.lists.shift() : this.lists[0];
    return await answer?.(options, call) ?? listOf("10");
  }

  async watch(options: ListOptions): Promise<AsyncIterable<WatchEvent<Pod>>> {
    this.#ask("watch", options);
    const answer = this.watches.length > 1 ? this.watches.shift() : this.watches[0];
    return await answer?.(options) ?? new Stream();
  }

  /** The verbs and resource versions of the requests in order, as in `list 0`. */
  get log(): string[] {
    return this.asked.map(({ verb, options }) => `${verb} ${options.resourceVersion}`);
  }

  /** The times of the requests, in milliseconds. */
  get times(): number[] {
    return this.asked.map(({ atMs }) => atMs);
  }

  #ask(verb: "list" | "watch", options: ListOptions): void {
    this.asked.push({ verb, options: { ...options }, atMs: this.#clock.now() });
  }
}

/** Returns a function that throws `error`. */
export function failing(error: unknown): () => never {
  return () => {
    throw error;
  };
}
