import {
  describeValue,
  isRecord,
  mayHaveBigInteger,
  parseJson,
  visibleText,
} from "../../base/mod.ts";
import {
  fillInKind,
  type KubeList,
  type KubeObject,
  readStatus,
  type Status,
  StatusError,
  type StatusErrorOptions,
} from "../../types/mod.ts";
import type { RequestLocation } from "./api_request.ts";
import { excerpt, isHtml, shownValue } from "./text.ts";

/** The reasons of responses without a Status, from apimachinery's `NewGenericServerResponse`. */
const REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** Returns `Retry-After` in milliseconds. As in client-go, only whole seconds are supported, dates are ignored. */
export function retryAfterMs(response: Response): number | undefined {
  const header = response.headers.get("retry-after")?.trim() ?? "";
  // A number of a hundred digits is infinite.
  return /^\d+$/.test(header)
    ? Math.min(Number(header) * 1000, Number.MAX_SAFE_INTEGER)
    : undefined;
}

/** Returns the error for a response that is not a success. `text` is the body of the response. */
export function answerError(
  response: Response,
  text: string,
  location: RequestLocation,
): StatusError {
  const options = { ...location, retryAfterMs: retryAfterMs(response) };
  const parsed = tryParse(text);
  if (isRecord(parsed) && parsed.kind === "Status") {
    const status = readStatus(parsed, location.redact);
    return new StatusError({ ...status, code: status.code ?? response.status }, options);
  }
  return new StatusError(synthesizeStatus(response, text, options), options);
}

/** Returns a Status for a response without one, which does not come from the API server's own error handling. */
function synthesizeStatus(
  response: Response,
  text: string,
  options: RequestLocation & StatusErrorOptions,
): Status {
  const { status: code } = response;
  const { method, url, redact } = options;
  const reason = code === 409 && method === "POST"
    ? "AlreadyExists"
    : REASONS[code] ?? (code >= 500 ? "InternalError" : "");
  const retryAfterSeconds = options.retryAfterMs === undefined ? undefined : {
    retryAfterSeconds: options.retryAfterMs / 1000,
  };
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `${method} ${url} answered ${code} with ${excerpt(text, redact)}${
      hint(response, text)
    }`,
    reason,
    details: {
      causes: [{ reason: "UnexpectedServerResponse", message: excerpt(text, redact) }],
      ...retryAfterSeconds,
    },
    code,
  };
}

function hint(response: Response, text: string): string {
  const { status } = response;
  // The messages of Go's HTTP server and of nginx.
  if (status === 400 && /HTTP request (was sent )?to (an )?HTTPS (server|port)/.test(text)) {
    return ": the server speaks TLS, write https:// in the server URL";
  }
  if (status >= 300 && status < 400) {
    return ", a redirect, which is not followed so that no other server gets the token: check the server URL";
  }
  if (isHtml(contentTypeOf(response), text)) {
    return ": this is a web page, not the API server; check the server URL and any proxy or login page before it";
  }
  if (status === 404) {
    return ": the server does not know this path; check the server URL, and that the resource's group and version " +
      "(or its CustomResourceDefinition) are installed";
  }
  return "";
}

/**
 * Checks the JSON of a successful response.
 *
 * @param parsed The parsed text; undefined if it is not JSON.
 * @throws {SyntaxError} If the body is not JSON.
 * @throws {StatusError} If the body is a Status of a failure.
 */
function requireSuccess<T>(
  parsed: unknown,
  response: Response,
  text: string,
  location: RequestLocation,
): T {
  if (parsed === undefined) throw notJson(response, text, location);
  if (isRecord(parsed) && parsed.kind === "Status" && parsed.status === "Failure") {
    throw new StatusError(readStatus(parsed, location.redact), location);
  }
  return parsed as T;
}

/**
 * Parses the JSON of a successful response as an object.
 *
 * @throws {SyntaxError} If the body is not JSON.
 * @throws {StatusError} If the body is a Status of a failure.
 * @throws {TypeError} If the body is not an object.
 */
export function parseObject<T>(response: Response, text: string, location: RequestLocation): T {
  const parsed = requireSuccess<T>(tryParse(text), response, text, location);
  if (isRecord(parsed)) return parsed;
  throw new TypeError(
    `${location.method} ${location.url} answered ${describeValue(parsed)}, expected an object: ` +
      "check that the server URL is that of a Kubernetes API server",
  );
}

/** Returns the error for a response that is not JSON. */
export function notJson(response: Response, text: string, location: RequestLocation): SyntaxError {
  const { redact } = location;
  const contentType = contentTypeOf(response);
  const type = contentType === "" ? "no content type" : visibleText(redact(contentType), 100);
  return new SyntaxError(
    `${location.method} ${location.url} answered ${response.status} with ${
      excerpt(text, redact)
    } (${type}), expected JSON` +
      (hint(response, text) || ": check that the server URL is that of a Kubernetes API server"),
  );
}

/** Returns the error for a response that says that it is protobuf, and is not. */
export function notProtobuf({ method, url }: RequestLocation): SyntaxError {
  return new SyntaxError(
    `${method} ${url} answered something that is not a list in Kubernetes' protobuf, which its Content-Type says: ` +
      "check any proxy before the API server",
  );
}

/**
 * Parses the JSON of a successful response as a list, and gives its items their kind.
 *
 * @throws {SyntaxError} If the body is not JSON.
 * @throws {StatusError} If the body is a Status of a failure.
 * @throws {TypeError} If `metadata` or `items` is missing.
 */
export function parseList<T extends KubeObject>(
  response: Response,
  body: Uint8Array,
  location: RequestLocation,
): KubeList<T> {
  const text = new TextDecoder().decode(body);
  const parsed = tryParse(text, mayHaveBigInteger(body));
  return fillInKind(requireList<T>(requireSuccess(parsed, response, text, location), location));
}

/**
 * Returns `parsed` as a list.
 *
 * @throws {TypeError} If `metadata` or `items` is missing.
 */
function requireList<T extends KubeObject>(
  parsed: unknown,
  location: RequestLocation,
): KubeList<T> {
  const { kind, metadata, items }: Record<string, unknown> = isRecord(parsed) ? parsed : {};
  const missing = !isRecord(metadata) ? "metadata" : !Array.isArray(items) ? "items" : undefined;
  // Go encodes a nil slice as null.
  if (missing === "items" && items === null) return { ...parsed as KubeList<T>, items: [] };
  if (missing !== undefined) {
    throw new TypeError(
      `${location.method} ${location.url} answered something without ${missing} ` +
        `(kind ${
          shownValue(kind ?? "unknown", location.redact)
        }), expected a list: check the server URL and the resource`,
    );
  }
  return parsed as KubeList<T>;
}

export function contentTypeOf(response: Response): string {
  return response.headers.get("content-type") ?? "";
}

/** Returns undefined if `text` is not JSON. The parser's error is discarded, because its message may quote secrets. */
function tryParse(text: string, mayHaveBigInteger = true): unknown {
  try {
    return parseJson(text, mayHaveBigInteger);
  } catch {
    return undefined;
  }
}
