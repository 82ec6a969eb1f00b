import { type Clock, onAbort, RingBuffer, type Timer } from "@kubeloop/controller/base";
import type { LiveEntry } from "./event_log.ts";
import type { StoreObserver } from "./resource_store.ts";

/** How much the reader may leave unread before lines wait as entries. */
const STREAM_BUFFER_BYTES = 64 * 1024;

/** How often a bookmark may be sent. */
const BOOKMARK_INTERVAL_MS = 60_000;

/** How long before its end a watch gets a last bookmark. */
const LAST_BOOKMARK_MS = 2_000;

/** What a {@linkcode WatchStream} needs. */
export interface WatchStreamOptions {
  /** Measures the timeout and the bookmarks. */
  readonly clock: Clock;
  /** Makes the line for a write, or nothing when the watch does not see it. */
  readonly encode: (entry: LiveEntry) => Uint8Array | undefined;
  /** The lines to begin with, made as they are read. */
  readonly initial: Iterator<Uint8Array>;
  /** Makes the line of a bookmark, or nothing when there has been no progress; absent when none may be sent. */
  readonly bookmark?: (() => Uint8Array | undefined) | undefined;
  /** When the watch ends by itself, in milliseconds from now. */
  readonly timeoutMs: number;
  /** How many lines may wait for a slow reader before the watch is ended. */
  readonly backlogLimit: number;
  /** Ends the watch with an error when the caller gives up. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, when it takes no more events, whatever the reason. */
  readonly onEnd: (stream: WatchStream) => void;
}

/** One open watch: a stream of lines that begins with the past and goes on with the writes as they happen. */
export class WatchStream implements StoreObserver {
  /** The body of the response: one chunk per event. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: WatchStreamOptions;
  readonly #backlog = new RingBuffer<Uint8Array>();
  readonly #timers = new Set<Timer>();
  #release: () => void = () => {};
  readonly #deadlineMs: number;
  #initial: Iterator<Uint8Array> | undefined;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #state: "open" | "draining" | "ended" = "open";

  /** Opens the watch and starts its timers. */
  constructor(options: WatchStreamOptions) {
    this.#options = options;
    this.#initial = options.initial;
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#pump(),
      cancel: () => this.#finish(),
    }, new ByteLengthQueuingStrategy({ highWaterMark: STREAM_BUFFER_BYTES }));
    this.#deadlineMs = options.clock.now() + options.timeoutMs;
    this.#setTimer(() => this.end("closed"), options.timeoutMs);
    if (options.bookmark !== undefined) this.#scheduleBookmark();
    this.#release = onAbort(options.signal, (reason) => this.#fail(reason));
  }

  /** Sends the line for a write, or keeps it until the reader has caught up. */
  onEntry(entry: LiveEntry): void {
    if (this.#state !== "open") return;
    try {
      const line = this.#options.encode(entry);
      if (line !== undefined) this.#send(line);
    } catch (error) {
      // One watch that cannot be served must not fail the write, nor the other watches.
      this.#fail(error);
    }
  }

  /** Ends the watch: `closed` after what is waiting has been read, `broken` at once, as when the server dies. */
  end(why: "closed" | "broken"): void {
    if (this.#state !== "open") return;
    if (why === "broken") {
      this.#fail(new TypeError("Connection reset: the server went away"));
      return;
    }
    this.#detach("draining");
    this.#pump();
  }

  #send(line: Uint8Array): void {
    if (
      this.#initial === undefined && this.#backlog.length === 0 &&
      (this.#controller.desiredSize ?? 0) > 0
    ) {
      this.#controller.enqueue(line);
      return;
    }
    this.#backlog.push(line);
    if (this.#backlog.length <= this.#options.backlogLimit) return;
    // A reader this far behind would hold the memory of the whole server. It gets what the stream holds, a prefix of the
    // events, and then the end; it can go on from there.
    this.#backlog.clear();
    this.#initial = undefined;
    this.end("closed");
  }

  /** Moves lines to the reader as long as it has room. */
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
    return this.#backlog.shift();
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

  #fail(reason: unknown): void {
    if (this.#state === "ended") return;
    this.#controller.error(reason);
    this.#finish();
  }

  /** Takes the watch off the store and stops its timers. */
  #detach(state: "draining" | "ended"): void {
    const wasOpen = this.#state === "open";
    this.#state = state;
    if (!wasOpen) return;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#options.onEnd(this);
  }

  #finish(): void {
    this.#detach("ended");
    this.#backlog.clear();
    this.#initial = undefined;
    this.#release();
  }
}
