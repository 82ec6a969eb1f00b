import {
  type Clock,
  markMade,
  onAbort,
  RingBuffer,
  type Timer,
} from "@kubeloop/controller/internal/base";
import type { LiveEntry } from "./event_log.ts";
import type { StoreObserver } from "./resource_store.ts";
import type { Lane } from "./turns.ts";

/** How many unread bytes the stream buffers before further lines go to the backlog. */
const STREAM_BUFFER_BYTES = 64 * 1024;

/** The interval between bookmarks. */
const BOOKMARK_INTERVAL_MS = 60_000;

/** How long before its timeout a watch gets its last bookmark. */
const LAST_BOOKMARK_MS = 2_000;

/** The options of a {@linkcode WatchStream}. */
export interface WatchStreamOptions {
  /** The clock for the timeout and the bookmarks. */
  readonly clock: Clock;
  /** Delivers to the reader: each chunk, and the end, in a turn of its own if the clock gives turns. */
  readonly lane: Lane;
  /** Encodes the line for a write. Returns undefined if the watch does not select the object. */
  readonly encode: (entry: LiveEntry) => Uint8Array | undefined;
  /** The initial lines of the watch. The stream takes them one by one, as the reader reads. */
  readonly initial: Iterator<Uint8Array>;
  /**
   * Encodes a bookmark. Returns undefined if no bookmark is due because the revision has not advanced. Absent if the
   * client did not allow bookmarks.
   */
  readonly bookmark?: (() => Uint8Array | undefined) | undefined;
  /** The timeout of the watch, in milliseconds from now. */
  readonly timeoutMs: number;
  /** The maximum number of lines in the backlog. The watch of a reader that falls further behind is ended. */
  readonly backlogLimit: number;
  /**
   * Called with the change of {@linkcode WatchStream.backlogBytes}, after each of its changes. It may end this watch or
   * others.
   */
  readonly onBacklog?: ((stream: WatchStream, bytes: number) => void) | undefined;
  /** Ends the watch with an error when the client aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, when the watch stops taking events for any reason. Lines in the backlog may still be unread then. */
  readonly onEnd: (stream: WatchStream) => void;
}

/** An open watch: a stream of lines, first the initial ones and then one line per write. */
export class WatchStream implements StoreObserver {
  /** The response body, with one chunk per event. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: Omit<WatchStreamOptions, "initial">;
  readonly #backlog = new RingBuffer<Uint8Array>();
  readonly #timers = new Set<Timer>();
  #release: () => void = () => {};
  readonly #deadlineMs: number;
  #initial: Iterator<Uint8Array> | undefined;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  /** `closing` still delivers what is in the lane; `draining` only what is in the backlog. */
  #state: "open" | "closing" | "draining" | "ended" = "open";
  #backlogBytes = 0;
  #sent = 0;

