import type { ResourceStore } from "./resource_store.ts";
import type { WatchStream } from "./watch_stream.ts";

/** A predicate that selects open watches by the full name of their resource (`deployments.apps`). */
export type WatchPredicate = (resource: string) => boolean;

/** The open watches of the whole server, over all resources. */
export class WatchRegistry {
  readonly #open = new Map<WatchStream, string>();
  /** The watches with lines that wait for their readers. Some of them may have ended. */
  readonly #waiting = new Set<WatchStream>();
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

  /** Registers `stream` and subscribes it to the writes to `store`. The returned function undoes both. */
  add(resource: string, store: ResourceStore, stream: WatchStream): () => void {
    this.#open.set(stream, resource);
    const unsubscribe = store.subscribe(stream);
    return () => {
      unsubscribe();
      this.#open.delete(stream);
    };
  }

  /** Counts bytes that wait for the reader of a watch, and drops the watches that are furthest behind if needed. */
  readonly onBacklog = (stream: WatchStream, bytes: number): void => {
    this.#backlogBytes += bytes;
    if (stream.backlogBytes > 0) this.#waiting.add(stream);
    else this.#waiting.delete(stream);
    while (bytes > 0 && this.#backlogBytes > this.#backlogBytesLimit) {
      const [first, ...rest] = this.#waiting;
      if (first === undefined) return;
      rest.reduce((a, b) => b.backlogBytes > a.backlogBytes ? b : a, first).drop();
    }
  };

  /** Ends the watches whose resource matches `which`; by default all of them. */
  end(why: "closed" | "broken", which: WatchPredicate = () => true): void {
    for (const [stream, resource] of [...this.#open]) {
      if (which(resource)) stream.end(why);
    }
  }
}
