import {
  describeError,
  isConnectionRefused,
  oneLine,
  type Redact,
  visibleText,
} from "../base/mod.ts";
import {
  isExpired,
  isMissingRight,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
} from "../types/mod.ts";

const MAX_LENGTH = 500;

/** The kind of an error of a watch. */
export type ProblemKind = "right_missing" | "definition_missing" | "watch_failing";

/** Returns the kind of an error of a watch. */
export function problemKind(error: unknown): ProblemKind {
  if (isMissingRight(error)) return "right_missing";
  return isNotFound(error) ? "definition_missing" : "watch_failing";
}

/** Returns an error in one sentence, without credentials. */
export function problemText(error: unknown, redact: Redact): string {
  return visibleText(oneLine(redact(describeError(error))), MAX_LENGTH);
}

/** Returns what to do about an error of a list or a watch, in one sentence. */
export function remedyOf(error: unknown): string {
  if (isMissingRight(error)) return RIGHT_REMEDY;
  if (isUnauthorized(error)) return "Give the program credentials that the server accepts.";
  if (isNotFound(error)) return DEFINITION_REMEDY;
  if (isTooManyRequests(error)) {
    return "None, unless it lasts: the server is busy, and is asked again later.";
  }
  if (isExpired(error)) return "None: the objects are listed again.";
  if (isConnectionRefused(error)) {
    return "Check that the server runs, and that its address is right.";
  }
  return "None, unless it lasts: it is tried again with growing delays. Check the server and the network.";
}

export const RIGHT_REMEDY =
  "Grant the right with a Role and a RoleBinding: manager.rbac() prints those of all controllers.";
export const DEFINITION_REMEDY =
  "Install the CustomResourceDefinition in this version: the watch begins by itself.";
