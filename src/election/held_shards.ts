/** Callbacks for changes of the shards of a member. */
export interface ShardEvents {
  acquired(shard: number): void;
  /** No new work may begin in the shard. The owner calls `ShardingCore.drained` when the running work has ended. */
  drain(shard: number): void;
  lost(shard: number, reason: string): void;
}

/** The state of a held shard: new work may begin, running work may end, or no work runs. */
export type Ownership = "owned" | "draining" | "drained";

/** The shards of a member and their states. */
export class HeldShards {
  readonly #events: ShardEvents;
  readonly #shards = new Map<number, Ownership>();

  constructor(events: ShardEvents) {
    this.#events = events;
  }

  /** All held shards, including draining and drained ones. */
  get all(): ReadonlyMap<number, Ownership> {
    return this.#shards;
  }

  /** The shards in which new work may begin. */
  get owned(): number[] {
    return [...this.#shards].filter(([, ownership]) => ownership === "owned").map(([shard]) =>
      shard
    );
  }

  /** The number of shards in which work may run. */
  get running(): number {
    let count = 0;
    for (const ownership of this.#shards.values()) if (ownership !== "drained") count++;
    return count;
  }

  /** Adds shards. */
  acquire(shards: readonly number[]): void {
    for (const shard of shards) {
      this.#shards.set(shard, "owned");
      this.#events.acquired(shard);
    }
  }

  /** Begins to drain the given shards, if they are owned. */
  drain(shards: readonly number[]): void {
    for (const shard of shards) {
      if (this.#shards.get(shard) !== "owned") continue;
      this.#shards.set(shard, "draining");
      this.#events.drain(shard);
    }
  }

  /** Records that no work of the shard runs any more. Returns false if the shard was not draining. */
  drained(shard: number): boolean {
    if (this.#shards.get(shard) !== "draining") return false;
    this.#shards.set(shard, "drained");
    return true;
  }

  /** Removes a drained shard, which another member may take now. */
  release(shard: number): void {
    if (this.#shards.get(shard) === "drained") this.#shards.delete(shard);
  }

  /** Loses all shards except the kept ones. */
  retain(isKept: (shard: number) => boolean, reason: string): void {
    for (const [shard, ownership] of [...this.#shards]) {
      if (isKept(shard)) continue;
      this.#shards.delete(shard);
      if (ownership !== "drained") this.#events.lost(shard, reason);
    }
  }

  /** Loses all shards. All are removed before the first callback is called. */
  loseAll(reason: string): void {
    const lost = [...this.#shards];
    this.#shards.clear();
    for (const [shard, ownership] of lost) {
      if (ownership !== "drained") this.#events.lost(shard, reason);
    }
  }
}
