import { type BackoffOptions, TerminalError } from "../base/mod.ts";
import { isConflict, isForbidden, StatusError } from "../types/mod.ts";

/** Delays after failed attempts. */
export const RETRY: BackoffOptions = {
  durationMs: 500,
  factor: 2,
  jitter: 0.1,
  steps: Infinity,
  capMs: 10_000,
};

/** Codes below 500 after which a retry may succeed: timeout, conflict, too many requests. */
const TEMPORARY: readonly number[] = [408, 409, 429];

/** Reports whether a retry would fail too. */
export function isFinal(error: unknown): boolean {
  if (StatusError.is(error)) {
    return !isConflict(error) && !isFailedTest(error) &&
      (isForbidden(error) || (error.code >= 400 && error.code < 500)) &&
      !TEMPORARY.includes(error.code);
  }
  return TerminalError.is(error);
}

/** Reports whether the test of a JSON patch failed because the object has changed. The server gives no causes then. */
function isFailedTest(error: StatusError): boolean {
  return error.code === 422 && error.status.details?.causes === undefined;
}
