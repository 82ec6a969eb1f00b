import { quote } from "./json.ts";
import type { Status, StatusCause, StatusDetails } from "@kubeloop/controller/types";
import type { FieldError } from "./field_error.ts";

/** A request that is refused: the {@linkcode Status} is the whole body of the answer. */
export class ApiError extends Error {
  /** Always `ApiError`. */
  override readonly name: string = "ApiError";
  /** The body of the answer. */
  readonly status: Status;
  /** The HTTP status code. */
  readonly code: number;
  /** Further headers of the answer, as in `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  /** The error that answers `status`, which must have a code. */
  constructor(status: Status, headers: Readonly<Record<string, string>> = {}) {
    super(status.message);
    this.status = status;
    this.code = status.code ?? 500;
    this.headers = headers;
  }

  /** Whether `error` is an ApiError. */
  static is(error: unknown): error is ApiError {
    return error instanceof ApiError;
  }
}

/** What a failure says besides its code and message. */
export interface FailureOptions {
  /** The word for machines; absent for failures that have no type. */
  readonly reason?: string;
  /** What it is about; kept when it is empty. */
  readonly details?: StatusDetails;
  /** The usable token of an expired one. */
  readonly continueToken?: string;
}

/** The error that answers `code` and a Failure Status. */
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

/** A resource as error messages name it. */
export interface GroupResource {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The resource, as in `pods`. */
  readonly plural: string;
}

/** A kind as error messages name it. */
export interface GroupKind {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The kind, as in `Pod`. */
  readonly kind: string;
}

/** `pods`, or `widgets.demo.example.com`. */
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

/** 400 BadRequest. */
export function badRequest(message: string): ApiError {
  return failure(400, message, { reason: "BadRequest" });
}

/** 500 with no reason: what an untyped failure inside the server becomes. */
export function internalError(message: string): ApiError {
  return failure(500, message);
}

/** 404: no object of that name. */
export function notFound(resource: GroupResource, name: string): ApiError {
  const { group, plural } = resource;
  return failure(404, `${qualified(plural, group)} ${quote(name)} not found`, {
    reason: "NotFound",
    details: details(name, group, plural),
  });
}

/** 404: no such resource, subresource or version in a group that exists. */
export function noSuchResource(): ApiError {
  return failure(404, "the server could not find the requested resource", {
    reason: "NotFound",
    details: {},
  });
}

/** 409: the name is taken. */
export function alreadyExists(resource: GroupResource, name: string): ApiError {
  const { group, plural } = resource;
  return failure(409, `${qualified(plural, group)} ${quote(name)} already exists`, {
    reason: "AlreadyExists",
    details: details(name, group, plural),
  });
}

/** 409: the operation does not fit the object's state, said in `message`. */
export function conflict(resource: GroupResource, name: string, message: string): ApiError {
  const { group, plural } = resource;
  return failure(
    409,
    `Operation cannot be fulfilled on ${qualified(plural, group)} ${quote(name)}: ${message}`,
    { reason: "Conflict", details: details(name, group, plural) },
  );
}

/** 409: the resourceVersion sent is not the present one. */
export function modified(resource: GroupResource, name: string): ApiError {
  return conflict(
    resource,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

/** 409: a server-side apply met fields that others own. */
export function applyConflict(message: string, causes: StatusCause[]): ApiError {
  return failure(409, message, { reason: "Conflict", details: { causes } });
}

/** 403: `pods "x" is forbidden: …`, or `pods is forbidden: …` without a name. */
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

/** 405: the path exists, the method does not. */
export function methodNotAllowed(): ApiError {
  return failure(405, "the server does not allow this method on the requested resource", {
    reason: "MethodNotAllowed",
    details: {},
  });
}

/** 405 of a custom resource, which is served by verb. */
export function verbNotSupported(resource: GroupResource, verb: string): ApiError {
  const full = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
  return failure(405, `${verb} is not supported on resources of kind "${full}"`, {
    reason: "MethodNotAllowed",
    details: { ...(resource.group === "" ? {} : { group: resource.group }), kind: resource.plural },
  });
}

/** 422: the object is not valid. The message names each different error once, the causes are complete. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): ApiError {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const causes = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  return failure(
    422,
    `${qualified(kind.kind, kind.group)} ${quote(name)} is invalid: ${text}`,
    { reason: "Invalid", details: details(name, kind.group, kind.kind, causes) },
  );
}

/** 422: a PUT without a resourceVersion of a kind that wants one; it names the resource where others name the kind. */
export function resourceVersionRequired(resource: GroupResource, name: string): ApiError {
  return invalid({ group: resource.group, kind: resource.plural }, name, [{
    reason: "FieldValueInvalid",
    message: "Invalid value: 0: must be specified for an update",
    field: "metadata.resourceVersion",
  }]);
}

/** 422: the request cannot be carried out, no details: what a JSON patch that does not fit answers. */
export function unprocessable(): ApiError {
  return failure(422, "the server rejected our request due to an error in our request", {
    reason: "Invalid",
    details: {},
  });
}

/** 429 with the time to wait. */
export function tooManyRequests(
  message: string,
  retryAfterSeconds: number,
  causes?: StatusCause[],
): ApiError {
  const waits: StatusDetails = { retryAfterSeconds };
  return failure(429, message, {
    reason: "TooManyRequests",
    details: causes === undefined ? waits : { causes, retryAfterSeconds },
  });
}

/** 410: the version asked for is gone. */
export function expired(message: string, continueToken?: string): ApiError {
  return failure(410, message, {
    reason: "Expired",
    ...(continueToken === undefined ? {} : { continueToken }),
  });
}

/** 501: what this server does not do, said aloud. */
export function notImplemented(message: string): ApiError {
  return failure(501, message, { reason: "NotImplemented", details: {} });
}
