import { describeError, networkFailure } from "../../base/mod.ts";
import type { ApiRequest } from "./api_request.ts";
import { retryAfterMs } from "./answer.ts";

/** How long to wait after the network failed: client-go acts as if the server had said `Retry-After: 1`. */
const NETWORK_RETRY_MS = 1000;

/**
 * Which failures of one request are worth another try, as client-go's `withRetry` has it.
 *
 * - 429 and 5xx, when the server says in whole seconds when to come back; whatever the method.
 * - GET: a connection that was reset or closed; a watch also when it timed out. A refused connection never.
 */
export class Retries {
  readonly #request: ApiRequest;
  readonly #limit: number;
  #count = 0;
  #failure: unknown;
  #previousFailure: unknown;

  /** The retries of `request`, at most `maxRetries` unless the request says otherwise. */
  constructor(request: ApiRequest, maxRetries: number) {
    this.#request = request;
    this.#limit = request.maxRetries ?? maxRetries;
  }

  /** How often the request has been made again. */
  get count(): number {
    return this.#count;
  }

  /** In how many milliseconds to ask again after this answer; undefined: not at all. */
  afterAnswer(response: Response): number | undefined {
    this.#track(undefined);
    const { status } = response;
    return status === 429 || status >= 500 ? this.#again(retryAfterMs(response)) : undefined;
  }

  /** In how many milliseconds to ask again after the network failed; undefined: not at all. */
  afterFailure(error: unknown): number | undefined {
    this.#track(error);
    return this.#again(this.isTransient(error) ? NETWORK_RETRY_MS : undefined);
  }

  /** Whether the network may well work the next time. */
  isTransient(error: unknown): boolean {
    if (this.#request.method !== "GET") return false;
    const failure = networkFailure(error);
    return failure === "reset" || failure === "eof" ||
      (failure === "timeout" && this.#request.watch === true);
  }

  /** What failed before the last failure, for its message; empty when it was the same or nothing. */
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
