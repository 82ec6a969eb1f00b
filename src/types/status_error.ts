import { Brand, findCause, visibleText } from "../base/mod.ts";
import { isWait, readStatus } from "./read_status.ts";
import type { Status } from "./minimal/mod.ts";

/** Options of a {@linkcode StatusError}: details of the failed request. */
export interface StatusErrorOptions {
  /** The HTTP method of the request. */
  readonly method?: string | undefined;
  /** The URL of the request, without credentials. */
  readonly url?: string | undefined;
  /** How long the server asks to wait before the next try, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The cause of the error. */
  readonly cause?: unknown;
  /** The message of the error. Default: the message of the Status. */
  readonly message?: string | undefined;
}

const brand = new Brand("StatusError");

/** The longest message, in characters. The messages of the API server for invalid objects are shorter. */
const MAX_MESSAGE_LENGTH = 4_096;

/**
 * A failure that the API server reported. Has the {@linkcode Status}, the HTTP status code, and the method and URL of
 * the request. Never contains a token.
 *
 * Fields of the Status that do not have their type are left out. The message is one line: invisible characters are
 * written as in JSON, and a message of more than 4,096 characters is cut. `status.message` has it unchanged, up to
 * 16,384 characters.
 *
 * Recognize it with {@linkcode StatusError.is}, which also recognizes errors of another copy of this package.
 *
 * @example Treat "not found" as an answer
 * ```ts
 * import { isNotFound, StatusError } from "@kubeloop/controller/types";
 * import { assert } from "@std/assert";
 *
 * const error = new StatusError({ code: 404, reason: "NotFound", message: 'pods "a" not found' });
 * assert(StatusError.is(error) && isNotFound(error));
 * ```
 */
