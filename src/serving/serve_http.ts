import {
  checkedElsewhere,
  defaultLogger,
  describeError,
  describeValue,
  ENVIRONMENT_CHECKS,
  hostInUrl,
  isCount,
  isDelay,
  isName,
  isSignal,
  type Logger,
  onAbort,
  type OptionChecks,
  requireFunctions,
  requireOptions,
  safeLogger,
} from "../base/mod.ts";
import { listen } from "./lazy.ts";
import { type HttpScheme, type RequestHead, UnreadableRequest } from "./request_head.ts";
import type { Service } from "./service.ts";
import type { TlsMaterial } from "./tls.ts";

/** Larger than any object that an API server accepts, and than any review of one with its old version. */
const DEFAULT_MAX_BODY_BYTES = 16 * 1024 * 1024;

const DEFAULT_DRAIN_MS = 10_000;

/** An API server holds a few connections to a webhook, and a cluster has a few scrapers. */
const MAX_CONNECTIONS = 1_000;

/** Answers a request, as the handlers of `Deno.serve` and `Bun.serve` do. */
export type HttpHandler = (request: Request) => Response | Promise<Response>;

/** Options of {@linkcode serveHttp}. */
export interface ServeHttpOptions {
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** The host name or IP address to listen on. Default: `0.0.0.0`, which is every IPv4 address; `::` adds IPv6. */
  readonly hostname?: string | undefined;
  /** The certificate and the private key to serve TLS with. Default: plain HTTP. */
  readonly tls?: TlsMaterial | undefined;
  /** The number of bytes of a request body at most; a longer body is answered with 413. Default: 16 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** How long running requests may take to end after the stop, in milliseconds; then they are cut. Default: 10,000. */
  readonly drainMs?: number | undefined;
  /** Receives the errors of the handler. Default: a logger that writes to the console. */
  readonly logger?: Logger | undefined;
  /** Stops the server when it aborts, as `close()` does. */
  readonly signal?: AbortSignal | undefined;
}

/** A running server. */
export interface HttpServer extends AsyncDisposable {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** The port that the server listens on. */
  readonly port: number;
  /** Resolves when the server has stopped and every connection is closed. */
  readonly finished: Promise<void>;
  /**
   * Serves new connections with another certificate. Open connections keep their certificate.
   *
   * @throws {TypeError} If the server has no TLS, or the certificate or the key is not PEM.
   * @throws {Error} If the certificate and the key cannot be used together. The server then keeps the previous ones.
   */
  replaceTls(tls: TlsMaterial): Promise<void>;
  /**
   * Stops the server: it accepts no connection any more, idle connections are closed, running requests get `drainMs`
   * to end, and then their connections are cut. Resolves when the server has stopped.
   */
  close(): Promise<void>;
}

/**
 * Serves a fetch handler on a socket, on Deno, Node and Bun.
 *
 * A handler that throws is answered with a 500 without details, and its error is logged. Connections that do not send
 * the head of a request within 10 seconds, or a whole request within 30, are closed. When there are 1,000 connections,
 * a new connection replaces the connection that has been idle for the longest time.
 *
 * @param handler Answers the requests. `request.signal` aborts when the client leaves.
 * @param options The port, TLS and limits.
 * @returns The server, which listens.
 * @throws {Error} If the port cannot be listened on, or the certificate and the key cannot be used.
 * @throws {TypeError} If the handler is not a function, or the certificate or the key is not PEM.
 * @throws {RangeError} If a number of the options is out of range.
 *
 * @example
 * ```ts
 * import { serveHttp } from "@kubeloop/controller/serving";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = (request: Request) => new Response(new URL(request.url).pathname);
 * const server = await serveHttp(handler, { port: 0, hostname: "127.0.0.1" });
 * const response = await fetch(`${server.url}/healthz`);
 * assertEquals(await response.text(), "/healthz");
 * await server.close();
 * ```
 */
