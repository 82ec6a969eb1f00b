import type { StoryRecord } from "./story_recorder.ts";

/**
 * The last stories of keys that fail, which a flood of other stories, such as a hot loop, would otherwise displace before a
 * person reads them. A key is forgotten when a reconcile of it ends otherwise.
 */
export class KeptFailures {
  readonly #maxBytes: number;
  /** The last story of each key whose last story is a failure. */
  readonly #last = new Map<string, StoryRecord>();
  /** The stories that are kept here, the oldest first. */
  readonly #kept = new Map<string, StoryRecord>();
  #bytes = 0;

  /** @param maxBytes The approximate maximum memory of the kept stories, in bytes. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The number of kept stories. */
  get size(): number {
    return this.#kept.size;
  }

  [Symbol.iterator](): Iterator<StoryRecord> {
    return this.#kept.values();
  }

  /** Notes a story that has ended. Returns the kept story of the same key, which is dropped. */
  ended(record: StoryRecord): StoryRecord | undefined {
    if (this.#last.size === 0 && !record.isFailed) return undefined;
    const id = idOf(record);
    if (record.isFailed) this.#last.set(id, record);
    else this.#last.delete(id);
    return this.#remove(id);
  }

  /** Keeps a story if it is the last one of a key that fails. Returns the stories that are dropped. */
  displaced(record: StoryRecord): StoryRecord[] {
    const id = idOf(record);
    if (this.#last.get(id) !== record) return [record];
    this.#kept.set(id, record);
    this.#bytes += record.size;
    const dropped: StoryRecord[] = [];
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#last.delete(oldest);
      dropped.push(this.#remove(oldest)!);
    }
    return dropped;
  }

  #remove(id: string): StoryRecord | undefined {
    const record = this.#kept.get(id);
    if (record === undefined) return undefined;
    this.#kept.delete(id);
    this.#bytes -= record.size;
    return record;
  }
}

function idOf({ controller, key }: StoryRecord): string {
  return `${controller} ${key}`;
}
