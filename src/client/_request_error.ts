import { describeError, networkFailure } from "../base/mod.ts";
import type { RequestLocation } from "./_api_request.ts";

/** The error for a request that got no answer, or only a part of one. `cause` is what the runtime threw. */
export function requestFailed(
  { method, url }: RequestLocation,
  cause: unknown,
  history = "",
): Error {
  const { origin, pathname } = new URL(url);
  const message = describeError(cause);
  return new Error(`${method} ${origin}${pathname} failed: ${message}${remedy(cause)}${history}`, {
    cause,
  });
}

function remedy(cause: unknown): string {
  if (networkFailure(cause) === "refused") {
    return "; is the API server running, and the address right?";
  }
  const message = describeError(cause);
  if (/certificate|UnknownIssuer|self.signed/i.test(message)) {
    return "; is the cluster's certificate authority given (caFile), and the name in the certificate right?";
  }
  if (/dns error|lookup|ENOTFOUND|name resolution/i.test(message)) {
    return "; is the host name of the server URL right?";
  }
  if (/NotCapable|permission|Requires (net|read) access/i.test(message)) {
    return "; grant the process the permission";
  }
  return "";
}
