import { type Clock, requireSync, type Timer } from "@kubeloop/controller/internal/base";
import { encodeJson, type Json } from "../../values/mod.ts";
import { type LiveEntry, objectKey, StoredObject } from "../storage/mod.ts";
import type { Block, HeldEvent } from "./held_event.ts";
import { always, type LagRule } from "./lag_rule.ts";
import type { CoalesceOptions, Lag } from "./lag_types.ts";
import type { Lags } from "./lags.ts";
import type { WatchGate } from "./watch_gate.ts";

const WITHIN_MS = 60_000;

/** An event that waits for the next one of the same object. */
interface Waiting {
  readonly first: HeldEvent;
  readonly block: Block;
  readonly timer: Timer;
}

/** Makes two subsequent events of one object into one. */
export class CoalesceRule implements LagRule, Lag {
  hits = 0;
  readonly #lags: Lags;
  readonly #clock: Clock;
  readonly #options: CoalesceOptions;
  /** The events that wait, by watch and by the key of their object. */
  readonly #waiting = new Map<WatchGate, Map<string, Waiting>>();
  /** How many more events may wait. An event that was delivered unchanged does not count. */
  #left: number;
  /** A predicate may end the lag that asks it. */
  #isOver = false;

  /** Creates a rule for which no event waits. */
  constructor(lags: Lags, clock: Clock, options: CoalesceOptions) {
    this.#lags = lags;
    this.#clock = clock;
    this.#options = options;
    this.#left = options.times ?? Infinity;
  }

  /** Coalesces the event with the event that waits for it, or lets it wait if it matches. */
  onEvent(gate: WatchGate, held: HeldEvent): void {
    const { namespace, name } = held.event;
    const key = objectKey(namespace, name);
    const waiting = this.#take(gate, key);
    if (waiting === undefined) this.#wait(gate, key, held);
    else this.#merge(waiting.first, held);
  }

  /** Forgets the events of a watch that has ended. */
  onEnd(gate: WatchGate): void {
    for (const key of [...this.#waiting.get(gate)?.keys() ?? []]) this.#giveUp(gate, key);
  }

  /** Lets every event go. */
  end(): void {
    this.#isOver = true;
    for (const gate of [...this.#waiting.keys()]) this.onEnd(gate);
  }

  /** Ends the lag. */
  release(): void {
    this.#lags.end(this);
  }

  #wait(gate: WatchGate, key: string, held: HeldEvent): void {
    const { when = always, withinMs = WITHIN_MS } = this.#options;
    if (
      this.#left === 0 || !requireSync("when", when(gate.reader.request, held.event)) ||
      this.#isOver
    ) return;
    this.#left--;
    const block: Block = { active: true };
    held.blocks.push(block);
    const timer = this.#clock.setTimer(() => {
      this.#giveUp(gate, key);
      gate.pump();
    }, withinMs);
    let events = this.#waiting.get(gate);
    if (events === undefined) this.#waiting.set(gate, events = new Map());
    events.set(key, { first: held, block, timer });
  }

  #merge(first: HeldEvent, second: HeldEvent): void {
    if (first.entry === undefined || second.entry === undefined) {
      // Another lag has coalesced one of the two already.
      this.#left++;
      return;
    }
    second.entry = mergeEntries(first.entry, second.entry);
    first.entry = undefined;
    this.hits++;
    if (this.hits === this.#options.times) this.release();
  }

  #giveUp(gate: WatchGate, key: string): void {
    if (this.#take(gate, key) !== undefined) this.#left++;
  }

  /** Removes and unblocks the event that waits for the next one of its object. */
  #take(gate: WatchGate, key: string): Waiting | undefined {
    const events = this.#waiting.get(gate);
    const waiting = events?.get(key);
    if (events === undefined || waiting === undefined) return undefined;
    events.delete(key);
    if (events.size === 0) this.#waiting.delete(gate);
    waiting.timer.cancel();
    waiting.block.active = false;
    return waiting;
  }
}

/**
 * Returns the one event that takes the place of two subsequent ones of the same name, as a client would see them that
 * missed the state in between. Undefined if the object did not exist before them and does not exist after them.
 */
function mergeEntries(first: LiveEntry, second: LiveEntry): LiveEntry | undefined {
  const { revision } = second;
  const { previous } = first;
  // The lines of the two events are shared with watches that see both.
  const merged = {
    revision,
    previous,
    previousValue: () => first.previousValue(),
    lines: new Map(),
  };
  if (second.type !== "DELETED") {
    const type = previous === undefined ? "ADDED" : "MODIFIED";
    return { ...merged, type, object: second.object, value: second.value };
  }
  if (previous === undefined) return undefined;
  if (previous.uid === second.object.uid) {
    return { ...merged, type: "DELETED", object: second.object, value: second.value };
  }
  // The client never saw the object that was deleted last, so the event shows the object that the client knows.
  const value = previous.parse();
  value.metadata.resourceVersion = String(revision);
  const object = new StoredObject(value, revision, encodeJson(value as unknown as Json));
  return { ...merged, type: "DELETED", object, value };
}
