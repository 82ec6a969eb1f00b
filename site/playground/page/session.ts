/// <reference lib="dom" />
import type { Answer, ProgramProblem, Request } from "../protocol.ts";

/**
 * The time after which a worker that does not answer is stopped, the same for its first answer, for which a slow machine must
 * read megabytes, and the time between two checks, in milliseconds.
 */
const SILENCE_MS = 3_000;
const START_MS = 30_000;
const CHECK_MS = 500;
/** The maximum number of answers that the page has not asked for, and the maximum size of an answer, in characters. */
const MAX_UNASKED = 100;
const MAX_ANSWER = 16 * 1024 * 1024;

/** An error that the page shows. */
export class SessionError extends Error {
  /** The line of the program, from 1, if it is known. */
  readonly line: number | undefined;

  constructor({ line, message }: ProgramProblem) {
    super(message);
    this.line = line;
  }
}

/** A worker with one program. It is stopped when it hangs. */
export class Session {
  readonly #worker: Worker;
  readonly #calls = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #onEnd: (reason: string) => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #lastId = 0;
  #unasked = 0;
  #askedAt: number | undefined;
  #isLate = false;
  #hasAnswered = false;
  #hasEnded = false;

  /** Starts a worker with the script at `url`. `onEnd` is called when it was stopped because of what it does. */
  constructor(url: string, onEnd: (reason: string) => void) {
    this.#onEnd = onEnd;
    this.#worker = new Worker(url);
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(`The worker has failed: ${event.message ?? "it could not start"}`);
    };
    this.#timer = setInterval(() => this.#check(), CHECK_MS);
    // It is answered before the program starts.
    this.#check();
  }

  /** Sends a request. Rejects with a {@linkcode SessionError}. */
  call(request: Request): Promise<unknown> {
    const call = Promise.withResolvers<unknown>();
    if (this.#hasEnded) call.reject(new SessionError({ message: "The program was stopped" }));
    else {
      const id = ++this.#lastId;
      this.#calls.set(id, call);
      this.#worker.postMessage(JSON.stringify({ id, request }));
    }
    return call.promise;
  }

  /** Stops the worker at once. */
  end(reason = "The program was stopped"): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#timer);
    this.#worker.terminate();
    for (const call of this.#calls.values()) call.reject(new SessionError({ message: reason }));
    this.#calls.clear();
  }

  #receive(data: unknown): void {
    if (this.#hasEnded) return;
    const answer = typeof data === "string" && data.length <= MAX_ANSWER ? parsed(data) : undefined;
    const call = answer === undefined ? undefined : this.#calls.get(answer.id);
    if (answer === undefined || call === undefined) {
      if (++this.#unasked > MAX_UNASKED) this.#fail("The program sent too many messages.");
      return;
    }
    this.#calls.delete(answer.id);
    if ("problem" in answer) call.reject(new SessionError(answer.problem));
    else call.resolve(answer.value);
  }

  /** Asks for a sign of life, and stops a worker that has not given the one before. */
  #check(): void {
    const now = performance.now();
    if (this.#askedAt === undefined) {
      this.#askedAt = now;
      this.call({ do: "progress" }).then(() => {
        this.#askedAt = undefined;
        this.#isLate = false;
        this.#hasAnswered = true;
      }, () => {});
    } else if (now - this.#askedAt > (this.#hasAnswered ? SILENCE_MS : START_MS)) {
      // A page that was asleep may have the answer already.
      if (this.#isLate) {
        this.#fail(
          `The program did not give way for ${
            SILENCE_MS / 1000
          } s and was stopped: does it loop without an await?`,
        );
      }
      this.#isLate = true;
    }
  }

  #fail(reason: string): void {
    if (this.#hasEnded) return;
    this.end(reason);
    this.#onEnd(reason);
  }
}

function parsed(text: string): Answer | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && typeof value?.id === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}
