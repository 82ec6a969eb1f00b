import { Brand } from "../base/mod.ts";
import type { Status } from "./status.ts";

/** What else is known of the request that failed. */
export interface StatusErrorOptions {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** The URL; it never holds credentials. */
  readonly url?: string | undefined;
  /** How long the server asks to wait before the next try, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** What caused it. */
  readonly cause?: unknown;
  /** The message of the error. Default: that of the Status. */
  readonly message?: string | undefined;
}

const brand = new Brand("StatusError");

/**
 * The API server said no. Carries its {@linkcode Status}, the HTTP code, and the request's method and URL, never a
 * token.
 *
 * Tell it from other errors with {@linkcode StatusError.is}, which also knows those of another copy of this package.
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
  /** What the server answered. */
  readonly status: Status;
  /** The HTTP status code, or the code of the ERROR event. */
  readonly code: number;
  /** The HTTP method of the request. */
  readonly method: string | undefined;
  /** The URL of the request. */
  readonly url: string | undefined;
  /** How long the server asks to wait before the next try, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  /** The error for what the server answered. */
  constructor(status: Status, options: StatusErrorOptions = {}) {
    const code = status.code ?? 0;
    super(
      options.message || status.message || `The server answered ${code || "with a failure"}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    brand.put(this);
    this.status = status;
    this.code = code;
    this.method = options.method;
    this.url = options.url;
    const seconds = status.details?.retryAfterSeconds;
    this.retryAfterMs = options.retryAfterMs ??
      (seconds === undefined ? undefined : seconds * 1000);
  }

  /** The reason the server gave, as in `NotFound`; empty when it gave none. */
  get reason(): string {
    return this.status.reason ?? "";
  }

  /** Whether `error` is a StatusError, of this or another copy of the package. */
  static is(error: unknown): error is StatusError {
    return brand.isOn(error);
  }
}

/**
 * The reason and code rules of apimachinery's `api/errors`: the reason decides, the code only where a server gave no
 * reason that is known.
 */
function hasReason(error: unknown, reason: string, code?: number): boolean {
  if (!StatusError.is(error)) return false;
  if (error.reason === reason) return true;
  return code !== undefined && error.code === code && !KNOWN_REASONS.has(error.reason);
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
  "StoreReadError",
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

/** Whether the object or resource does not exist (404). */
export function isNotFound(error: unknown): boolean {
  return hasReason(error, "NotFound", 404);
}

/** Whether an object of that name exists already (409, reason AlreadyExists). */
export function isAlreadyExists(error: unknown): boolean {
  return hasReason(error, "AlreadyExists");
}

/** Whether the object has changed since it was read (409). */
export function isConflict(error: unknown): boolean {
  return hasReason(error, "Conflict", 409);
}

/** Whether the object is not valid (422). */
export function isInvalid(error: unknown): boolean {
  return hasReason(error, "Invalid", 422);
}

/** Whether the server does not know who asks (401). */
export function isUnauthorized(error: unknown): boolean {
  return hasReason(error, "Unauthorized", 401);
}

/** Whether the caller lacks the right (403). */
export function isForbidden(error: unknown): boolean {
  return hasReason(error, "Forbidden", 403);
}

/** Whether the server is too busy (429). */
export function isTooManyRequests(error: unknown): boolean {
  return hasReason(error, "TooManyRequests", 429) ||
    (StatusError.is(error) && error.code === 429);
}

/** Whether the server failed inside (500, reason InternalError). */
export function isInternalError(error: unknown): boolean {
  return hasReason(error, "InternalError", 500);
}

/** Whether the resource version is gone from the server's history (410): reason Expired or Gone. */
export function isExpired(error: unknown): boolean {
  return hasReason(error, "Expired") || hasReason(error, "Gone", 410);
}

/** Whether the request took too long on the server (504, reason Timeout). */
export function isTimeout(error: unknown): boolean {
  return hasReason(error, "Timeout", 504);
}

/**
 * Whether the server has not yet reached the resource version asked for. Three generations of servers say it in three
 * ways: a cause with the reason `ResourceVersionTooLarge`, a cause with the message, or the message alone.
 */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (!StatusError.is(error)) return false;
  const causes = error.status.details?.causes ?? [];
  if (causes.some((cause) => cause.reason === "ResourceVersionTooLarge")) return true;
  if (error.reason !== "Timeout") return false;
  return causes.some((cause) => cause.message === "Too large resource version") ||
    error.message.includes("Too large resource version");
}
