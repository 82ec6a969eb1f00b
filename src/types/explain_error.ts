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
 *   "Unauthorized (401 Unauthorized): the server accepts no credentials of this request, give a valid token or client certificate",
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

/**
 * Matches the answer of an authorizer, such as `pods is forbidden: User "a" cannot list resource "pods"`. Quotas, admission
 * plugins, webhooks and terminating namespaces answer 403 Forbidden too.
 */
const DENIAL = /^(?:(?:[^\s"]+ (?:"[^"]*" )?is )?forbidden: )?User "([^"]*)" cannot \S/;

/**
 * Reports whether a request was refused because its user lacks a right, rather than for one of the other reasons for 403.
 *
 * @internal
 */
export function isMissingRight(error: unknown): boolean {
  return isForbidden(error) && StatusError.is(error) && DENIAL.test(error.message);
}

function remedy(error: StatusError): string {
  if (isUnauthorized(error)) {
    return ": the server accepts no credentials of this request, give a valid token or client certificate";
  }
  if (isMissingRight(error)) {
    const [, user] = DENIAL.exec(error.message) ?? [];
    return user === "system:anonymous"
      ? ": the server knows no user for this request, give credentials that it accepts, such as a token or a client certificate"
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
