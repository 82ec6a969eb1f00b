import { type Clock, type Random, randomInt } from "@kubeloop/controller/internal/base";
import { identityOf } from "../http/mod.ts";
import { type Draws, objectKey, type ResourceStore, type Storage } from "../storage/mod.ts";
import { CacheView } from "./cache_view.ts";
import type { HeldEvent } from "./held_event.ts";
import type { LagReader } from "./lag_reader.ts";
import type { LagRule } from "./lag_rule.ts";
import { Timeline } from "./timeline.ts";
import type { WatchGate } from "./watch_gate.ts";
import type { WorldOptions } from "./world_options.ts";

/** The parts of a server that a {@linkcode World} uses. */
export interface WorldParts {
  readonly clock: Clock;
  readonly draws: Draws;
  readonly storage: Storage;
}

/** A realistic world: everything is somewhat late, now and then very late. */
export class World implements LagRule {
  readonly #clock: Clock;
  readonly #draws: Draws;
  readonly #storage: Storage;
  readonly #options: WorldOptions;
  readonly #timeline: Timeline;
  /** How far the watch cache of each resource is behind, in milliseconds. */
  readonly #behindMs = new WeakMap<ResourceStore, number>();
  readonly #stopListening: () => void;

  /** Creates a world that is as late as `options` say. */
  constructor({ clock, draws, storage }: WorldParts, options: WorldOptions) {
    this.#clock = clock;
    this.#draws = draws;
    this.#storage = storage;
    this.#options = options;
    const timeline = new Timeline(
      clock,
      storage.revision,
      options.resourceMs + Math.max(options.staleReadMs, options.eventMs, options.pauseMs),
    );
    this.#timeline = timeline;
    this.#stopListening = storage.onWrite(() => timeline.record(storage.revision));
  }

  /** Draws the delays of a request and of its answer, in milliseconds. */
  requestDelays(request: Request): readonly [number, number] {
    const random = this.#draws.of(`request ${identityOf(request)}`);
    const { requestMs } = this.#options;
    return [upTo(random, requestMs), upTo(random, requestMs)];
  }

  /** Delays an event. It also waits for the preceding event of the watch, which keeps their order. */
  onEvent(gate: WatchGate, held: HeldEvent): void {
    const committedMs = this.#timeline.timeOf(held.revision);
    // A watch from a version of long ago gets the past at once.
    if (committedMs === -Infinity) return;
    const { eventMs, pauseMs, pauseRate } = this.#options;
    const { namespace, name } = held.event;
    const random = this.#draws.of(`event ${gate.reader.identity} ${objectKey(namespace, name)}`);
    const isLong = random.next() < pauseRate;
    held.dueMs = committedMs + this.#behind(gate.reader) + upTo(random, isLong ? pauseMs : eventMs);
  }

  /** Returns the state of some time ago, as another server shows it that has at least the revision `least`. */
  view(reader: LagReader, least: number): CacheView | undefined {
    const random = this.#draws.of(`read ${reader.identity}`);
    const agoMs = this.#behind(reader) + upTo(random, this.#options.staleReadMs);
    const revision = Math.max(least, this.#timeline.revisionAt(this.#clock.now() - agoMs));
    return revision < this.#storage.revision ? CacheView.of(reader.store, revision) : undefined;
  }

  /** Makes the world punctual. */
  end(): void {
    this.#stopListening();
  }

  #behind({ resource, store }: LagReader): number {
    let behindMs = this.#behindMs.get(store);
    if (behindMs === undefined) {
      behindMs = upTo(this.#draws.of(`resource ${resource}`), this.#options.resourceMs);
      this.#behindMs.set(store, behindMs);
    }
    return behindMs;
  }
}

function upTo(random: Random, mostMs: number): number {
  return mostMs === 0 ? 0 : randomInt(random, Math.floor(mostMs) + 1);
}
