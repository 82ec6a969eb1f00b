import { badRequest, durationError, durationMs } from "../../values/mod.ts";
import type { RequestInfo } from "./request_info.ts";

/** The subresources whose requests run as long as the client wants. */
const LONG_RUNNING: ReadonlySet<string> = new Set([
  "attach",
  "exec",
  "log",
  "portforward",
  "proxy",
]);

/**
 * Checks the `timeout` parameter, which every request can have that does not run as long as the client wants.
 *
 * @throws {ApiError} 400, if it is not a duration.
 */
export function requireTimeout(info: RequestInfo, query: URLSearchParams): void {
  if (info.verb === "watch" || isLongRunning(info)) return;
  const problem = durationError(query.get("timeout") || "0");
  if (problem === undefined) return;
  throw badRequest(`invalid timeout specified in the request URL - ${problem}`);
}

/** Reports whether a request other than a watch runs as long as the client wants. Such a request skips flow control. */
export function isLongRunning({ subresource, verb }: RequestInfo): boolean {
  return verb !== "watch" && LONG_RUNNING.has(subresource.split("/")[0]!);
}

/** How long a request may take, in milliseconds, as in a real server. */
const MAX_MS = 60_000;

/** How long a write of one object may take, in milliseconds, as in a real server. */
const MAX_WRITE_MS = 34_000;

/** Returns how long a write of one object may take, in milliseconds. The `timeout` parameter is valid. */
export function writeTimeoutMs(query: URLSearchParams): number {
  const asked = durationMs(query.get("timeout") || "0");
  return Math.min(asked > 0 ? asked : MAX_MS, MAX_WRITE_MS);
}
