import type { Status, StatusCause, StatusDetails } from "@kubeloop/controller/types";
import { quote } from "@kubeloop/controller/internal/values";
import type { FieldError } from "@kubeloop/controller/internal/values";

/** An error response of the API server. Its {@linkcode Status} is the whole response body. */
export class ApiError extends Error {
  /** Always `ApiError`. */
  override readonly name: string = "ApiError";
  /** The response body. */
  readonly status: Status;
  /** The HTTP status code. */
  readonly code: number;
  /** Additional response headers, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  /** Creates the error that responds with `status`. A status without a code responds with 500. */
  constructor(status: Status, headers: Readonly<Record<string, string>> = {}) {
    super(status.message);
    this.status = status;
    this.code = status.code ?? 500;
    this.headers = headers;
  }

  /** Reports whether `error` is an ApiError. */
  static is(error: unknown): error is ApiError {
    return error instanceof ApiError;
  }
}

/** The optional parts of a Failure Status, besides its code and message. */
export interface FailureOptions {
  /** The machine-readable reason; absent for failures that have no reason. */
  readonly reason?: string;
  /** The details of the failure. An empty object is kept in the response. */
  readonly details?: StatusDetails;
  /** A fresh continue token that replaces an expired one; sent as `metadata.continue`. */
  readonly continueToken?: string;
}

/**
 * Returns the error that responds with `code` and a Failure Status.
 *
 * `details.retryAfterSeconds` also sets `Retry-After`.
 */
export function failure(code: number, message: string, options: FailureOptions = {}): ApiError {
  const { reason, details, continueToken } = options;
  const seconds = details?.retryAfterSeconds;
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: continueToken === undefined ? {} : { continue: continueToken },
    status: "Failure",
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  }, seconds === undefined ? {} : { "Retry-After": String(seconds) });
}

/** A resource, as error messages name it. */
export interface GroupResource {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The plural name of the resource, such as `pods`. */
  readonly plural: string;
}

/** A kind, as error messages name it. */
export interface GroupKind {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The kind, such as `Pod`. */
  readonly kind: string;
}

/** Returns `name` or `name.group`, such as `pods` or `widgets.demo.example.com`. */
function qualified(name: string, group: string): string {
  return group === "" ? name : `${name}.${group}`;
}

function details(name: string, group: string, kind: string, causes?: StatusCause[]): StatusDetails {
  const result: StatusDetails = {};
  if (name !== "") result.name = name;
  if (group !== "") result.group = group;
  if (kind !== "") result.kind = kind;
  if (causes !== undefined && causes.length > 0) result.causes = causes;
  return result;
}

/** Returns a 400 BadRequest error. */
export function badRequest(message: string): ApiError {
  return failure(400, message, { reason: "BadRequest" });
}

/** Returns a 500 error without a reason, as the server responds to untyped internal failures. */
export function internalError(message: string): ApiError {
  return failure(500, message);
}

/** Returns the 500 for a failure inside the server, as the real server wraps errors of its own code. */
export function internalFailure(message: string): ApiError {
  return failure(500, `Internal error occurred: ${message}`, {
    reason: "InternalError",
    details: { causes: [{ message }] },
  });
}

/** Returns a 404 NotFound error: no object has this name. */
export function notFound(resource: GroupResource, name: string): ApiError {
  const { group, plural } = resource;
  return failure(404, `${qualified(plural, group)} ${quote(name)} not found`, {
    reason: "NotFound",
    details: details(name, group, plural),
  });
}

/** Returns a 404 NotFound error: the group exists, but the resource, subresource or version does not. */
export function noSuchResource(): ApiError {
  return failure(404, "the server could not find the requested resource", {
    reason: "NotFound",
    details: {},
  });
}

/** Returns a 409 AlreadyExists error: an object with this name exists. */
export function alreadyExists(resource: GroupResource, name: string): ApiError {
  const { group, plural } = resource;
  return failure(409, `${qualified(plural, group)} ${quote(name)} already exists`, {
    reason: "AlreadyExists",
    details: details(name, group, plural),
  });
}

/** Returns a 409 AlreadyExists error: an object has the name that the server has generated. */
export function generatedNameTaken(resource: GroupResource, name: string): ApiError {
  const { status } = alreadyExists(resource, name);
  const why = "the server was not able to generate a unique name for the object";
  return new ApiError({
    ...status,
    message: `${status.message}, ${why}`,
    details: { ...status.details, retryAfterSeconds: 1 },
  });
}

