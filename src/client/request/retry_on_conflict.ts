import {
  type BackoffOptions,
  holdsInTime,
  TerminalError,
  type WaitOptions,
} from "../../base/mod.ts";
import { isConflict } from "../../types/mod.ts";

/** Five tries about 10 ms apart: for conflicts with other clients that write once in a while. */
export const defaultRetry: BackoffOptions = { steps: 5, durationMs: 10, factor: 1, jitter: 0.1 };

/** Four tries, 10, 50 and 250 ms apart: for conflicts with a controller that writes all the time. */
export const defaultBackoff: BackoffOptions = { steps: 4, durationMs: 10, factor: 5, jitter: 0.1 };

/** Options of {@linkcode retryOnConflict}. */
export interface RetryOptions extends WaitOptions {
  /** How often to try and how long to wait. Default {@linkcode defaultRetry}. */
  readonly backoff?: BackoffOptions | undefined;
}

/**
 * Calls `fn` again while it fails with a conflict (409). `fn` should read the object anew, change it and write it.
 *
 * @returns What `fn` returns.
 * @throws What `fn` throws: the last conflict when all tries are used up, anything else at once.
 *
 * @example
 * ```ts
 * import { retryOnConflict } from "@kubeloop/controller/client";
 * import { StatusError } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * let tries = 0;
 * const value = await retryOnConflict(() => {
 *   if (++tries < 3) throw new StatusError({ code: 409, reason: "Conflict" });
 *   return "written";
 * });
 * assertEquals([value, tries], ["written", 3]);
 * ```
 */
export function retryOnConflict<R>(fn: () => R | Promise<R>, options?: RetryOptions): Promise<R> {
  return retryOnError(isConflict, fn, options);
}

/**
 * Calls `fn` again while it fails with an error that is `retriable`.
 *
 * @returns What `fn` returns.
 * @throws {RangeError} When `options.backoff` allows no try.
 * @throws What `fn` throws: the last retriable error when all tries are used up, anything else at once.
 *
 * @example
 * ```ts
 * import { retryOnError } from "@kubeloop/controller/client";
 * import { assertEquals } from "@std/assert";
 *
 * let tries = 0;
 * const isPassing = (error: unknown) => error instanceof RangeError;
 * await retryOnError(isPassing, () => {
 *   if (++tries < 2) throw new RangeError("not yet");
 * });
 * assertEquals(tries, 2);
 * ```
 */
export async function retryOnError<R>(
  retriable: (error: unknown) => boolean,
  fn: () => R | Promise<R>,
  options: RetryOptions = {},
): Promise<R> {
  const { backoff = defaultRetry } = options;
  if (!((backoff.steps ?? 0) >= 1)) {
    throw new RangeError(`backoff.steps must be 1 or more: received ${backoff.steps}`);
  }
  let outcome!: { readonly value: R } | { readonly error: unknown };
  await holdsInTime(async () => {
    try {
      outcome = { value: await fn() };
      return true;
    } catch (error) {
      if (TerminalError.is(error) || !retriable(error)) throw error;
      outcome = { error };
      return false;
    }
  }, { ...options, backoff });
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
