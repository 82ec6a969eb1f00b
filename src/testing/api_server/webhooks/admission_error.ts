import {
  ApiError,
  badRequest,
  getObject,
  getOwn,
  getPath,
  getString,
  type JsonObject,
  quote,
} from "../../values/mod.ts";
import type { Status } from "@kubeloop/controller/types";

/** Returns the message of a webhook that could not be called. */
export function callFailure(webhook: string, reason: string): string {
  return `failed calling webhook ${quote(webhook)}: ${reason}`;
}

/** Returns the 400 for a dry run that would call a webhook with side effects. */
export function noDryRun(webhook: string): ApiError {
  return badRequest(`admission webhook ${quote(webhook)} does not support dry run`);
}

/** Returns the error for a request that a webhook denies: its own Status, with a code of at least 400. */
export function denied(webhook: string, status: JsonObject = {}): ApiError {
  const by = `admission webhook ${quote(webhook)} denied the request`;
  const why = getString(status, "message") || getString(status, "reason");
  const code = getOwn(status, "code");
  const details = getOwn(status, "details");
  const reason = getString(status, "reason");
  const outcome = getString(status, "status");
  const seconds = getPath(details, "retryAfterSeconds");
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: getObject(status, "metadata"),
    status: outcome === "" || outcome === "Success" ? "Failure" : outcome,
    message: why === "" ? `${by} without explanation` : `${by}: ${why}`,
    ...(reason === "" ? {} : { reason }),
    ...(details === undefined || details === null ? {} : { details }),
    code: typeof code === "number" && Number.isInteger(code) && code >= 400 && code <= 599
      ? code
      : 400,
  } as Status, seconds === undefined ? {} : { "Retry-After": String(seconds) });
}
