import type { ResourceStore, StoreObserver } from "./resource_store.ts";
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

/** The open watches of the whole server, over all resources. */
export class WatchRegistry {
  readonly #open = new Map<WatchStream, string>();
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
   * Registers `stream`, and subscribes `observer`, which passes the writes to `store` to it. The returned function
   * undoes both.
   */
  add(
    resource: string,
    { store, stream, observer }: {
      readonly store: ResourceStore;
      readonly stream: WatchStream;
      readonly observer: StoreObserver;
    },
  ): () => void {
    this.#open.set(stream, resource);
    const unsubscribe = store.subscribe(observer);
    return () => {
      unsubscribe();
      this.#open.delete(stream);
    };
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
    const open = [...this.#open].filter(([, of]) => of === resource).map(([stream]) => stream);
    return () => open.forEach((stream) => stream.end("closed"));
  }

  /** Ends the watches whose resource matches `which`; by default all of them. */
  end(why: "closed" | "broken", which: WatchPredicate = () => true): void {
    for (const [stream, resource] of [...this.#open]) {
      if (which(resource)) stream.end(why);
    }
  }
}
