import type { SocketLike } from "../websocket/mod.ts";
import type { HttpScheme, RequestHead } from "./request_head.ts";
import type { TlsMaterial } from "./tls.ts";

/**
 * Takes over the connection of an accepted upgrade: sends the response, and serves the protocol.
 *
 * @param socket The connection.
 * @param first The bytes that followed the request.
 * @internal
 */
export type TakeSocket = (socket: SocketLike, first: Uint8Array) => void;

/**
 * Answers the requests of a socket.
 *
 * @internal
 */
export interface Service {
  /** Returns the URL of a request that may be answered. If it throws, `refuse` answers the error. */
  readonly urlOf: (head: RequestHead) => URL;
  /** Answers a request, as `fetch` does. A rejection drops the connection. */
  readonly answer: (request: Request) => Promise<Response>;
  /**
   * Answers a request to upgrade the connection. Whatever it does not accept gets its response. Default: such requests
   * are answered like all others.
   */
  readonly upgrade?: ((request: Request) => Promise<Response | TakeSocket>) | undefined;
  /** Returns the answer to a request that cannot be answered: an `UnreadableRequest`, or what `urlOf` has thrown. */
  readonly refuse: (error: unknown) => Response;
  /** Called with the error of a response that could not be sent to its end. */
  readonly unsent?: (error: unknown) => void;
}

/**
 * How long clients may take, and how much they may send.
 *
 * @internal
 */
export interface ListenLimits {
  /** For a TLS handshake, and for the head of a request, in milliseconds. */
  readonly headMs: number;
  /** For a request with its body, in milliseconds. The response, such as a watch, may take any time. */
  readonly requestMs: number;
  /** The interval in which the server checks both, in milliseconds. */
  readonly checkMs: number;
  /** The maximum number of connections. A new one replaces the connection that has been idle for the longest time. */
  readonly maxConnections: number;
  /** The number of bytes of a request body at most. Reading a longer body fails with an `UnreadableRequest`. */
  readonly maxBodyBytes: number;
}

/**
 * Options of `listen`.
 *
 * @internal
 */
export interface ListenOptions {
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** The host name or IP address to listen on. */
  readonly hostname: string;
  /** The certificate and the private key to serve TLS with. Default: plain HTTP. */
  readonly tls?: TlsMaterial | undefined;
  /** The limits that differ from the default. */
  readonly limits?: Partial<ListenLimits> | undefined;
}

/**
 * A socket that is listened on.
 *
 * @internal
 */
export interface Listening {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** The scheme of the URL. */
  readonly scheme: HttpScheme;
  /** The port. */
  readonly port: number;
  /** Resolves when the server has stopped. */
  readonly finished: Promise<void>;
  /** Serves new connections with another certificate. Requires that the server was started with TLS. */
  replaceTls(tls: TlsMaterial): Promise<void>;
  /** Stops the server: open responses get `graceMs` milliseconds to end, then their connections are cut. */
  close(graceMs: number): Promise<void>;
  /** Stops the server and cuts all connections. */
  cut(): void;
}
