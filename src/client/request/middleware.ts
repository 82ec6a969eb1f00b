import { describeValue, isRecord } from "../../base/mod.ts";

/** A request on its way to the server, as a {@linkcode Middleware} sees it. It has no credentials yet. */
export interface MiddlewareRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The URL, with its query. */
  readonly url: string;
  /**
   * The headers without credentials. They are a copy, which may be changed. `Authorization` and `Impersonate-…` are
   * added after the last middleware, and cannot be set here.
   */
  readonly headers: Headers;
  /** The body; null if there is none. */
  readonly body: string | null;
  /** Aborts when the call ends: for what the middleware waits for. */
  readonly signal: AbortSignal;
}

/** Passes a request on: to the next middleware, and in the end to the server. */
export type MiddlewareNext = (request: MiddlewareRequest) => Promise<Response>;

/**
 * Sees every try of every request of a client: of lists, watches, logs, writes, discovery and WebSockets. It may
 * change the request and the response, wait, answer by itself, or pass the request on again.
 *
 * - The response has any status: what is an error is decided after the first middleware, and so is a retry, which
 *   passes through all of them again.
 * - The body of a watch or a log never ends: a middleware that wants to see it has to transform its stream.
 * - A WebSocket is a response of status 101 without a body. If it is not returned, the connection is closed.
 * - `next` may be called again when the call before has settled. The response before is then discarded.
 * - What it throws is the failure of the request.
 *
 * @example A header, and a line for each request
 * ```ts
 * import { Client, type Middleware } from "@kubeloop/controller/client";
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const lines: string[] = [];
 * const log: Middleware = async (request, next) => {
 *   request.headers.set("x-request-id", "42");
 *   const response = await next(request);
 *   lines.push(`${request.method} ${new URL(request.url).pathname} ${response.status}`);
 *   return response;
 * };
 *
 * await using server = new ApiServer();
 * await using client = new Client({ ...server.clientOptions, middleware: [log] });
 * await client.list(ConfigMaps, { namespace: "default" });
 * assertEquals(lines, ["GET /api/v1/namespaces/default/configmaps 200"]);
 * ```
 */
export type Middleware = (
  request: MiddlewareRequest,
  next: MiddlewareNext,
) => Response | Promise<Response>;

/** The headers that only the client itself sets. */
const CREDENTIALS = /^(authorization|proxy-authorization|impersonate-.*)$/i;

/**
 * Checks the middleware in the options of a client.
 *
 * @throws {TypeError} If it is not an array of functions.
 */
export function requireMiddleware(middleware: unknown): void {
  if (Array.isArray(middleware) && middleware.every((one) => typeof one === "function")) return;
  const wrong = Array.isArray(middleware)
    ? middleware.find((one) => typeof one !== "function")
    : middleware;
  throw new TypeError(
    `Invalid middleware: expected functions (request, next) => Response, received ${
      describeValue(wrong)
    }`,
  );
}

/**
 * Sends a request through all middleware, the first one first.
 *
 * @throws {TypeError} If a middleware returns no unread response, passes on something that is not a request, a
 * request to another server or one with credentials, or calls `next` at the wrong time. The message names it.
 * @throws What a middleware throws.
 */
export function throughMiddleware(
  middleware: readonly Middleware[],
  request: MiddlewareRequest,
  send: MiddlewareNext,
): Promise<Response> {
  const { origin } = new URL(request.url);
  const pass = (index: number, passed: MiddlewareRequest): Promise<Response> => {
    const one = middleware[index];
    if (one === undefined) return send(passed);
    const headers = new Headers(passed.headers);
    const name = one.name === "" ? `Middleware ${index + 1}` : `Middleware ${one.name}`;
    return runOne(one, { ...passed, headers }, name, (next) => {
      requireRequest(next, origin, name);
      const { signal } = request;
      return pass(index + 1, {
        ...next,
        signal: next.signal === signal ? signal : AbortSignal.any([next.signal, signal]),
      });
    });
  };
  return pass(0, request);
}

/** Runs one middleware. No response that it does not return is left open. */
async function runOne(
  middleware: Middleware,
  request: MiddlewareRequest,
  name: string,
  next: MiddlewareNext,
): Promise<Response> {
  let state: "idle" | "waiting" | "over" = "idle";
  let last: Response | undefined;
  const guarded: MiddlewareNext = async (passed) => {
    if (state === "over") {
      throw new TypeError(`${name} called next() after it had returned: await next() before`);
    }
    if (state === "waiting") {
      throw new TypeError(`${name} called next() twice: await the call before the next one`);
    }
    discard(last);
    last = undefined;
    state = "waiting";
    try {
      last = await next(passed);
    } finally {
      if (state === "waiting") state = "idle";
    }
    // The middleware has returned without waiting for it.
    if ((state as string) === "over") discard(last);
    return last;
  };
  let returned: unknown;
  try {
    returned = await middleware(request, guarded);
    return requireResponse(returned, name);
  } finally {
    state = "over";
    if (last !== returned) discard(last);
  }
}

/** Cancels an unread body, so that its connection is free. */
function discard(response: Response | undefined): void {
  const body = response?.body;
  if (body !== null && body !== undefined && !body.locked) void body.cancel().catch(() => {});
}

function requireRequest(request: MiddlewareRequest, origin: string, name: string): void {
  const { body, headers, method, signal, url } = isRecord(request)
    ? request
    : {} as Partial<MiddlewareRequest>;
  const isWhole = typeof method === "string" && typeof url === "string" &&
    headers instanceof Headers && (body === null || typeof body === "string") &&
    signal instanceof AbortSignal;
  if (!isWhole) {
    throw new TypeError(
      `${name} called next() with something that is no request: pass the request on, or a copy with other parts`,
    );
  }
  if (!URL.canParse(url) || new URL(url).origin !== origin) {
    throw new TypeError(
      `${name} changed the server of a request: only the path and the query of ${origin} may change`,
    );
  }
  for (const header of headers.keys()) {
    if (!CREDENTIALS.test(header)) continue;
    throw new TypeError(
      `${name} set the header ${header}: give credentials to the client, which keeps them from other servers and from messages`,
    );
  }
}

function requireResponse(response: unknown, name: string): Response {
  const { body, bodyUsed, headers, status } = (isRecord(response) ? response : {}) as Partial<
    Response
  >;
  if (typeof status !== "number" || typeof headers?.get !== "function") {
    throw new TypeError(
      `${name} returned no Response: received ${
        describeValue(response)
      }; return what next() resolves with`,
    );
  }
  if (bodyUsed || body?.locked) {
    throw new TypeError(
      `${name} returned a Response whose body was read: return a new one, or read a clone`,
    );
  }
  return response as Response;
}
