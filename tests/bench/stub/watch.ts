import type { EventLog } from "./event_log.ts";
import type { JsonObject } from "../../../src/testing/values/mod.ts";
import type { Representation } from "./representation.ts";

/** Options of a {@linkcode Watch}. */
export interface WatchOptions {
  /** The number of the first event. */
  readonly from: number;
  /** Bytes to send before the first event, such as the initial events of a streaming list. */
  readonly before: Iterator<Uint8Array<ArrayBuffer>>;
}

/** An open watch: a body that follows the log as fast as the client reads. */
export class Watch {
  /** The body of the response. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #log: EventLog;
  readonly #representation: Representation;
  readonly #before: Iterator<Uint8Array<ArrayBuffer>>;
  /** Bytes to send between events, such as bookmarks and errors. */
  readonly #extra: Uint8Array<ArrayBuffer>[] = [];
  #position: number;
  #ending = false;
  #wake: () => void = () => {};

  /** Opens a watch; `onClose` is called when the client has stopped reading. */
  constructor(
    representation: Representation,
    log: EventLog,
    options: WatchOptions & { readonly onClose: (watch: Watch) => void },
  ) {
    this.#representation = representation;
    this.#log = log;
    this.#before = options.before;
    this.#position = options.from;
    const unfollow = log.follow(() => this.#wake());
    const close = () => {
      unfollow();
      options.onClose(this);
    };
    this.body = new ReadableStream({
      pull: async (controller) => {
        const chunk = await this.#next();
        if (chunk !== undefined) return controller.enqueue(chunk);
        controller.close();
        close();
      },
      cancel: close,
    }, { highWaterMark: 0 });
  }

  /** The number of the next event. */
  get position(): number {
    return this.#position;
  }

  /** Sends a bookmark with `resourceVersion`. */
  sendBookmark(resourceVersion: string): void {
    this.#send(this.#representation.bookmark(resourceVersion));
  }

  /** Sends an ERROR event with a Status. */
  sendError(status: JsonObject): void {
    this.#send(this.#representation.error(status));
  }

  /** Creates the events, unless the watch has none. */
  prepare(): void {
    if (this.#position < Infinity) this.#representation.events();
  }

  /** Ends the watch after everything sent before. */
  end(): void {
    this.#ending = true;
    this.#wake();
  }

  /** Sends bytes that are not an event of a Pod. */
  #send(bytes: Uint8Array<ArrayBuffer>): void {
    this.#extra.push(bytes);
    this.#wake();
  }

  async #next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    while (true) {
      const chunk = this.#ready();
      if (chunk !== undefined) return chunk;
      if (this.#ending) return undefined;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  #ready(): Uint8Array<ArrayBuffer> | undefined {
    const { done, value } = this.#before.next();
    if (!done) return value;
    const from = this.#position;
    if (from >= this.#log.count) return this.#extra.shift();
    const events = this.#representation.events();
    this.#position = events.chunkEnd(from, this.#log.count);
    return events.chunk(from, this.#position, this.#log.sentAtUs);
  }
}
