import { type Clock, markMade, type Timer } from "@kubeloop/controller/internal/base";
import { bound } from "./ambient.ts";

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
  /** The timers and requests that keep the program running. */
  #open = 0;
  #idle: (() => void) | undefined;

  /** Begins a life. Its wall clock is `skewMs` ahead of `clock`. */
  constructor(clock: Clock, skewMs = 0) {
    this.#clock = clock;
    this.clock = {
      now: () => clock.now(),
      wallNow: () => clock.wallNow() + skewMs,
      setTimer: (callback, delayMs) => this.#setTimer(callback, delayMs),
    };
  }

  get isDead(): boolean {
    return this.#state === "dead";
  }

  /**
   * Calls `idle` when neither a timer nor a request keeps the program running, as when a runtime ends a program whose main
   * function has returned.
   */
  onIdle(idle: () => void): void {
    this.#idle = idle;
    this.#lookIdle();
  }

  /** Notes that a request keeps the program running. The returned function ends that. */
  begin(): () => void {
    this.#open++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#open--;
      this.#lookIdle();
    };
  }

  #lookIdle(): void {
    if (this.#open > 0 || this.#idle === undefined) return;
    // The code after the last answer may begin something else.
    this.#clock.setTimer(() => {
      if (this.#open === 0 && this.#state !== "dead") this.#idle?.();
    }, 0);
  }

  /** Ends the life. */
  kill(): void {
    this.#state = "dead";
    this.#idle = undefined;
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
    const end = this.begin();
    const call = bound(callback);
    const timer = this.#clock.setTimer(() =>
      this.#pass(() => {
        if (!cancelled) call();
        end();
      }), delayMs);
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
        end();
      },
    };
  }
}

/** The reactions to what happens to a body. */
export interface BodyEvents {
  /** Called with each chunk. */
  seen(chunk: Uint8Array): void;
  /** Registers a function that ends the connection, with an error or without. The returned function removes it. */
  onCut(cut: (error?: Error) => void): () => void;
}

/** Passes a body on to the process while it is running. */
export function livingBody(
  body: ReadableStream<Uint8Array>,
  life: Life,
  { onCut, seen }: BodyEvents,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const end = life.begin();
  const forget = life.onDeath(() => void reader.cancel().catch(() => {}));
  let remove = () => {};
  let isOver = false;
  const unregister = () => {
    if (isOver) return;
    isOver = true;
    forget();
    remove();
    end();
  };
  const living = new ReadableStream<Uint8Array>({
    start(controller) {
      remove = onCut((error) => {
        unregister();
        if (error === undefined) controller.close();
        else controller.error(error);
        void reader.cancel().catch(() => {});
      });
    },
    async pull(controller) {
      let result;
      try {
        result = await reader.read();
      } catch (error) {
        unregister();
        return await life.fail(error);
      }
      const { done, value } = await life.deliver(result);
      if (isOver) return; // The connection was cut meanwhile.
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
  markMade(living);
  return living;
}
