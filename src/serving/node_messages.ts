import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type RequestHead, UnreadableRequest } from "./request_head.ts";

/** The bytes of a request body that wait for their reader. */
const BODY_BUFFER_BYTES = 64 * 1024;

/** The characters that a header of a Response can have, but none of node:http. */
// deno-lint-ignore no-control-regex
const CONTROL_CHARACTERS = /[\x00-\x08\x0a-\x1f\x7f]/g;

/** Returns the head of a request, with every header that was sent: `headers` leaves repeated ones out. */
export function headOf({ method = "GET", rawHeaders, url = "" }: IncomingMessage): RequestHead {
  const values = (name: string) =>
    rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
  return { method, target: url, values };
}

/**
 * Returns the request for `url`. Its signal aborts when the response ends or the client leaves.
 *
 * @param maxBodyBytes The number of bytes of the body at most. Reading a longer body fails.
 */
export function requestOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: URL,
  maxBodyBytes: number,
): Request {
  const { method = "GET" } = incoming;
  const abort = new AbortController();
  outgoing.once("close", () => abort.abort());
  const init: RequestInit & { duplex?: "half" } = { method, signal: abort.signal };
  init.headers = headerLines(incoming);
  if (method !== "GET" && method !== "HEAD") {
    init.body = bodyOf(incoming, maxBodyBytes, () => abort.abort());
    init.duplex = "half";
  }
  return new Request(url, init);
}

/** Returns a request to upgrade the connection, which has no body. */
export function upgradeRequestOf(
  incoming: IncomingMessage,
  url: URL,
  signal: AbortSignal,
): Request {
  return new Request(url, {
    method: incoming.method ?? "GET",
    headers: headerLines(incoming),
    signal,
  });
}

function headerLines({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]]
  );
}

/** Returns the body of a request. Calls `leave` if the client leaves before its end, and before the body fails. */
function bodyOf(
  incoming: IncomingMessage,
  maxBytes: number,
  leave: () => void,
): ReadableStream<Uint8Array> {
  let open = true;
  let received = 0;
  const settle = (end: () => void) => () => {
    if (open) end();
    open = false;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on("data", (chunk: Uint8Array) => {
        if (!open) return;
        received += chunk.length;
        if (received > maxBytes) {
          // The rest is read and dropped, until the response has been sent.
          settle(() => controller.error(tooLong(maxBytes)))();
          return;
        }
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", settle(() => controller.close()));
      incoming.once(
        "close",
        settle(() => {
          leave();
          controller.error(new TypeError("The client has not sent the whole body"));
        }),
      );
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      // The rest is read and dropped: to destroy the message would take the connection from its response.
      open = false;
      incoming.resume();
    },
  }, new ByteLengthQueuingStrategy({ highWaterMark: BODY_BUFFER_BYTES }));
}

function tooLong(maxBytes: number): UnreadableRequest {
  return new UnreadableRequest(413, `The request body is longer than ${maxBytes} bytes`);
}

/** Matches a warning of a Warning header. */
const WARNING = /\d{3} \S+ "(?:[^"\\]|\\.)*"(?: "[^"]*")?/g;

/** Returns the lines of a header: one for each warning, which Headers joins into one. */
function linesOf(name: string, value: string): readonly string[] {
  if (name !== "warning") return [value];
  const warnings = value.match(WARNING) ?? [];
  return warnings.join(", ") === value ? warnings : [value];
}

/**
 * Sends a response, with its head at once.
 *
 * @throws The error of the body, or of the connection.
 */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const { body, headers, status } = response;
  outgoing.writeHead(
    status,
    [...headers].flatMap(([name, value]) =>
      linesOf(name, value.replace(CONTROL_CHARACTERS, "?")).flatMap((line) => [name, line])
    ),
  );
  if (body === null) {
    outgoing.end();
  } else if (headers.has("content-length")) {
    outgoing.end(new Uint8Array(await response.arrayBuffer()));
  } else {
    outgoing.flushHeaders();
    const readable = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(readable, outgoing);
  }
}
