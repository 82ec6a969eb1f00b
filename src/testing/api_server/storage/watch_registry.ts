import type { ResourceStore, StoreObserver } from "./resource_store.ts";
import type { RequestAuthor } from "./event_log.ts";
import type { WatchStream } from "./watch_stream.ts";

/** A predicate that selects open watches by the full name of their resource (`deployments.apps`). */
export type WatchPredicate = (resource: string) => boolean;

/** The pending lines or held events of one watch. */
export interface Backlog {
  /** The bytes that wait. */
  readonly backlogBytes: number;
  /** Ends the watch and drops what waits. */
  drop(): void;
}

/** An open watch. */
export interface OpenWatch {
  /** The full name of the resource, as in `deployments.apps`. */
  readonly resource: string;
  /** The watched namespace; empty for all. */
  readonly namespace: string;
  /** The sender of the request. */
  readonly author: RequestAuthor;
  /** The stream, with its progress. */
  readonly progress: WatchProgress;
}

/** The progress of a watch. */
export interface WatchProgress {
  /** The number of writes that the watch has sent, or holds for its reader. */
  readonly sent: number;
  /** The number of lines that wait for the reader. */
  readonly backlog: number;
}

/** The open watches of the whole server, over all resources. */
export class WatchRegistry {
  readonly #open = new Map<WatchStream, OpenWatch>();
  /** Where something waits. Some of the watches may have ended. */
  readonly #waiting = new Set<Backlog>();
  readonly #backlogBytesLimit: number;
  #backlogBytes = 0;

  /** Creates an empty registry. `backlogBytesLimit` bounds the bytes that wait for the readers of all watches together. */
  constructor(backlogBytesLimit: number) {
    this.#backlogBytesLimit = backlogBytesLimit;
  }

  /** The number of open watches. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Registers `stream` as a watch of the resource of `store`, and subscribes `observer`, which passes the writes to `store` to it. The returned function
   * undoes both.
   */
  add(
    { author, namespace, observer, store, stream }: {
      readonly author: RequestAuthor;
      readonly namespace: string;
      readonly store: ResourceStore;
      readonly stream: WatchStream;
      readonly observer: StoreObserver;
    },
  ): () => void {
    const { resource } = store;
    this.#open.set(stream, { resource, namespace, author, progress: stream });
    const unsubscribe = store.subscribe(observer);
    return () => {
      unsubscribe();
      this.#open.delete(stream);
    };
  }

  /** Returns the open watches, the oldest first. */
  list(): OpenWatch[] {
    return [...this.#open.values()];
  }

  /** Counts bytes that wait for the reader of a watch, and drops the watches that are furthest behind if needed. */
  readonly onBacklog = (backlog: Backlog, bytes: number): void => {
    this.#backlogBytes += bytes;
    if (backlog.backlogBytes > 0) this.#waiting.add(backlog);
    else this.#waiting.delete(backlog);
    while (bytes > 0 && this.#backlogBytes > this.#backlogBytesLimit) {
      const [first, ...rest] = this.#waiting;
      if (first === undefined) return;
      rest.reduce((a, b) => b.backlogBytes > a.backlogBytes ? b : a, first).drop();
    }
  };

  /** Returns a function that ends the watches of a resource that are open now, and no later ones. */
  endLater(resource: string): () => void {
    const open = [...this.#open].filter(([, watch]) => watch.resource === resource).map((
      [stream],
    ) => stream);
    return () => open.forEach((stream) => stream.end("closed"));
  }

  /** Ends the watches whose resource matches `which`; by default all of them. */
  end(why: "closed" | "broken", which: WatchPredicate = () => true): void {
    for (const [stream, { resource }] of [...this.#open]) {
      if (which(resource)) stream.end(why);
    }
  }
}
