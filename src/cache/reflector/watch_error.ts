import type { Logger } from "../../base/mod.ts";
import { explainError, isExpired } from "../../types/mod.ts";
import type { ObservedReflector, WatchErrorHandler } from "./reflector_options.ts";

/**
 * The {@linkcode WatchErrorHandler} that is there unless another is set: an expired version is everyday life and logged as
 * information, everything else is a warning. (To client-go a connection that was closed is no news either; but a reflector
 * here resumes a watch that broke without any report, so what comes here is a list, or a watch that could not be opened.)
 */
export function logWatchError(logger: Logger): WatchErrorHandler {
  return (reflector: ObservedReflector, error: unknown): void => {
    const line = `${reflector.name}: list and watch failed and will be tried again: ${
      explainError(error)
    }`;
    if (isExpired(error)) logger.info(line);
    else logger.warn(line);
  };
}