  /** Opens the watch and starts the timers for the timeout and the bookmarks. */
  constructor({ initial, ...options }: WatchStreamOptions) {
    this.#options = options;
    // The only reference to these objects. It is dropped with the watch, whose body a reader may keep.
    this.#initial = initial;
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#pump(),
      cancel: () => this.#finish(),
    }, new ByteLengthQueuingStrategy({ highWaterMark: STREAM_BUFFER_BYTES }));
    markMade(this.body);
    this.#deadlineMs = options.clock.now() + options.timeoutMs;
    this.#setTimer(() => this.end("closed"), options.timeoutMs);
    if (options.bookmark !== undefined) this.#scheduleBookmark();
    this.#release = onAbort(options.signal, (reason) => this.#failInTurn(reason));
  }

  /** The bytes of the lines that wait for the reader, apart from the initial ones. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /** The number of lines for writes that were sent, or wait for the reader. */
  get sent(): number {
    return this.#sent;
  }

  /** The number of lines that wait for the reader. */
  get backlog(): number {
    return this.#backlog.length;
  }

  /** Sends the line for a write, or puts the line into the backlog until the reader has caught up. */
  onEntry(entry: LiveEntry): void {
    if (this.#state !== "open") return;
    try {
      const line = this.#options.encode(entry);
      if (line === undefined) return;
      this.#sent++;
      this.#options.lane.queue(() => this.#send(line));
    } catch (error) {
      // The failure of one watch must not fail the write or the other watches.
      this.#failInTurn(error);
    }
  }

  /**
   * Ends the watch.
   *
   * @param why `closed` ends the stream after the reader has read the pending lines. `broken` fails the stream at once,
   * as if the server had crashed.
   */
  end(why: "closed" | "broken"): void {
    if (this.#state !== "open") return;
    if (why === "broken") {
      this.#failInTurn(new TypeError("Connection reset: the server went away"));
      return;
    }
    this.#detach("closing");
    this.#options.lane.queue(() => this.#drain());
  }

  #send(line: Uint8Array): void {
    if (this.#state !== "open" && this.#state !== "closing") return;
    if (
      this.#initial === undefined && this.#backlog.length === 0 &&
      (this.#controller.desiredSize ?? 0) > 0
    ) {
      this.#controller.enqueue(line);
      return;
    }
    this.#backlog.push(line);
    this.#charge(line.length);
    if (this.#backlog.length > this.#options.backlogLimit) this.drop();
  }

  /**
   * Ends the watch of a reader that is so far behind that it would use up the memory of the server. The reader gets the
   * lines that the stream already buffers, which are a prefix of the events, and then the end of the stream. It can
   * resume the watch from there.
   */
  drop(): void {
    this.#clearBacklog();
    this.#initial = undefined;
    this.#drain();
  }

  #drain(): void {
    if (this.#state === "ended") return;
    this.#detach("draining");
    this.#pump();
  }

  #charge(bytes: number): void {
    this.#backlogBytes += bytes;
    if (bytes !== 0) this.#options.onBacklog?.(this, bytes);
  }

  #clearBacklog(): void {
    this.#backlog.clear();
    this.#charge(-this.#backlogBytes);
  }

  /** Moves initial lines and then the backlog to the stream, as long as its buffer has room. */
  #pump(): void {
    if (this.#state === "ended") return;
    try {
      while ((this.#controller.desiredSize ?? 0) > 0) {
        const line = this.#nextLine();
        if (line === undefined) break;
        this.#controller.enqueue(line);
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    const done = this.#initial === undefined && this.#backlog.length === 0;
    if (done && this.#state === "draining") {
      this.#controller.close();
      this.#finish();
    }
  }

  #nextLine(): Uint8Array | undefined {
    if (this.#initial !== undefined) {
      const next = this.#initial.next();
      if (!next.done) return next.value;
      this.#initial = undefined;
    }
    const line = this.#backlog.shift();
    if (line !== undefined) this.#charge(-line.length);
    return line;
  }

  #scheduleBookmark(): void {
    const leftMs = this.#deadlineMs - this.#options.clock.now() - LAST_BOOKMARK_MS;
    if (leftMs <= 0) return;
    this.#setTimer(() => {
      const line = this.#options.bookmark?.();
      if (line !== undefined) this.#send(line);
      if (this.#state === "open") this.#scheduleBookmark();
    }, Math.min(BOOKMARK_INTERVAL_MS, leftMs));
  }

  #setTimer(callback: () => void, delayMs: number): void {
    const timer = this.#options.clock.setTimer(() => {
      this.#timers.delete(timer);
      callback();
    }, delayMs);
    this.#timers.add(timer);
  }

  /** Takes no more events, and fails the stream. */
  #failInTurn(reason: unknown): void {
    if (this.#state === "ended") return;
    this.#detach("closing");
    this.#options.lane.queue(() => this.#fail(reason));
  }

  #fail(reason: unknown): void {
    if (this.#state === "ended") return;
    this.#controller.error(reason);
    this.#finish();
  }

  /** Unsubscribes the watch from the store and stops its timers. */
  #detach(state: "closing" | "draining" | "ended"): void {
    const wasOpen = this.#state === "open";
    this.#state = state;
    if (!wasOpen) return;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#options.onEnd(this);
  }

  #finish(): void {
    this.#detach("ended");
    this.#clearBacklog();
    this.#initial = undefined;
    this.#release();
  }
}
