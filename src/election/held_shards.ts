/** What happens to the shards of a member. */
export interface ShardEvents {
  acquired(shard: number): void;
  /** Nothing new may begin; call `ShardingCore.drained` when what runs has ended. */
  drain(shard: number): void;
  lost(shard: number, reason: string): void;
}

/** How a member has a shard: something new may begin, what runs may end, or nothing runs. */
export type Ownership = "owned" | "draining" | "drained";

/** The shards of a member, and the events about them. It does not know what the table says, or the time. */
export class HeldShards {
  readonly #events: ShardEvents;
  readonly #shards = new Map<number, Ownership>();

  constructor(events: ShardEvents) {
    this.#events = events;
  }

  /** The shards, with those that are being drained. */
  get all(): ReadonlyMap<number, Ownership> {
    return this.#shards;
  }

  /** The shards in which something new may begin. */
  get owned(): number[] {
    return [...this.#shards].filter(([, ownership]) => ownership === "owned").map(([shard]) =>
      shard
    );
  }

  /** The number of shards in which something may run. */
  get running(): number {
    let count = 0;
    for (const ownership of this.#shards.values()) if (ownership !== "drained") count++;
    return count;
  }

  /** Takes shards that the member does not have. */
  acquire(shards: readonly number[]): void {
    for (const shard of shards) {
      this.#shards.set(shard, "owned");
      this.#events.acquired(shard);
    }
  }

  /** Begins to drain those of the shards that are owned. */
  drain(shards: readonly number[]): void {
    for (const shard of shards) {
      if (this.#shards.get(shard) !== "owned") continue;
      this.#shards.set(shard, "draining");
      this.#events.drain(shard);
    }
  }

  /** Takes that nothing of the shard runs any more. Returns false if it was not being drained. */
  drained(shard: number): boolean {
    if (this.#shards.get(shard) !== "draining") return false;
    this.#shards.set(shard, "drained");
    return true;
  }

  /** Forgets a shard that somebody else may take, if it is drained. */
  release(shard: number): void {
    if (this.#shards.get(shard) === "drained") this.#shards.delete(shard);
  }

  /** Loses the shards that are not the member's any more. */
  keep(isKept: (shard: number) => boolean, reason: string): void {
    for (const [shard, ownership] of [...this.#shards]) {
      if (isKept(shard)) continue;
      this.#shards.delete(shard);
      if (ownership !== "drained") this.#events.lost(shard, reason);
    }
  }

  /** Loses all shards: none is held any more when the first event comes. */
  loseAll(reason: string): void {
    const lost = [...this.#shards];
    this.#shards.clear();
    for (const [shard, ownership] of lost) {
      if (ownership !== "drained") this.#events.lost(shard, reason);
    }
  }
}