/** Returns a 409 Conflict error: the state of the object does not allow the operation. `message` says why. */
export function conflict(resource: GroupResource, name: string, message: string): ApiError {
  const { group, plural } = resource;
  return failure(
    409,
    `Operation cannot be fulfilled on ${qualified(plural, group)} ${quote(name)}: ${message}`,
    { reason: "Conflict", details: details(name, group, plural) },
  );
}

/** Returns a 409 Conflict error: the resource version in the request is not the current one. */
export function modified(resource: GroupResource, name: string): ApiError {
  return conflict(
    resource,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

/** Returns a 409 Conflict error: a server-side apply changes fields that other field managers own. */
export function applyConflict(message: string, causes: StatusCause[]): ApiError {
  return failure(409, message, { reason: "Conflict", details: { causes } });
}

/**
 * Returns a 403 Forbidden error.
 *
 * Its message is `pods "x" is forbidden: …`, or `pods is forbidden: …` if `name` is empty.
 */
export function forbidden(
  resource: GroupResource,
  name: string,
  message: string,
  causes?: StatusCause[],
): ApiError {
  const { group, plural } = resource;
  const subject = name === "" ? "" : ` ${quote(name)}`;
  return failure(403, `${qualified(plural, group)}${subject} is forbidden: ${message}`, {
    reason: "Forbidden",
    details: details(name, group, plural, causes),
  });
}

/** Returns a 405 MethodNotAllowed error: the path exists, but does not support the HTTP method. */
export function methodNotAllowed(): ApiError {
  return failure(405, "the server does not allow this method on the requested resource", {
    reason: "MethodNotAllowed",
    details: {},
  });
}

/** Returns a 405 MethodNotAllowed error as custom resources have it: its message names the API verb. */
export function verbNotSupported(resource: GroupResource, verb: string): ApiError {
  const full = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
  return failure(405, `${verb} is not supported on resources of kind "${full}"`, {
    reason: "MethodNotAllowed",
    details: { ...(resource.group === "" ? {} : { group: resource.group }), kind: resource.plural },
  });
}

/** How many characters of field errors one answer has. What is longer by far than its request is an attack. */
const MAX_ERROR_CHARS = 8 * 1024 * 1024;

/**
 * Returns a 422 Invalid error. The message lists each distinct field error once; the causes list all of them. Errors beyond
 * {@linkcode MAX_ERROR_CHARS} are left out.
 */
export function invalid(kind: GroupKind, name: string, all: readonly FieldError[]): ApiError {
  let chars = 0;
  const errors = all.filter(({ field, message }, index) => {
    chars += field.length + message.length;
    return index === 0 || chars <= MAX_ERROR_CHARS;
  });
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const causes = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  return failure(
    422,
    `${qualified(kind.kind, kind.group)} ${quote(name)} is invalid: ${text}`,
    { reason: "Invalid", details: details(name, kind.group, kind.kind, causes) },
  );
}

/**
 * Returns a 422 Invalid error: an update lacks the resource version that its kind requires.
 * Unlike other Invalid errors, it names the resource instead of the kind.
 */
export function resourceVersionRequired(resource: GroupResource, name: string): ApiError {
  return invalid({ group: resource.group, kind: resource.plural }, name, [{
    reason: "FieldValueInvalid",
    message: "Invalid value: 0: must be specified for an update",
    field: "metadata.resourceVersion",
  }]);
}

/** Returns a 422 Invalid error without details, as the server responds to a JSON patch that cannot be applied. */
export function unprocessable(): ApiError {
  return failure(422, "the server rejected our request due to an error in our request", {
    reason: "Invalid",
    details: {},
  });
}

/** Returns a 429 TooManyRequests error with the number of seconds to wait before a retry. */
export function tooManyRequests(
  message: string,
  retryAfterSeconds: number,
  causes?: StatusCause[],
): ApiError {
  const waits: StatusDetails = retryAfterSeconds === 0 ? {} : { retryAfterSeconds };
  return failure(429, message, {
    reason: "TooManyRequests",
    details: causes === undefined ? waits : { causes, ...waits },
  });
}

/** Returns a 410 Expired error: the requested resource version is no longer available. */
export function expired(message: string, continueToken?: string): ApiError {
  return failure(410, message, {
    reason: "Expired",
    ...(continueToken === undefined ? {} : { continueToken }),
  });
}

/** Returns a 501 NotImplemented error for a feature of a real API server that this server lacks. */
export function notImplemented(message: string): ApiError {
  return failure(501, message, { reason: "NotImplemented", details: {} });
}
