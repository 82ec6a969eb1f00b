import { requireSync } from "@kubeloop/controller/internal/base";
import type { ResourceStore, Storage } from "../storage/mod.ts";
import type { CacheView } from "./cache_view.ts";
import type { Block, HeldEvent } from "./held_event.ts";
import type { LagReader } from "./lag_reader.ts";
import { always, type LagRule } from "./lag_rule.ts";
import type { Lags } from "./lags.ts";
import type { FreezeOptions, Lag } from "./lag_types.ts";
import { Replica } from "./replica.ts";
import type { WatchGate } from "./watch_gate.ts";

/** A replica of the API server that stands at one version. */
export class FreezeRule implements LagRule, Lag {
  hits = 0;
  readonly #lags: Lags;
  readonly #storage: Storage;
  readonly #options: FreezeOptions;
  readonly #revision: number;
  readonly #block: Block = { active: true };
  /** Whether the replica serves a reader: the predicate runs once for each. */
  readonly #served = new WeakMap<LagReader, boolean>();
  #replica: Replica | undefined;
  #stopListening: () => void = () => {};

  /**
   * Creates the replica, with the state at the version, or waits until the storage is past it.
   *
   * @throws {RangeError} If the history does not reach back to the version.
   */
  constructor(lags: Lags, storage: Storage, options: FreezeOptions) {
    this.#lags = lags;
    this.#storage = storage;
    this.#options = options;
    this.#revision = Number(options.at);
    if (this.#revision > storage.revision) {
      this.#stopListening = storage.onWrite(() => {
        if (storage.revision > this.#revision) this.#stand();
      });
      return;
    }
    const oldest = Math.max(0, ...this.#stores().map(({ historyStart }) => historyStart));
    if (this.#revision < oldest) {
      throw new RangeError(
        `Cannot freeze at resource version ${options.at}: the history of the server begins at ${oldest}`,
      );
    }
    this.#stand();
    for (const [gate, held] of lags.held()) this.onEvent(gate, held);
  }

  /** Keeps back the events after the version. */
  onEvent(gate: WatchGate, held: HeldEvent): void {
    if (held.revision <= this.#revision || !this.#serves(gate.reader)) return;
    held.blocks.push(this.#block);
    this.hits++;
  }

  /** Returns the version, for the requests that the replica serves. */
  standsAt(reader: LagReader): number | undefined {
    return this.#serves(reader) ? this.#revision : undefined;
  }

  /** Returns what the replica shows. */
  view(reader: LagReader): CacheView | undefined {
    return this.#serves(reader) ? this.#replica?.view(reader.store) : undefined;
  }

  /** Counts a read that the replica answered. */
  onStaleRead(): void {
    this.hits++;
  }

  /** Lets the replica catch up. */
  end(): void {
    this.#stopListening();
    this.#block.active = false;
    this.#replica = undefined;
  }

  /** Ends the lag. */
  release(): void {
    this.#lags.end(this);
  }

  #serves(reader: LagReader): boolean {
    const { resource, when = always } = this.#options;
    if (resource !== undefined && resource !== reader.resource) return false;
    let served = this.#served.get(reader);
    if (served === undefined) {
      served = Boolean(requireSync("when", when(reader.request)));
      this.#served.set(reader, served);
    }
    return served;
  }

  #stores(): ResourceStore[] {
    const { resource } = this.#options;
    const stores = [...this.#storage.entries()];
    return stores.filter(([name]) => resource === undefined || name === resource)
      .map(([, store]) => store);
  }

  #stand(): void {
    this.#stopListening();
    this.#replica = new Replica(this.#revision, this.#stores());
  }
}
