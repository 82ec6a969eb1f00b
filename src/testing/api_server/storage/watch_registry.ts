import type { ResourceStore } from "./resource_store.ts";
import type { WatchStream } from "./watch_stream.ts";

/** A predicate that selects open watches by the full name of their resource (`deployments.apps`). */
export type WatchPredicate = (resource: string) => boolean;

/** The open watches of the whole server, over all resources. */
export class WatchRegistry {
  readonly #open = new Map<WatchStream, string>();

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

  /** Ends the watches whose resource matches `which`; by default all of them. */
  end(why: "closed" | "broken", which: WatchPredicate = () => true): void {
    for (const [stream, resource] of [...this.#open]) {
      if (which(resource)) stream.end(why);
    }
  }
}
