import { describeError, oneLine, visibleText } from "../base/mod.ts";
import {
  isForbidden,
  isNotFound,
  isUnauthorized,
  messageWithBreaks,
  StatusError,
} from "./status_error.ts";

/** The longest explanation, in characters. */
const MAX_LENGTH = 10_000;

/**
 * Returns a one-line explanation of an error for people: what went wrong, and what to do about it. Meant for the last
 * message of a program that fails.
 *
 * @example
 * ```ts
 * import { explainError, StatusError } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const error = new StatusError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
 * assertEquals(
 *   explainError(error),
 *   "Unauthorized (401 Unauthorized): the token is wrong or has expired, give another",
 * );
 * ```
 */
export function explainError(error: unknown): string {
  if (!StatusError.is(error)) return shown(describeError(error));
  const { code, reason } = error;
  const message = messageWithBreaks(error);
  const verdict = `${code || ""} ${reason}`.trim();
  return shown(`${message}${verdict && ` (${verdict})`}${remedy(error)}`);
}

function remedy(error: StatusError): string {
  if (isUnauthorized(error)) return ": the token is wrong or has expired, give another";
  if (isForbidden(error)) {
    return /system:anonymous/.test(error.message)
      ? ": no credentials were sent, give a token or a client certificate"
      : ": grant the right with a Role and a RoleBinding (or a ClusterRole and a ClusterRoleBinding)";
  }
  // A Status about a missing object names the object; a Status about a missing resource names nothing.
  if (isNotFound(error) && error.status.details?.name === undefined) {
    return ": is the resource's CustomResourceDefinition installed, in this version?";
  }
  return "";
}

function shown(text: string): string {
  return visibleText(oneLine(text), MAX_LENGTH);
}
