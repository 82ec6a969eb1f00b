import { type Clock, type Random, randomInt } from "@kubeloop/controller/internal/base";
import type { Storage } from "../storage/mod.ts";
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
  readonly random: Random;
  readonly storage: Storage;
}

/** A realistic world: everything is somewhat late, now and then very late. */
export class World implements LagRule {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #storage: Storage;
  readonly #options: WorldOptions;
  readonly #timeline: Timeline;
  /** How far the watch cache of each resource is behind, in milliseconds. */
  readonly #behindMs = new Map<string, number>();
  readonly #stopListening: () => void;

  /** Creates a world that is as late as `options` say. */
  constructor({ clock, random, storage }: WorldParts, options: WorldOptions) {
    this.#clock = clock;
    this.#random = random;
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

  /** Draws the delay of a request, or of its answer, in milliseconds. */
  requestDelay(): number {
    return this.#upTo(this.#options.requestMs);
  }

  /** Delays an event. It also waits for the preceding event of the watch, which keeps their order. */
  onEvent(gate: WatchGate, held: HeldEvent): void {
    const committedMs = this.#timeline.timeOf(held.revision);
    // A watch from a version of long ago gets the past at once.
    if (committedMs === -Infinity) return;
    const { eventMs, pauseMs, pauseRate } = this.#options;
    const isLong = this.#random.next() < pauseRate;
    held.dueMs = committedMs + this.#behind(gate.reader) + this.#upTo(isLong ? pauseMs : eventMs);
  }

  /** Returns the state of some time ago, as another server shows it that has at least the revision `least`. */
  view(reader: LagReader, least: number): CacheView | undefined {
    const agoMs = this.#behind(reader) + this.#upTo(this.#options.staleReadMs);
    const revision = Math.max(least, this.#timeline.revisionAt(this.#clock.now() - agoMs));
    return revision < this.#storage.revision ? CacheView.of(reader.store, revision) : undefined;
  }

  /** Makes the world punctual. */
  end(): void {
    this.#stopListening();
  }

  #behind({ resource }: LagReader): number {
    let behindMs = this.#behindMs.get(resource);
    if (behindMs === undefined) {
      behindMs = this.#upTo(this.#options.resourceMs);
      this.#behindMs.set(resource, behindMs);
    }
    return behindMs;
  }

  #upTo(mostMs: number): number {
    return mostMs === 0 ? 0 : randomInt(this.#random, Math.floor(mostMs) + 1);
  }
}
