import {
  abortable,
  type Clock,
  LinkedAbort,
  onAbort,
  type Random,
  RingBuffer,
} from "@kubeloop/controller/internal/base";
import { Draws } from "./draws.ts";

/** A clock that gives work turns of the event loop of its own. A virtual clock is one. */
interface TurnClock extends Clock {
  /**
   * Calls `callback` in a turn of the event loop in which nothing else happens, without moving the clock. First in,
   * first out; what is queued within one turn is sorted by `order`.
   */
  queueTurn(callback: () => void, order: string): void;
}

/** The turns of a server: one for each request, and one for each chunk of each watch. */
export class Turns {
  readonly #clock: TurnClock | undefined;
  readonly #random: Random;
  readonly #lanes: Draws;
  #opened = 0;

  /**
   * Creates the turns of a server with that clock.
   *
   * @param random Orders what comes within one turn of the event loop, if it can be forked: in another way for each
   * seed. Otherwise, the deliveries of watches come first, in the order in which the watches were opened.
   */
  constructor(clock: Clock, random: Random) {
    this.#clock = "queueTurn" in clock ? clock as TurnClock : undefined;
    this.#random = random;
    this.#lanes = new Draws(random);
  }

  /** Whether the clock gives turns. Without them, everything happens at once. */
  get areGiven(): boolean {
    return this.#clock !== undefined;
  }

  /**
   * Calls `callback` in a turn of its own, or at once.
   *
   * @param what Names the work, for the order and for people. It must not depend on the runtime.
   * @param detail Tells work with the same name apart, for the order only.
   */
  queue(callback: () => void, what: string, detail = ""): void {
    const order = detail === "" ? what : `${what} ${detail}`;
    this.#queue(callback, { what, order, chance: order, random: this.#random });
  }

  /** Waits for a turn of its own. */
  next(what: string, detail: string): Promise<void> {
    return new Promise((resolve) => this.queue(resolve, what, detail));
  }

  /** Settles like `promise`, or rejects with the reason of `signal` in a turn of its own after that aborts. */
  async abortable<T>(promise: Promise<T>, signal: AbortSignal, what: string): Promise<T> {
    const late = new LinkedAbort();
    const release = onAbort(signal, (reason) => this.queue(() => late.abort(reason), what));
    try {
      return await abortable(promise, late.signal);
    } finally {
      release();
    }
  }

  /**
   * Opens a lane: work that keeps its own order.
   *
   * @param name The name of the reader. Its place among others does not depend on how many other lanes were opened.
   */
  lane(name: string): Lane {
    const what = `1 watch ${String(++this.#opened).padStart(9, "0")}`;
    const order = { what, order: what, chance: "", random: this.#lanes.of(name) };
    return new Lane((callback) => this.#queue(callback, order));
  }

  #queue(callback: () => void, { what, order, chance, random }: Place): void {
    if (this.#clock === undefined) return callback();
    const place = random.fork?.(`${this.#clock.now()} ${chance}`).next();
    // `what` is for people, who see it in the error of a clock that stands still.
    this.#clock.queueTurn(
      callback,
      place === undefined ? order : `${place.toFixed(12)} ${what}`,
    );
  }
}

/** The place of work among other work of the same turn. */
interface Place {
  /** Names the work. */
  readonly what: string;
  /** Sorts the work if `random` cannot be forked. */
  readonly order: string;
  /** The purpose of the fork of `random` that sorts the work. */
  readonly chance: string;
  readonly random: Random;
}

/** The work for one reader: each piece has a turn of its own, and none overtakes another. */
export class Lane {
  readonly #queue: (callback: () => void) => void;
  readonly #waiting = new RingBuffer<() => void>();

  /** Creates an empty lane; `queue` gives each piece its turn. */
  constructor(queue: (callback: () => void) => void) {
    this.#queue = queue;
  }

  /** Calls `callback` after everything that was added before, in a turn of its own, or at once. */
  queue(callback: () => void): void {
    this.#waiting.push(callback);
    this.#queue(() => this.#waiting.shift()?.());
  }
}
