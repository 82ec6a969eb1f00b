import { type KubeObject, readStatus, StatusError, type WatchEvent } from "../../types/mod.ts";
import { isRecord, parseJson } from "../../base/mod.ts";
import { excerpt, type RequestLocation, shownValue } from "../request/mod.ts";

/**
 * Parses the event on one line of a watch.
 *
 * @param mayHaveBigInteger False if the line is known to have no integer that a number does not hold.
 * @throws {SyntaxError} If the line is not JSON. It may be incomplete.
 * @throws {StatusError} If the line is not an event, or is an ERROR event.
 */
export function decodeWatchEvent<T extends KubeObject>(
  line: string,
  location: RequestLocation,
  mayHaveBigInteger?: boolean,
): WatchEvent<T> {
  let event: { readonly type?: unknown; readonly object?: unknown } | null;
  try {
    event = parseJson(line, mayHaveBigInteger) as typeof event;
  } catch {
    // The parser's error is discarded, because its message quotes the line, which may be a Secret.
    throw new SyntaxError(`a line is not JSON: ${excerpt(line, location.redact)}`);
  }
  const object = event?.object;
  if (!isRecord(object)) throw watchDecodeError("a line is not an event with an object", location);
  switch (event?.type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
    case "BOOKMARK":
      return event as WatchEvent<T>;
    case "ERROR":
      throw watchErrorOf(object, location);
    default:
      throw watchDecodeError(
        `a line is an event of the unknown type ${shownValue(event?.type, location.redact)}`,
        location,
      );
  }
}

/** Returns client-go's error for an undecodable event: an internal error with the cause `ClientWatchDecoding`. */
export function watchDecodeError(problem: string, { method, url }: RequestLocation): StatusError {
  const message = `Cannot decode the watch of ${url}: ${problem}`;
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    message,
    reason: "InternalError",
    details: { causes: [{ reason: "ClientWatchDecoding", message: problem }] },
    code: 500,
  }, { method, url });
}

/** Returns the error of an ERROR event. */
export function watchErrorOf(object: Record<string, unknown>, location: RequestLocation): StatusError {
  if (object.kind === "Status" || typeof object.code === "number") {
    return new StatusError(readStatus(object, location.redact), location);
  }
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    message: `The watch of ${location.url} failed: the ERROR event carries no Status but ${
      shownValue(object.kind ?? "something without a kind", location.redact)
    }`,
    reason: "InternalError",
    code: 500,
  }, location);
}
