import {
  type BackoffOptions,
  ENVIRONMENT_CHECKS,
  holdsInTime,
  isObject,
  isSignal,
  type OptionChecks,
  requireOptions,
  requireSync,
  TerminalError,
  type WaitOptions,
} from "../../base/mod.ts";
import { isConflict } from "../../types/mod.ts";

/**
 * The backoff of client-go's `retry.DefaultRetry`: five tries, about 10 ms apart. Use it for conflicts with clients
 * that write occasionally.
 *
 * @example Custom numbers
 * ```ts
 * import { defaultRetry, retryOnConflict } from "@kubeloop/controller/client";
 * import { assertEquals } from "@std/assert";
 *
 * const patient = { ...defaultRetry, steps: 20, capMs: 1_000 };
 * assertEquals(await retryOnConflict(() => "written", { backoff: patient }), "written");
 * ```
 */
export const defaultRetry: BackoffOptions = Object.freeze({
  steps: 5,
  durationMs: 10,
  factor: 1,
  jitter: 0.1,
});

/**
 * The backoff of client-go's `retry.DefaultBackoff`: four tries, 10, 50 and 250 ms apart. Use it for conflicts with a
 * controller that writes continuously. To change a number, spread it into a new object, as with
 * {@linkcode defaultRetry}.
 */
export const defaultBackoff: BackoffOptions = Object.freeze({
  steps: 4,
  durationMs: 10,
  factor: 5,
  jitter: 0.1,
});

/** Options of {@linkcode retryOnConflict}. */
export interface RetryOptions extends WaitOptions {
  /** The number of tries and the delays between them. Default {@linkcode defaultRetry}. */
  readonly backoff?: BackoffOptions | undefined;
}

const CHECKS: OptionChecks<RetryOptions> = {
  signal: isSignal,
  clock: ENVIRONMENT_CHECKS.clock,
  random: ENVIRONMENT_CHECKS.random,
  backoff: isObject,
};

/**
 * Calls a function, and calls it again while it fails with a conflict (409). Corresponds to client-go's
 * `retry.RetryOnConflict`.
 *
 * @typeParam R The type of the result.
 * @param fn Reads the current object, changes it and writes it.
 * @param options The backoff, the signal, the clock and the random source.
 * @returns The result of `fn`.
 * @throws {RangeError} If `options.backoff` allows no try, or a number in it is out of range.
 * @throws The error of `fn`: the last conflict after all tries, any other error immediately. After an abort,
 * `signal.reason`.
 *
 * @example
 * ```ts
 * import { Client, retryOnConflict } from "@kubeloop/controller/client";
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client({ fetch: server.fetch });
 * const namespace = "default";
 * await client.create(ConfigMaps, { metadata: { name: "counter", namespace }, data: { n: "0" } });
 *
 * const increment = () =>
 *   retryOnConflict(async () => {
 *     const counter = await client.get(ConfigMaps, "counter", { namespace });
 *     const n = `${Number(counter.data?.n) + 1}`;
 *     return await client.update(ConfigMaps, { ...counter, data: { n } });
 *   });
 * await Promise.all([increment(), increment()]);
 * assertEquals((await client.get(ConfigMaps, "counter", { namespace })).data, { n: "2" });
 * ```
 */
export function retryOnConflict<R>(fn: () => R | Promise<R>, options?: RetryOptions): Promise<R> {
  return retryOnError(isConflict, fn, options);
}

/**
 * Calls a function, and calls it again while it fails with a retriable error. Corresponds to client-go's
 * `retry.OnError`. A `TerminalError`, such as that of a closed client, is never retried, whatever `retriable` returns.
 *
 * @typeParam R The type of the result.
 * @param retriable Reports whether to try again after an error.
 * @param fn The function.
 * @param options The backoff, the signal, the clock and the random source.
 * @returns The result of `fn`.
 * @throws {RangeError} If `options.backoff` allows no try, or a number in it is out of range.
 * @throws The error of `fn`: the last retriable error after all tries, any other error immediately. After an abort,
 * `signal.reason`.
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
  requireOptions("retryOnError()", options, CHECKS);
  const { backoff = defaultRetry } = options;
  if (!((backoff.steps ?? 0) >= 1)) {
    throw new RangeError(`backoff.steps must be at least 1: received ${backoff.steps}`);
  }
  let outcome!: { readonly value: R } | { readonly error: unknown };
  await holdsInTime(async () => {
    try {
      outcome = { value: await fn() };
      return true;
    } catch (error) {
      if (TerminalError.is(error)) throw error;
      if (!requireSync("retriable of retryOnError()", retriable(error))) throw error;
      outcome = { error };
      return false;
    }
  }, { ...options, backoff });
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
