import { RingBuffer } from "@kubeloop/controller/internal/base";
import type { ResourceInfo } from "../kinds/mod.ts";
import type { LiveEntry, LogEntry, StoredObject, StoreObserver } from "../storage/mod.ts";
import type { ObjectConverter } from "../webhooks/mod.ts";

/** The options of a {@linkcode WatchConversion}. */
export interface WatchConversionOptions {
  readonly resource: ResourceInfo;
  readonly converter: ObjectConverter;
  /** Gets the writes whose objects can be read, in their order. */
  readonly next: StoreObserver;
  /** The number of writes that may wait before the watch is dropped, as that of a slow client. */
  readonly limit: number;
  /** Called when more writes wait. */
  readonly onOverflow: () => void;
  /** Called with the failure of a webhook, after which nothing more is passed on. */
  readonly onFailure: (error: unknown) => void;
}

/** Stands before a watch of a version that a webhook converts: keeps each write back until its objects are converted. */
export class WatchConversion implements StoreObserver {
  readonly #options: WatchConversionOptions;
  readonly #queue = new RingBuffer<LiveEntry>();
  #isRunning = false;
  #isClosed = false;

  /** Creates the stage before one watch. */
  constructor(options: WatchConversionOptions) {
    this.#options = options;
  }

  /** Passes a write on, or keeps it back. */
  onEntry(entry: LiveEntry): void {
    if (this.#isClosed) return;
    this.#queue.push(entry);
    if (this.#queue.length > this.#options.limit) {
      this.close();
      this.#options.onOverflow();
    } else if (!this.#isRunning) this.#run();
  }

  /** Returns the newest revision that a bookmark may have, given the revision of the store. */
  progress(observed: number): number {
    const next = this.#queue.peek();
    return next === undefined ? observed : Math.min(observed, next.revision - 1);
  }

  /** Drops what is kept back, because the watch has ended. */
  close(): void {
    this.#isClosed = true;
    this.#queue.clear();
  }

  async #run(): Promise<void> {
    const { resource, converter, next } = this.#options;
    this.#isRunning = true;
    try {
      for (let entry = this.#queue.peek(); entry !== undefined; entry = this.#queue.peek()) {
        const prepared = converter.prepare(resource, objectsOf(entry));
        if (prepared !== undefined) await prepared;
        if (this.#isClosed) return;
        this.#queue.shift();
        next.onEntry(entry);
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.close();
      this.#options.onFailure(error);
    } finally {
      this.#isRunning = false;
    }
  }
}

/** Returns the objects that a watch may read for a write. */
export function objectsOf({ object, previous }: LogEntry): StoredObject[] {
  return previous === undefined ? [object] : [object, previous];
}
