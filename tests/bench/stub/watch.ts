import type { EventLog } from "./event_log.ts";
import type { Representation } from "./representation.ts";

/** What a watch begins with. */
export interface WatchOptions {
  /** The number of the first event that it gets. */
  readonly from: number;
  /** Sent before that, such as the initial events of a streaming list. */
  readonly before: Iterator<Uint8Array<ArrayBuffer>>;
}

/** One open watch: a body that follows the log, as fast as it is read. */
export class Watch {
  /** Its bytes. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #log: EventLog;
  readonly #representation: Representation;
  readonly #before: Iterator<Uint8Array<ArrayBuffer>>;
  /** What is sent between events: bookmarks, errors. */
  readonly #extra: Uint8Array<ArrayBuffer>[] = [];
  #position: number;
  #ending = false;
  #wake: () => void = () => {};

  /** Opens a watch; `onClose` is called when nobody reads it any more. */
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

  /** The number of the event that comes next. */
  get position(): number {
    return this.#position;
  }

  /** Says that nothing has happened up to `resourceVersion` that the watch has not been told. */
  sendBookmark(resourceVersion: string): void {
    this.send(this.#representation.bookmark(resourceVersion));
  }

  /** Sends something that is no event of a Pod. */
  send(bytes: Uint8Array<ArrayBuffer>): void {
    this.#extra.push(bytes);
    this.#wake();
  }

  /** Ends the watch, after what was sent. */
  end(): void {
    this.#ending = true;
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
