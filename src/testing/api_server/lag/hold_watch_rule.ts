import { type Clock, requireSync, type Timer } from "@kubeloop/controller/internal/base";
import type { Block, HeldEvent } from "./held_event.ts";
import { always, type LagRule } from "./lag_rule.ts";
import type { Lags } from "./lags.ts";
import type { HoldOptions, Lag } from "./lag_types.ts";
import type { WatchGate } from "./watch_gate.ts";

/** A hold of single watches. */
export class HoldWatchRule implements LagRule, Lag {
  hits = 0;
  readonly #lags: Lags;
  readonly #clock: Clock;
  readonly #options: HoldOptions;
  readonly #holds = new Map<
    WatchGate,
    { readonly block: Block; readonly timer: Timer | undefined }
  >();
  #left: number;
  /** A predicate may end the lag that asks it. */
  #isOver = false;

  /** Creates a hold that has not begun at any watch. */
  constructor(lags: Lags, clock: Clock, options: HoldOptions) {
    this.#lags = lags;
    this.#clock = clock;
    this.#options = options;
    this.#left = options.times ?? Infinity;
  }

  /** Begins the hold with an event that matches, and counts all events during the hold. */
  onEvent(gate: WatchGate, held: HeldEvent): void {
    if (!this.#holds.has(gate)) {
      const { when = always, forMs } = this.#options;
      if (
        this.#left === 0 || !requireSync("when", when(gate.reader.request, held.event)) ||
        this.#isOver
      ) return;
      this.#left--;
      const block: Block = { active: true };
      held.blocks.push(block);
      const timer = forMs === undefined
        ? undefined
        : this.#clock.setTimer(() => this.#stop(gate), forMs);
      this.#holds.set(gate, { block, timer });
    }
    this.hits++;
  }

  /** Forgets the hold of a watch that has ended. */
  onEnd(gate: WatchGate): void {
    this.#stop(gate);
  }

  /** Ends the hold of every watch. */
  end(): void {
    this.#isOver = true;
    for (const gate of [...this.#holds.keys()]) this.#unblock(gate);
  }

  /** Ends the lag. */
  release(): void {
    this.#lags.end(this);
  }

  #stop(gate: WatchGate): void {
    if (!this.#unblock(gate)) return;
    gate.pump();
    if (this.#left === 0 && this.#holds.size === 0) this.release();
  }

  #unblock(gate: WatchGate): boolean {
    const hold = this.#holds.get(gate);
    if (hold === undefined) return false;
    this.#holds.delete(gate);
    hold.timer?.cancel();
    hold.block.active = false;
    return true;
  }
}
