import type { Clock, Logger } from "../base/mod.ts";
import type { HttpHandler, HttpServer, ServeHttpOptions } from "../serving/mod.ts";
import type { SeeSource } from "./model.ts";
import { SeeHandler } from "./see_handler.ts";

/** How long running requests may take to end after the stop, in milliseconds. The streams end at once. */
const DRAIN_MS = 1_000;
const MAX_BODY_BYTES = 65_536;
const TOKEN_BYTES = 24;

/** Options of {@linkcode serveSee}. */
export interface ServeSeeOptions {
  /** Serves the page: `serveHttp`. Given, because bundlers would put the server into each program that may open a page. */
  readonly serve: (handler: HttpHandler, options: ServeHttpOptions) => Promise<HttpServer>;
  /** The port on 127.0.0.1; 0 picks a free one. Default 0. */
  readonly port?: number | undefined;
  /** The token that each request needs, of at least 16 characters. Default: a new random one. */
  readonly token?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  /** Stops the server. */
  readonly signal?: AbortSignal | undefined;
}

/** A page that is served. */
export interface SeePage extends AsyncDisposable {
  /** The URL to open, with the token: `http://127.0.0.1:41234/?token=…`. A person with the URL can read the stories, and act. */
  readonly url: string;
  /** The port. */
  readonly port: number;
  /** Resolves when the server has stopped. */
  readonly finished: Promise<void>;
}

/**
 * Serves the page of a source on the loopback interface.
 *
 * @throws {Error} If the port cannot be listened on.
 * @throws {TypeError | RangeError} If an option cannot be used.
 */
export async function serveSee(source: SeeSource, options: ServeSeeOptions): Promise<SeePage> {
  const { clock, logger } = options;
  return await servePage(options, (token) => new SeeHandler(source, { token, clock, logger }));
}

/** The handler of a page. */
export interface PageHandler {
  /** Answers a request. It never rejects. */
  readonly answer: (request: Request) => Promise<Response>;
  /** Ends open streams. */
  close(): void;
}

/** Serves the handler that `make` returns for a token on the loopback interface. */
export async function servePage(
  { logger, port = 0, serve, signal, token = newToken() }: ServeSeeOptions,
  make: (token: string) => PageHandler,
): Promise<SeePage> {
  const handler = make(token);
  const server = await serve(handler.answer, {
    port,
    hostname: "127.0.0.1",
    maxBodyBytes: MAX_BODY_BYTES,
    drainMs: DRAIN_MS,
    logger,
  });
  const close = async () => {
    handler.close();
    await server.close();
  };
  const stop = () => void close();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  return {
    url: `http://127.0.0.1:${server.port}/?token=${token}`,
    port: server.port,
    finished: server.finished.finally(() => signal?.removeEventListener("abort", stop)),
    [Symbol.asyncDispose]: close,
  };
}

/** Returns a random token. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
