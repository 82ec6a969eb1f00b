import { describeError, type Logger, networkFailure } from "../../base/mod.ts";
import { explainError, isExpired, StatusError } from "../../types/mod.ts";
import type { ObservedReflector, WatchErrorHandler } from "./reflector_options.ts";

/**
 * Returns the default {@linkcode WatchErrorHandler}. It logs an expired resource version as information, since servers
 * expire versions all the time, and everything else as a warning.
 *
 * client-go also logs a closed connection as information. Here a watch whose connection closes is resumed without a
 * report, so this handler sees only failed lists and watches that did not open.
 */
export function logWatchError(logger: Logger): WatchErrorHandler {
  return (reflector: ObservedReflector, error: unknown): void => {
    const line = `${reflector.name}: ${explainError(error)}; trying again`;
    if (isExpired(error)) logger.info(line);
    else logger.warn(line, ...stackOf(error));
  };
}

/**
 * Returns the error that reports a failed request, in client-go's words: "Failed to list Pod: …". For a StatusError it
 * returns a StatusError, so that `isForbidden` and similar functions still apply.
 */
export function requestFailure(verb: "list" | "watch", kind: string, error: unknown): Error {
  const message = `Failed to ${verb} ${kind}: ${describeError(error)}`;
  if (!StatusError.is(error)) return new Error(message, { cause: error });
  const { status, method, url, retryAfterMs } = error;
  return new StatusError(status, { method, url, retryAfterMs, message, cause: error });
}

/**
 * Returns the arguments that add the stack of an error to a log line: the error if code threw it, nothing if the server
 * or the network reported it.
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
