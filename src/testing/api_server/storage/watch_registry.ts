import type { ResourceStore } from "./resource_store.ts";
import type { WatchStream } from "./watch_stream.ts";

/** Which open watches to end. */
export type WatchPredicate = (resource: string) => boolean;

/** The open watches of the whole server. */
export class WatchRegistry {
  readonly #open = new Map<WatchStream, string>();

  /** How many watches are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Lets `stream` see the writes to `store`; the returned function ends that. */
  add(resource: string, store: ResourceStore, stream: WatchStream): () => void {
    this.#open.set(stream, resource);
    const unsubscribe = store.subscribe(stream);
    return () => {
      unsubscribe();
      this.#open.delete(stream);
    };
  }

  /** Ends the watches of the resources that `which` picks. */
  end(why: "closed" | "broken", which: WatchPredicate = () => true): void {
    for (const [stream, resource] of [...this.#open]) {
      if (which(resource)) stream.end(why);
    }
  }
}