export class StatusError extends Error {
  /** Always `StatusError`. */
  override readonly name: string = "StatusError";
  /** The Status that the server returned. */
  readonly status: Status;
  /** The HTTP status code, or the code of the ERROR event. */
  readonly code: number;
  /** The HTTP method of the request. */
  readonly method: string | undefined;
  /** The URL of the request. */
  readonly url: string | undefined;
  /** How long the server asks to wait before the next try, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  /** Creates the error of a Status. */
  constructor(status: Status, options: StatusErrorOptions = {}) {
    const read = readStatus(status);
    const code = read.code ?? 0;
    const message = options.message || read.message ||
      `The server answered ${code || "with a failure"}`;
    super(
      visibleText(message, MAX_MESSAGE_LENGTH),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    brand.put(this);
    this.status = read;
    this.code = code;
    this.method = options.method;
    this.url = options.url;
    const seconds = read.details?.retryAfterSeconds;
    this.retryAfterMs = isWait(options.retryAfterMs)
      ? options.retryAfterMs
      : seconds === undefined
      ? undefined
      : seconds * 1000;
  }

  /** The reason that the server gave, such as `NotFound`; empty if it gave none. */
  get reason(): string {
    return this.status.reason ?? "";
  }

  /** Reports whether `error` is a StatusError, of this or of another copy of the package. */
  static is(error: unknown): error is StatusError {
    return brand.isOn(error);
  }
}

/**
 * Returns the message of an error with the line breaks of its Status, for a caller that puts it on one line.
 *
 * @internal
 */
export function messageWithBreaks({ message, status }: StatusError): string {
  const received = status.message ?? "";
  return visibleText(received, MAX_MESSAGE_LENGTH) === message ? received : message;
}

/**
 * The longest `Retry-After` that is honoured, in milliseconds: a server that asks for a day must not stop anything for a
 * day.
 *
 * @internal
 */
export const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Returns how long a loop waits at least before it tries again after `error`, in milliseconds: the `Retry-After` of a
 * StatusError, at most a minute; 0 for any other error.
 *
 * @internal
 */
export function retryAfterOf(error: unknown): number {
  // An error of another copy of the package may have anything here.
  const askedMs: unknown = statusErrorIn(error)?.retryAfterMs;
  return isWait(askedMs) ? Math.min(askedMs, MAX_RETRY_AFTER_MS) : 0;
}

/**
 * Reports whether an error, or the first StatusError among its causes, has a reason, by the rules of apimachinery's
 * `api/errors`: the reason decides; the code decides only if the server gave no known reason.
 */
function hasReason(error: unknown, reason: string, code?: number): boolean {
  const status = statusErrorIn(error);
  if (status === undefined) return false;
  if (status.reason === reason) return true;
  return code !== undefined && status.code === code && !KNOWN_REASONS.has(status.reason);
}

/** Returns the first StatusError among an error, its causes and the errors of an `AggregateError`. */
function statusErrorIn(error: unknown): StatusError | undefined {
  return findCause(error, StatusError.is);
}

const KNOWN_REASONS: ReadonlySet<string> = new Set([
  "Unauthorized",
  "Forbidden",
  "NotFound",
  "AlreadyExists",
  "Conflict",
  "Gone",
  "Invalid",
  "ServerTimeout",
  "StorageReadError",
  "Timeout",
  "TooManyRequests",
  "BadRequest",
  "MethodNotAllowed",
  "NotAcceptable",
  "RequestEntityTooLarge",
  "UnsupportedMediaType",
  "InternalError",
  "Expired",
  "ServiceUnavailable",
]);

/** Reports whether the object or the resource does not exist (404). */
export function isNotFound(error: unknown): boolean {
  return hasReason(error, "NotFound", 404);
}

/**
 * Reports whether the object does not exist, by the word of a server that serves its kind. While a definition is being
 * replaced, each object of the kind is answered with a 404 that is not a Status; the objects are kept.
 *
 * @internal
 */
export function isObjectNotFound(error: unknown): boolean {
  if (!isNotFound(error)) return false;
  const causes = statusErrorIn(error)?.status.details?.causes ?? [];
  return causes.every(({ reason }) => reason !== "UnexpectedServerResponse");
}

/** Reports whether an object with that name already exists (409, reason AlreadyExists). */
export function isAlreadyExists(error: unknown): boolean {
  return hasReason(error, "AlreadyExists");
}

/** Reports whether the object has been changed since it was read (409). */
export function isConflict(error: unknown): boolean {
  return hasReason(error, "Conflict", 409);
}

/** Reports whether the object is invalid (422). */
export function isInvalid(error: unknown): boolean {
  return hasReason(error, "Invalid", 422);
}

/**
 * Reports whether a write was refused because the object has another UID than the write names (409, or 422 about
 * `metadata.uid`): the expected object was deleted, and another one has its name.
 */
export function isReplaced(error: unknown): boolean {
  const { message = "", status } = statusErrorIn(error) ?? {};
  if (isConflict(error)) return /\buid\b/i.test(message);
  return isInvalid(error) &&
    (status?.details?.causes ?? []).some(({ field }) => field === "metadata.uid");
}

/** Reports whether the request could not be authenticated (401). */
export function isUnauthorized(error: unknown): boolean {
  return hasReason(error, "Unauthorized", 401);
}

/** Reports whether the user is not allowed to make the request (403). */
export function isForbidden(error: unknown): boolean {
  return hasReason(error, "Forbidden", 403);
}

/** Reports whether the server rejected the request because there were too many (429). */
export function isTooManyRequests(error: unknown): boolean {
  return hasReason(error, "TooManyRequests", 429) || statusErrorIn(error)?.code === 429;
}

/** Reports whether the server had an internal error (500, reason InternalError). */
export function isInternalError(error: unknown): boolean {
  return hasReason(error, "InternalError", 500);
}

/** Reports whether the resource version is no longer in the history of the server (410, reason Expired or Gone). */
export function isExpired(error: unknown): boolean {
  return hasReason(error, "Expired") || hasReason(error, "Gone", 410);
}

/** Reports whether the request timed out on the server (504, reason Timeout). */
export function isTimeout(error: unknown): boolean {
  return hasReason(error, "Timeout", 504);
}

/**
 * Reports whether the server has not yet reached the requested resource version. Three generations of servers report
 * this in three ways: a cause with the reason `ResourceVersionTooLarge`, a cause with the message, or only the message
 * of the Status.
 */
export function isTooLargeResourceVersion(error: unknown): boolean {
  const found = statusErrorIn(error);
  if (found === undefined) return false;
  const causes = found.status.details?.causes ?? [];
  if (causes.some((cause) => cause.reason === "ResourceVersionTooLarge")) return true;
  if (found.reason !== "Timeout") return false;
  return causes.some((cause) => cause.message === "Too large resource version") ||
    found.message.includes("Too large resource version");
}
