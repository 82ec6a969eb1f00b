import { type Clock, RingBuffer, type Timer } from "@kubeloop/controller/internal/base";
import type { LiveEntry, LogEntry, StoreObserver, WatchStream } from "../storage/mod.ts";
import { HeldEvent } from "./held_event.ts";
import type { LagReader } from "./lag_reader.ts";

/** The options of a {@linkcode WatchGate}. */
export interface WatchGateOptions {
  /** The request of the watch. */
  readonly reader: LagReader;
  /** Returns the type of the event that the watch sends for a write; undefined if it does not see the write. */
  readonly typeOf: (entry: LiveEntry) => LogEntry["type"] | undefined;
  /** The number of events that may be kept back before the watch is ended, as that of a slow client. */
  readonly limit: number;
  /** Called with the change of {@linkcode WatchGate.backlogBytes}. It may end this watch or others. */
  readonly onBacklog: (gate: WatchGate, bytes: number) => void;
}

/** The lags of the server, as a gate uses them. */
export interface GateLags {
  /** Whether there is any lag. */
  readonly isActive: boolean;
  /** Shows an event that arrives to every lag. */
  arrive(gate: WatchGate, held: HeldEvent): void;
  /** Returns the revision at which the watch cache of a reader stands; Infinity if it is not behind. */
  standsAt(reader: LagReader): number;
  /** Called with what a predicate throws. */
  onFailure(error: unknown): void;
  /** Called when the watch has ended. */
  closed(gate: WatchGate): void;
}

/** The gate between the writes to a resource and one watch of it: it keeps back the events that lags hold, in order. */
export class WatchGate implements StoreObserver {
  /** The request of the watch. */
  readonly reader: LagReader;
  readonly #options: WatchGateOptions;
  readonly #lags: GateLags;
  readonly #clock: Clock;
  readonly #queue = new RingBuffer<HeldEvent>();
  #deliver: (entry: LiveEntry) => void = () => {};
  #stream: WatchStream | undefined;
  #timer: Timer | undefined;
  #backlogBytes = 0;
  /** The revision of the last event that passed the gate while there was any lag. */
  #passedRevision = 0;
  #closed = false;

  /** Creates the gate of a watch that is not open yet. */
  constructor(lags: GateLags, clock: Clock, options: WatchGateOptions) {
    this.#lags = lags;
    this.#clock = clock;
    this.#options = options;
    this.reader = options.reader;
  }

  /** The bytes of the events that are kept back. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /** Takes the past writes with which the watch begins. Returns the writes that may be delivered at once. */
  begin(entries: readonly LiveEntry[]): LiveEntry[] {
    const passed: LiveEntry[] = [];
    this.#deliver = (entry) => passed.push(entry);
    for (const entry of entries) this.#take(entry);
    return passed;
  }

  /** Connects the gate with its watch, to which it delivers from then on. */
  connect(stream: WatchStream): void {
    this.#stream = stream;
    this.#deliver = (entry) => stream.onEntry(entry);
    if (this.#closed) stream.end("broken");
    else if (this.#queue.length > this.#options.limit) stream.drop();
  }

  /** Returns the events that are kept back, oldest first. */
  held(): Iterable<HeldEvent> {
    return this.#queue;
  }

  /** Delivers a write, or keeps it back. The gate must be connected. */
  onEntry(entry: LiveEntry): void {
    if (this.#lags.isActive) this.#take(entry);
    else this.#stream!.onEntry(entry);
  }

  /** Delivers the events that nothing keeps back any more. */
  pump(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const nowMs = this.#clock.now();
    for (let held = this.#queue.peek(); held !== undefined; held = this.#queue.peek()) {
      if (!held.isFree(nowMs)) {
        if (held.dueMs > nowMs) {
          this.#timer = this.#clock.setTimer(() => this.pump(), held.dueMs - nowMs);
        }
        return;
      }
      this.#queue.shift();
      this.#charge(-held.bytes);
      this.#passedRevision = held.revision;
      if (held.entry !== undefined) this.#deliver(held.entry);
    }
  }

  /**
   * Returns the newest revision that a bookmark may have, given the revision of the store. A client that resumes from a
   * bookmark never gets the events before it. Returns 0 if the watch cache is behind what this watch has got already.
   */
  progress(observed: number): number {
    if (!this.#lags.isActive) return observed;
    const next = this.#queue.peek();
    const delivered = next === undefined ? observed : Math.min(observed, next.revision - 1);
    const newest = Math.min(delivered, this.#lags.standsAt(this.reader));
    return newest < this.#passedRevision ? 0 : newest;
  }

  /** Notes that everything up to a revision has passed the gate, because there was no lag. */
  passedUpTo(revision: number): void {
    this.#passedRevision = revision;
  }

  /** Ends the watch of a client that is too far behind. It can resume the watch from the last event that it got. */
  drop(): void {
    this.#stream?.drop();
  }

  /** Drops what is kept back, because the watch has ended. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer?.cancel();
    this.#queue.clear();
    this.#charge(-this.#backlogBytes);
    this.#lags.closed(this);
  }

  #take(entry: LiveEntry): void {
    if (this.#closed) return;
    try {
      const type = this.#options.typeOf(entry);
      if (type === undefined) return;
      const held = new HeldEvent(entry, type);
      this.#lags.arrive(this, held);
      this.#queue.push(held);
      this.#charge(held.bytes);
      this.pump();
    } catch (error) {
      // The predicate of a lag must not fail the write or the other watches.
      this.#lags.onFailure(error);
      this.#stream?.end("broken");
      this.close();
      return;
    }
    if (this.#queue.length > this.#options.limit) this.drop();
  }

  #charge(bytes: number): void {
    if (bytes === 0) return;
    this.#backlogBytes += bytes;
    this.#options.onBacklog(this, bytes);
  }
}
