import { RingBuffer, Waiters } from "../../base/mod.ts";
import type { Story } from "./story.ts";
import type { StoryRecord } from "./story_recorder.ts";

/** The maximum number of stories that wait for a slow reader. */
const MAX_WAITING = 1_000;

/** The stream of ended stories for one reader. */
export class StoryStream implements AsyncIterableIterator<Story> {
  readonly #waiting = new RingBuffer<StoryRecord>();
  readonly #waiters = new Waiters();
  readonly #signal: AbortSignal | undefined;
  readonly #onEnd: () => void;
  readonly #onAbort = () => this.end();
  #missed = 0;
  #isEnded = false;

  constructor(signal: AbortSignal | undefined, onEnd: () => void) {
    this.#signal = signal;
    this.#onEnd = onEnd;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  push(record: StoryRecord): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#waiting.shift();
      this.#missed++;
    }
    this.#waiting.push(record);
    this.#waiters.wakeAll();
  }

  /** Ends the stream. Waiting stories are still delivered, unless the signal has aborted. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#onEnd();
    this.#waiters.wakeAll();
  }

  async next(): Promise<IteratorResult<Story, undefined>> {
    for (;;) {
      this.#signal?.throwIfAborted();
      const record = this.#waiting.shift();
      if (record !== undefined) {
        const missed = this.#missed;
        this.#missed = 0;
        const story = record.story();
        return { done: false, value: missed === 0 ? story : { ...story, missed } };
      }
      if (this.#isEnded) return { done: true, value: undefined };
      await this.#waiters.wait();
    }
  }

  return(): Promise<IteratorResult<Story, undefined>> {
    this.#waiting.clear();
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