export async function serveHttp(
  handler: HttpHandler,
  options: ServeHttpOptions,
): Promise<HttpServer> {
  requireFunctions({ handler });
  requireOptions("serveHttp()", options, CHECKS);
  const { port, hostname = "0.0.0.0", tls, drainMs = DEFAULT_DRAIN_MS, signal } = options;
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
  requirePort("port", port);
  signal?.throwIfAborted();
  const logger = safeLogger(options.logger ?? defaultLogger);
  const limits = { maxConnections: MAX_CONNECTIONS, maxBodyBytes };
  const listening = await listen(
    (address, scheme) => serviceOf(handler, { address, scheme, logger }),
    { port, hostname, tls, limits },
  );
  const close = () => listening.close(drainMs);
  const release = onAbort(signal, close);
  return {
    url: listening.url,
    port: listening.port,
    finished: listening.finished.finally(release),
    replaceTls: async (next) => {
      if (listening.scheme === "https") return await listening.replaceTls(next);
      throw new TypeError("Cannot replace the certificate: the server was started without tls");
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const CHECKS: OptionChecks<ServeHttpOptions> = {
  // It is needed, so it is checked also if it is undefined.
  port: checkedElsewhere,
  hostname: isName,
  tls: checkedElsewhere,
  maxBodyBytes: isCount(1),
  drainMs: isDelay,
  logger: ENVIRONMENT_CHECKS.logger,
  signal: isSignal,
};

/**
 * Checks the port to listen on.
 *
 * @throws {RangeError} If it is not a whole number from 0 to 65535.
 * @internal
 */
export function requirePort(name: string, port: unknown): void {
  if (Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535) return;
  throw new RangeError(
    `${name} must be a whole number from 0 to 65535: received ${describeValue(port)}`,
  );
}

/** Where a handler is served. */
interface Place {
  readonly address: string;
  readonly scheme: HttpScheme;
  readonly logger: Logger;
}

function serviceOf(handler: HttpHandler, { address, scheme, logger }: Place): Service {
  return {
    urlOf: (head) => urlOf(head, scheme, address),
    refuse: (error) =>
      error instanceof UnreadableRequest
        ? textResponse(error.code, error.message)
        : textResponse(400, "The request cannot be read"),
    unsent: (error) => logger.error(`A response was cut off: ${describeError(error)}`),
    answer: async (request) => {
      try {
        const response = await handler(request);
        if (isResponse(response)) return response;
        throw new TypeError("The handler must return a Response whose body is not used");
      } catch (error) {
        if (error instanceof UnreadableRequest) return textResponse(error.code, error.message);
        // A client that has left is not a failure of the handler.
        if (!request.signal.aborted) {
          const { pathname } = new URL(request.url);
          logger.error(`${request.method} ${pathname} failed: ${describeError(error)}`);
        }
        return textResponse(500, "Internal Server Error");
      }
    },
  };
}

/** Returns the URL of a request, with the host that the client has called. */
function urlOf(head: RequestHead, scheme: HttpScheme, address: string): URL {
  const { method, target, values } = head;
  if (method === "CONNECT" || method === "TRACE" || method === "TRACK") {
    throw new UnreadableRequest(405, `The method ${method} is not supported`);
  }
  const hosts = values("host");
  if (hosts.length > 1) {
    throw new UnreadableRequest(400, "The request has more than one Host header");
  }
  const host = hosts[0] || hostInUrl(address);
  const text = target.startsWith("/") ? `${scheme}://${host}${target}` : target;
  // A host with a slash or a user would move the path; a client sends a whole URL to a proxy only.
  if (!/[/\\?#@]/.test(host) && /^https?:\/\//i.test(text) && URL.canParse(text)) {
    return new URL(text);
  }
  throw new UnreadableRequest(400, "The request target or the Host header is malformed");
}

/** Reports whether a handler has returned what can be sent. Plain JavaScript may return anything. */
function isResponse(value: unknown): boolean {
  return value instanceof Response && !value.bodyUsed;
}

function textResponse(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
