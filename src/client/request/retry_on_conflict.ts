import {
  type BackoffOptions,
  holdsInTime,
  TerminalError,
  type WaitOptions,
} from "../../base/mod.ts";
import { isConflict } from "../../types/mod.ts";

/**
 * client-go's `retry.DefaultRetry`: five tries, about 10 ms apart. For conflicts with clients that write once in a while.
 *
 * @example The same with other numbers
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
 * client-go's `retry.DefaultBackoff`: four tries, 10, 50 and 250 ms apart. For conflicts with a controller that writes all
 * the time. As with {@linkcode defaultRetry}, a spread of it takes other numbers.
 */
export const defaultBackoff: BackoffOptions = Object.freeze({
  steps: 4,
  durationMs: 10,
  factor: 5,
  jitter: 0.1,
});

/** Options of {@linkcode retryOnConflict}. */
export interface RetryOptions extends WaitOptions {
  /** How often to try and how long to wait in between. Default {@linkcode defaultRetry}. */
  readonly backoff?: BackoffOptions | undefined;
}

/**
 * Calls a function again while it fails with a conflict (409): client-go's `retry.RetryOnConflict`.
 *
 * @typeParam R What the function returns.
 * @param fn Reads the object anew, changes it and writes it.
 * @param options The backoff, and what it runs on.
 * @returns What `fn` returns.
 * @throws {RangeError} If `options.backoff` allows no try, or a number of it cannot be used.
 * @throws What `fn` throws: the last conflict when all tries are used up, any other error at once. `signal.reason` on an
 * abort.
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
 * Calls a function again while it fails with an error that a retry may mend: client-go's `retry.OnError`. A
 * `TerminalError`, such as that of a closed client, ends it whatever `retriable` says.
 *
 * @typeParam R What the function returns.
 * @param retriable Reports whether to try again after an error.
 * @param fn The function.
 * @param options The backoff, and what it runs on.
 * @returns What `fn` returns.
 * @throws {RangeError} If `options.backoff` allows no try, or a number of it cannot be used.
 * @throws What `fn` throws: the last retriable error when all tries are used up, any other error at once. `signal.reason`
 * on an abort.
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
    throw new RangeError(`backoff.steps must be at least 1: received ${backoff.steps}`);
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
