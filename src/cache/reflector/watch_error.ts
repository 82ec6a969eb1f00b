import { describeError, type Logger, networkFailure } from "../../base/mod.ts";
import { explainError, isExpired, StatusError } from "../../types/mod.ts";
import type { ObservedReflector, WatchErrorHandler } from "./reflector_options.ts";

/**
 * The default {@linkcode WatchErrorHandler}: logs an expired version as information, since servers expire versions all the
 * time, and everything else as a warning. (client-go logs a closed connection as information too. Here a watch whose
 * connection closes is resumed without a report, so what arrives here is a failed list or a watch that did not open.)
 */
export function logWatchError(logger: Logger): WatchErrorHandler {
  return (reflector: ObservedReflector, error: unknown): void => {
    const line = `${reflector.name}: ${explainError(error)}; trying again`;
    if (isExpired(error)) logger.info(line);
    else logger.warn(line, ...stackOf(error));
  };
}

/**
 * The error that reports a failed request, as client-go words it: "Failed to list Pod: …". A StatusError stays one, so that
 * `isForbidden` and the like still apply.
 */
export function requestFailure(verb: "list" | "watch", kind: string, error: unknown): Error {
  const message = `Failed to ${verb} ${kind}: ${describeError(error)}`;
  if (!StatusError.is(error)) return new Error(message, { cause: error });
  const { status, method, url, retryAfterMs } = error;
  return new StatusError(status, { method, url, retryAfterMs, message, cause: error });
}

/**
 * The error as a further argument of a log line, where its stack helps: not for what a server or the network reports, but
 * for what code threw.
 */
export function stackOf(error: unknown): unknown[] {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (StatusError.is(current) || networkFailure(current) !== undefined) return [];
    if (current.cause === undefined) return [current];
    current = current.cause;
  }
  return [];
}
