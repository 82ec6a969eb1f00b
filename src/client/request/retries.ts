import { describeError, networkFailure } from "../../base/mod.ts";
import { MAX_RETRY_AFTER_MS } from "../../types/mod.ts";
import type { ApiRequest } from "./api_request.ts";
import { retryAfterMs } from "./answer.ts";

/**
 * The delay before a retry after a network failure. client-go handles such failures like a `Retry-After` of 1 second.
 */
const NETWORK_RETRY_MS = 1000;

/**
 * The retries of one request. The rules are the same as in client-go's `withRetry`:
 *
 * - Responses with status 429 or 5xx are retried if they have a `Retry-After` header in whole seconds, for all methods.
 *   Unlike in client-go, which obeys a server that asks for a year, the wait is a minute at most.
 * - A GET is retried if the connection was reset or closed. A watch is also retried after a timeout.
 * - A refused connection is never retried.
 */
export class Retries {
  readonly #request: ApiRequest;
  readonly #limit: number;
  #count = 0;
  #failure: unknown;
  #previousFailure: unknown;

  /** Creates the retries of `request`. `maxRetries` is the default for the option of the request. */
  constructor(request: ApiRequest, maxRetries: number) {
    this.#request = request;
    this.#limit = request.maxRetries ?? maxRetries;
  }

  /** The number of retries so far. */
  get count(): number {
    return this.#count;
  }

  /** Returns the delay in milliseconds before a retry after an error response, or undefined to give up. */
  afterAnswer(response: Response): number | undefined {
    this.#track(undefined);
    const { status } = response;
    const asked = status === 429 || status >= 500 ? retryAfterMs(response) : undefined;
    return this.#again(asked === undefined ? undefined : Math.min(asked, MAX_RETRY_AFTER_MS));
  }

  /** Returns the delay in milliseconds before a retry after a network failure, or undefined to give up. */
  afterFailure(error: unknown): number | undefined {
    this.#track(error);
    return this.#again(this.isTransient(error) ? NETWORK_RETRY_MS : undefined);
  }

  /** Reports whether `error` is a transient network failure, after which the request may be retried. */
  isTransient(error: unknown): boolean {
    if (this.#request.method !== "GET") return false;
    const failure = networkFailure(error);
    return failure === "reset" || failure === "eof" ||
      (failure === "timeout" && this.#request.expects === "watch");
  }

  /** The previous failure, to append to an error message. Empty if there was none, or if both failures are the same. */
  get history(): string {
    if (this.#previousFailure === undefined) return "";
    const previous = describeError(this.#previousFailure);
    return previous === describeError(this.#failure)
      ? ""
      : ` - error from a previous attempt: ${previous}`;
  }

  #track(failure: unknown): void {
    if (this.#failure !== undefined) this.#previousFailure = this.#failure;
    this.#failure = failure;
  }

  #again(waitMs: number | undefined): number | undefined {
    if (waitMs === undefined || this.#count >= this.#limit) return undefined;
    this.#count++;
    return waitMs;
  }
}
