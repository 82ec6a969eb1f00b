import { type Clock, delay, networkFailure } from "../../base/mod.ts";

/** How many requests may be made within the window. */
const LIMIT = 10;
/** Ten seconds and a little more, so that nothing on the way can push eleven requests into ten seconds. */
const WINDOW_MS = 10_500;

/** How many requests must be free for a list to begin: a first page, a second one, and the watch. */
const LIST_ROOM = 3;

/** When the last {@linkcode LIMIT} requests were made. */
class Window {
  readonly #times: number[] = new Array(LIMIT).fill(-Infinity);
  #oldest = 0;

  note(nowMs: number): void {
    this.#times[this.#oldest] = nowMs;
    this.#oldest = (this.#oldest + 1) % LIMIT;
  }

  /** How long it takes until `room` more requests may be made. */
  waitMs(nowMs: number, room: number): number {
    const occupant = this.#times[(this.#oldest + room - 1) % LIMIT] as number;
    return Math.max(0, occupant + WINDOW_MS - nowMs);
  }
}

/**
 * The last line of defence against hot loops: whatever a server does, a reflector begins no more than ten requests in
 * ten seconds. In ordinary life, backoff included, it never waits.
 *
 * Further pages of a list are let through at once, since each brings its part of the list. But they count against the
 * next list, so that a long list whose watch fails is not listed again and again.
 */
export class RequestPacer {
  readonly #clock: Clock;
  readonly #requests = new Window();
  readonly #withPages = new Window();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until a list may begin, and counts it. */
  beforeList(signal: AbortSignal): Promise<void> | undefined {
    return this.#waitAndNote(this.#withPages.waitMs(this.#clock.now(), LIST_ROOM), signal);
  }

  /** Waits until a watch, or any other single request, may begin, and counts it. */
  before(signal: AbortSignal): Promise<void> | undefined {
    return this.#waitAndNote(this.#requests.waitMs(this.#clock.now(), 1), signal);
  }

  /** Counts a further page. */
  notePage(): void {
    this.#withPages.note(this.#clock.now());
  }

  /**
   * Counts a request that failed once more, when its connection was closed before the answer: Deno's fetch repeats it by
   * itself if the connection was an old one.
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
