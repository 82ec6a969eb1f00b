import { type Clock, requireSync, type Timer } from "@kubeloop/controller/internal/base";
import type { CacheView } from "./cache_view.ts";
import type { Block, HeldEvent } from "./held_event.ts";
import type { LagReader } from "./lag_reader.ts";
import { always, type LagRule } from "./lag_rule.ts";
import type { Lags } from "./lags.ts";
import type { HoldOptions, Lag } from "./lag_types.ts";
import { Replica } from "./replica.ts";
import type { WatchGate } from "./watch_gate.ts";

/** A cache that stands still. */
interface Hold {
  readonly replica: Replica;
  readonly block: Block;
  readonly timer: Timer | undefined;
}

/** A hold of the watch cache of whole resources: of their watches, across reconnects, and of the reads from the cache. */
export class HoldResourceRule implements LagRule, Lag {
  hits = 0;
  readonly #lags: Lags;
  readonly #clock: Clock;
  readonly #options: HoldOptions;
  /** The caches that stand still, by resource. */
  readonly #holds = new Map<string, Hold>();
  #left: number;
  /** A predicate may end the lag that asks it. */
  #isOver = false;

  /** Creates a hold that has not begun for any resource. */
  constructor(lags: Lags, clock: Clock, options: HoldOptions) {
    this.#lags = lags;
    this.#clock = clock;
    this.#options = options;
    this.#left = options.times ?? Infinity;
  }

  /** Begins the hold with an event that matches, and keeps back the events of the resource during the hold. */
  onEvent(gate: WatchGate, held: HeldEvent): void {
    if (!this.#serves(gate.reader)) return;
    const hold = this.#holds.get(gate.reader.resource) ?? this.#begin(gate, held);
    if (hold === undefined || held.revision <= hold.replica.revision) return;
    held.blocks.push(hold.block);
    this.hits++;
  }

  /** Returns the revision before the first event that is kept back. */
  standsAt(reader: LagReader): number | undefined {
    return this.#replicaFor(reader)?.revision;
  }

  /** Returns what the late cache shows. */
  view(reader: LagReader): CacheView | undefined {
    return this.#replicaFor(reader)?.view(reader.store);
  }

  /** Counts a read of the late cache. */
  onStaleRead(): void {
    this.hits++;
  }

  /** Ends the hold of every resource. */
  end(): void {
    this.#isOver = true;
    for (const resource of [...this.#holds.keys()]) this.#unblock(resource);
  }

  /** Ends the lag. */
  release(): void {
    this.#lags.end(this);
  }

  #serves({ request }: LagReader): boolean {
    const { clients = always } = this.#options;
    return Boolean(requireSync("clients", clients(request)));
  }

  #replicaFor(reader: LagReader): Replica | undefined {
    const hold = this.#holds.get(reader.resource);
    return hold !== undefined && this.#serves(reader) ? hold.replica : undefined;
  }

  #begin({ reader }: WatchGate, held: HeldEvent): Hold | undefined {
    const { when = always, forMs } = this.#options;
    if (
      this.#left === 0 || !requireSync("when", when(reader.request, held.event)) || this.#isOver
    ) return undefined;
    this.#left--;
    const replica = new Replica(held.revision - 1, [reader.store]);
    const timer = forMs === undefined
      ? undefined
      : this.#clock.setTimer(() => this.#stop(reader.resource), forMs);
    const hold: Hold = { replica, block: { active: true }, timer };
    this.#holds.set(reader.resource, hold);
    return hold;
  }

  #stop(resource: string): void {
    this.#unblock(resource);
    if (this.#left === 0 && this.#holds.size === 0) this.release();
    else this.#lags.onChange();
  }

  #unblock(resource: string): void {
    const { block, timer } = this.#holds.get(resource)!;
    this.#holds.delete(resource);
    timer?.cancel();
    block.active = false;
  }
}
