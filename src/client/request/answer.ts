import { isRecord } from "../../base/mod.ts";
import {
  type KubeList,
  type KubeObject,
  type Status,
  StatusError,
  type StatusErrorOptions,
} from "../../types/mod.ts";
import type { RequestLocation } from "./api_request.ts";
import { excerpt, isHtml } from "./text.ts";

/** The reasons that apimachinery gives to answers which come without one (`NewGenericServerResponse`). */
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

/** `Retry-After` in milliseconds; only whole seconds count, as in client-go, not dates. */
export function retryAfterMs(response: Response): number | undefined {
  const header = response.headers.get("retry-after")?.trim() ?? "";
  return /^\d+$/.test(header) ? Number(header) * 1000 : undefined;
}

/** The error for an answer that is not a success; `text` is its body. */
export function answerError(
  response: Response,
  text: string,
  location: RequestLocation,
): StatusError {
  const options = { ...location, retryAfterMs: retryAfterMs(response) };
  const status = parseStatus(text);
  if (status !== undefined) {
    return new StatusError({ ...status, code: status.code ?? response.status }, options);
  }
  return new StatusError(synthesizeStatus(response, text, options), options);
}

function parseStatus(text: string): Status | undefined {
  const parsed = tryParse(text);
  return isRecord(parsed) && parsed.kind === "Status" ? parsed as Status : undefined;
}

/** A Status for an answer that does not come from the API server's own error handling. */
function synthesizeStatus(
  response: Response,
  text: string,
  options: RequestLocation & StatusErrorOptions,
): Status {
  const { status: code } = response;
  const { method, url } = options;
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
    message: `${method} ${url} answered ${code} with ${excerpt(text)}${hint(response, text)}`,
    reason,
    details: {
      causes: [{ reason: "UnexpectedServerResponse", message: excerpt(text) }],
      ...retryAfterSeconds,
    },
    code,
  };
}

function hint(response: Response, text: string): string {
  const { status } = response;
  // In the words of Go's and nginx's servers.
  if (status === 400 && /HTTP request (was sent )?to (an )?HTTPS (server|port)/.test(text)) {
    return ": the server speaks TLS, write https:// in the server URL";
  }
  if (status >= 300 && status < 400) {
    return ", a redirect, which is not followed lest a token go elsewhere: check the server URL";
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
 * The JSON of a successful answer.
 *
 * @throws {SyntaxError} When it is not JSON.
 * @throws {StatusError} When it is a Status that says Failure.
 */
export function parseAnswer<T>(response: Response, text: string, location: RequestLocation): T {
  const parsed = tryParse(text);
  if (parsed === undefined) throw notJson(response, text, location);
  if (isRecord(parsed) && parsed.kind === "Status" && parsed.status === "Failure") {
    throw new StatusError(parsed as Status, location);
  }
  return parsed as T;
}

/** The error for an answer of another kind than JSON. */
export function notJson(response: Response, text: string, location: RequestLocation): SyntaxError {
  const type = contentTypeOf(response) || "no content type";
  return new SyntaxError(
    `${location.method} ${location.url} answered ${response.status} with ${
      excerpt(text)
    } (${type}), expected JSON` +
      (hint(response, text) || ": check that the server URL is that of a Kubernetes API server"),
  );
}

/**
 * A list, checked to be one.
 *
 * @throws {TypeError} When it lacks metadata or items.
 */
export function requireList<T extends KubeObject>(
  parsed: unknown,
  location: RequestLocation,
): KubeList<T> {
  const { kind, metadata, items }: Record<string, unknown> = isRecord(parsed) ? parsed : {};
  const missing = !isRecord(metadata) ? "metadata" : !Array.isArray(items) ? "items" : undefined;
  // Go servers write an empty slice that was never made as null.
  if (missing === "items" && items === null) return { ...parsed as KubeList<T>, items: [] };
  if (missing !== undefined) {
    throw new TypeError(
      `${location.method} ${location.url} answered something without ${missing} ` +
        `(kind ${
          JSON.stringify(kind ?? "unknown")
        }), expected a list: check the server URL and the resource`,
    );
  }
  return parsed as KubeList<T>;
}

export function contentTypeOf(response: Response): string {
  return response.headers.get("content-type") ?? "";
}

/** Undefined, which is not JSON, when `text` is not; the parser's own message may quote secrets. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
