import type { Clock, Timer } from "@kubeloop/controller/internal/base";

/** Returns a promise that never settles, for a dead process. */
function never<T>(): Promise<T> {
  return new Promise(() => {});
}

/**
 * One life of a process, from its start until it is killed. A program in JavaScript cannot be killed, but it can be cut
 * off: no timer of a dead life fires, no answer reaches it, and none of its requests is sent. Nothing is cleaned up, as
 * when a machine loses its power.
 */
export class Life {
  /** The clock of the process. */
  readonly clock: Clock;
  readonly #clock: Clock;
  #state: "running" | "paused" | "dead" = "running";
  #waiting: (() => void)[] = [];
  /** The callbacks that come after all of `#waiting`. */
  #last: (() => void)[] = [];
  #onDeath = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.clock = {
      now: () => clock.now(),
      wallNow: () => clock.wallNow(),
      setTimer: (callback, delayMs) => this.#setTimer(callback, delayMs),
    };
  }

  get isDead(): boolean {
    return this.#state === "dead";
  }

  /** Ends the life. */
  kill(): void {
    this.#state = "dead";
    this.#waiting = [];
    this.#last = [];
    for (const end of this.#onDeath) end();
    this.#onDeath.clear();
  }

  /** Delays timers and answers until {@linkcode Life.resume}. */
  pause(): void {
    if (this.#state === "running") this.#state = "paused";
  }

  /** Ends a pause: delivers the delayed timers and answers, in order. */
  resume(): void {
    if (this.#state !== "paused") return;
    this.#state = "running";
    const waiting = [...this.#waiting, ...this.#last];
    this.#waiting = [];
    this.#last = [];
    // One after another, as timers are: a callback may pause or end the life again.
    for (const callback of waiting) this.#clock.setTimer(() => this.#pass(callback), 0);
  }

  /** Calls `end` when the life ends. Returns a function that removes the callback. */
  onDeath(end: () => void): () => void {
    this.#onDeath.add(end);
    return () => this.#onDeath.delete(end);
  }

  /** Passes a result on to the process when it is running. If it is dead, the promise never settles. */
  deliver<T>(result: T): T | Promise<T> {
    if (this.#state === "running") return result;
    if (this.#state === "dead") return never();
    return new Promise((resolve) => this.#waiting.push(() => resolve(result)));
  }

  /**
   * Resolves when a pause is over, after all delayed timers and answers: a paused process must act on its old knowledge
   * before it gets the answer to this request.
   */
  outlast(): Promise<void> {
    if (this.#state !== "paused") return Promise.resolve(this.deliver(undefined));
    return new Promise((resolve) => this.#last.push(resolve));
  }

  /** Passes an error on to the process, as {@linkcode Life.deliver} does with a result. */
  async fail(error: unknown): Promise<never> {
    await this.deliver(undefined);
    throw error;
  }

  #pass(callback: () => void): void {
    if (this.#state === "running") callback();
    else if (this.#state === "paused") this.#waiting.push(callback);
  }

  #setTimer(callback: () => void, delayMs: number): Timer {
    if (this.#state === "dead") return { cancel() {} };
    let cancelled = false;
    const timer = this.#clock.setTimer(() =>
      this.#pass(() => {
        if (!cancelled) callback();
      }), delayMs);
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
      },
    };
  }
}

/** Passes a body on to the process while it is running, and calls `seen` with each chunk. */
export function livingBody(
  body: ReadableStream<Uint8Array>,
  life: Life,
  seen: (chunk: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const unregister = life.onDeath(() => void reader.cancel().catch(() => {}));
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let result;
      try {
        result = await reader.read();
      } catch (error) {
        unregister();
        return await life.fail(error);
      }
      const { done, value } = await life.deliver(result);
      if (done) {
        unregister();
        controller.close();
        return;
      }
      seen(value);
      controller.enqueue(value);
    },
    cancel(reason) {
      unregister();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
