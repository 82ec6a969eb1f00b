import { type Clock, delay, networkFailure } from "../../base/mod.ts";

/** The number of requests that may be made within the window. */
const LIMIT = 10;
/**
 * Slightly more than ten seconds, so that delays on the way to the server cannot squeeze eleven requests into ten
 * seconds.
 */
const WINDOW_MS = 10_500;

/** The number of requests that must be left before a list starts: for the first page, a second page and the watch. */
const LIST_ROOM = 3;

/** The times of the last {@linkcode LIMIT} requests. */
class Window {
  readonly #times: number[] = new Array(LIMIT).fill(-Infinity);
  #oldest = 0;

  note(nowMs: number): void {
    this.#times[this.#oldest] = nowMs;
    this.#oldest = (this.#oldest + 1) % LIMIT;
  }

  /** Returns the milliseconds to wait until `count` more requests may be made. */
  waitMs(nowMs: number, count: number): number {
    const occupant = this.#times[(this.#oldest + count - 1) % LIMIT] as number;
    return Math.max(0, occupant + WINDOW_MS - nowMs);
  }
}

/**
 * Limits a reflector to ten requests in ten seconds, whatever the server does: the last defence against hot loops. In
 * normal operation, backoff included, requests never wait for it.
 *
 * Further pages of a list do not wait, since each of them is progress. They do count when the next list starts, so that
 * a long list whose watch fails is not repeated without a pause.
 */
export class RequestPacer {
  readonly #clock: Clock;
  readonly #requests = new Window();
  readonly #withPages = new Window();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until a list may start, and counts its first page. Returns undefined if there is no need to wait. */
  beforeList(signal: AbortSignal): Promise<void> | undefined {
    return this.#waitAndNote(this.#withPages.waitMs(this.#clock.now(), LIST_ROOM), signal);
  }

  /**
   * Waits until a single request, such as a watch, may start, and counts it. Returns undefined if there is no need to
   * wait.
   */
  before(signal: AbortSignal): Promise<void> | undefined {
    return this.#waitAndNote(this.#requests.waitMs(this.#clock.now(), 1), signal);
  }

  /**
   * Waits until the page after a page without progress may be requested, and counts it. Returns undefined if the request
   * need not wait.
   */
  beforeIdlePage(signal: AbortSignal): Promise<void> | undefined {
    return this.#waitAndNote(this.#withPages.waitMs(this.#clock.now(), 1), signal);
  }

  /** Counts a further page of a list. */
  notePage(): void {
    this.#withPages.note(this.#clock.now());
  }

  /**
   * Counts a failed request a second time if its connection was closed before the answer came. Deno's fetch repeats
   * such a request by itself if it was sent on a reused connection.
   */
  noteFailure(error: unknown): void {
    const failure = networkFailure(error);
    if (failure === "reset" || failure === "eof") this.#note();
  }

  #waitAndNote(waitMs: number, signal: AbortSignal): Promise<void> | undefined {
    if (waitMs === 0) {
      this.#note();
      return undefined;
    }
    return delay(waitMs, { clock: this.#clock, signal }).then(() => this.#note());
  }

  #note(): void {
    const nowMs = this.#clock.now();
    this.#requests.note(nowMs);
    this.#withPages.note(nowMs);
  }
}
