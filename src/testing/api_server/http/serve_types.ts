import type { ByteSocket } from "@kubeloop/controller/websocket";
import type { ApiError } from "../../values/mod.ts";

/** A request that was accepted as a WebSocket. */
export interface ServedUpgrade {
  /** The subprotocol. */
  readonly protocol: string;
  /** Takes over the connection. */
  serve(socket: ByteSocket): void;
}

/** Answers the requests of a socket. */
export interface Responder {
  /** Answers a request, as `fetch` does. A rejection drops the connection. */
  readonly answer: (request: Request) => Promise<Response>;
  /** Answers a request to open a WebSocket. Default: as `answer` does. */
  readonly upgrade?: ((request: Request) => Promise<Response | ServedUpgrade>) | undefined;
  /** Returns the answer to a request that cannot be answered. */
  readonly refuse: (error: ApiError) => Response;
}

/** The address and the TLS configuration to serve at. */
export interface ServeOptions {
  /** The port. Default: 0, which picks a free port. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: `127.0.0.1`, which other machines cannot reach. */
  readonly hostname?: string | undefined;
  /**
   * More host names and IP addresses at which clients call this server, such as `host.docker.internal`. Requests for
   * other hosts than these, `hostname`, `localhost`, `127.0.0.1` and `[::1]` get a 403, and so do requests of web pages
   * of other origins: any page that a browser on this machine shows could otherwise use the server. Default: none.
   */
  readonly acceptHosts?: readonly string[] | undefined;
  /** The certificate and the private key to serve TLS with, both in PEM. Default: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Stops the server when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** An API server that listens on a socket. */
export interface ServedApi {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** The port that the server listens on. */
  readonly port: number;
  /** Resolves when the server has stopped. */
  readonly finished: Promise<void>;
  /**
   * Stops the server: open responses get half a second to end, then their connections are cut. Resolves when the server
   * has stopped.
   */
  close(): Promise<void>;
}
