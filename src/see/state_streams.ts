import { type Clock, describeError, type Logger, type Timer } from "../base/mod.ts";
import type { SeeSource, SeeState } from "./model.ts";

/** The minimum time between two states, in milliseconds. */
const MIN_PERIOD_MS = 500;
/** The minimum time between two states that differ only in times that a page can add up itself, in milliseconds. */
const TIMES_PERIOD_MS = 5_000;
const HEARTBEAT_MS = 15_000;

/** Fields that differ in each state. */
const TIMES: ReadonlySet<string> = new Set(["at", "silentMs", "oldestMs"]);

/** Options of {@linkcode StateStreams}. */
export interface StateStreamsOptions {
  readonly source: Pick<SeeSource, "state" | "subscribe">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The maximum number of open streams. */
  readonly maxStreams: number;
}

/** The streams of server-sent events of the open pages. A slow reader gets the newest state, and misses those before. */
export class StateStreams {
  readonly #options: StateStreamsOptions;
  readonly #readers = new Set<Reader>();
  #unsubscribe: (() => void) | undefined;
  #timer: Timer | undefined;
  #heartbeat: Timer | undefined;
  #sentMs = -Infinity;
  /** The last state without times, to compare the next with. */
  #last: string | undefined;
  #isClosed = false;

  constructor(options: StateStreamsOptions) {
    this.#options = options;
  }

  /** The number of open streams. */
  get size(): number {
    return this.#readers.size;
  }

  /** Opens a stream, which begins with the present state; undefined if there are too many. */
  open(): ReadableStream<Uint8Array> | undefined {
    if (this.#isClosed || this.#readers.size >= this.#options.maxStreams) return undefined;
    const reader = new Reader(() => this.#left(reader));
    if (this.#readers.size === 0) this.#begin();
    this.#readers.add(reader);
    const state = this.#state();
    if (state !== undefined) {
      if (this.#last === undefined) {
        this.#note(state);
        this.#sentMs = this.#options.clock.now();
      }
      reader.push(eventOf(state));
    }
    return reader.stream;
  }

  /** Ends all streams. */
  close(): void {
    this.#isClosed = true;
    for (const reader of [...this.#readers]) reader.end();
    this.#stop();
  }

  #begin(): void {
    this.#unsubscribe = this.#options.source.subscribe(() => this.#changed());
    this.#beat();
  }

  #left(reader: Reader): void {
    if (this.#readers.delete(reader) && this.#readers.size === 0) this.#stop();
  }

  #stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#heartbeat?.cancel();
    this.#last = undefined;
  }

  #beat(): void {
    this.#heartbeat = this.#options.clock.setTimer(() => {
      this.#beat();
      for (const reader of this.#readers) reader.beat();
    }, HEARTBEAT_MS);
  }

  #changed(): void {
    const { clock } = this.#options;
    if (this.#timer !== undefined) return;
    const waitMs = this.#sentMs + MIN_PERIOD_MS - clock.now();
    if (waitMs <= 0) return this.#send();
    this.#timer = clock.setTimer(() => {
      this.#timer = undefined;
      this.#send();
    }, waitMs);
  }

  #send(): void {
    const state = this.#state();
    if (state === undefined) return;
    const now = this.#options.clock.now();
    const isSoon = now - this.#sentMs < TIMES_PERIOD_MS;
    if (!this.#note(state) && isSoon) return;
    this.#sentMs = now;
    const event = eventOf(state);
    for (const reader of this.#readers) reader.push(event);
  }

  /** Remembers a state, and reports whether it differs from the last one in more than times. */
  #note(state: SeeState): boolean {
    const compared = JSON.stringify(state, withoutTimes);
    const isNew = compared !== this.#last;
    this.#last = compared;
    return isNew;
  }

  #state(): SeeState | undefined {
    try {
      return this.#options.source.state();
    } catch (error) {
      this.#options.logger.error(`The state of the page cannot be made: ${describeError(error)}`);
      return undefined;
    }
  }
}

/** One open stream. */
class Reader {
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** The newest event that was not read. */
  #pending: Uint8Array | undefined;
  #isReading = false;

  constructor(left: () => void) {
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => {
        this.#isReading = true;
        this.#flush();
      },
      cancel: () => {
        this.#controller = undefined;
        left();
      },
    }, { highWaterMark: 0 });
    this.#left = left;
  }

  readonly #left: () => void;

  push(event: Uint8Array): void {
    this.#pending = event;
    this.#flush();
  }

  /** Sends a comment, unless an event waits anyway. */
  beat(): void {
    if (this.#pending === undefined && this.#isReading) this.push(HEARTBEAT);
  }

  end(): void {
    const controller = this.#controller;
    this.#controller = undefined;
    controller?.close();
    this.#left();
  }

  #flush(): void {
    if (!this.#isReading || this.#pending === undefined) return;
    this.#isReading = false;
    const event = this.#pending;
    this.#pending = undefined;
    this.#controller?.enqueue(event);
  }
}

const ENCODER = new TextEncoder();
const HEARTBEAT = ENCODER.encode(":\n\n");

function eventOf(state: SeeState): Uint8Array {
  return ENCODER.encode(`event: state\ndata: ${JSON.stringify(state)}\n\n`);
}

function withoutTimes(name: string, value: unknown): unknown {
  return TIMES.has(name) ? undefined : value;
}
