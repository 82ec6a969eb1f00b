import type { ByteSocket } from "../../websocket/mod.ts";
import type { HeaderLine } from "../config/mod.ts";

/** The answer to a request that the server has upgraded to a WebSocket (101). */
export interface Upgraded {
  /** The subprotocol that the server has chosen; empty if it has chosen none. */
  readonly protocol: string;
  /** The connection, from the first byte after the head of the answer. */
  readonly socket: ByteSocket;
}

/**
 * Opens WebSockets in place of the sockets of the runtime, for example connections to an in-process server. The
 * subprotocols that are offered are in the header `Sec-WebSocket-Protocol` of the request. The answer is a connection,
 * or the response of a server that refuses.
 */
export type Upgrade = (request: Request) => Promise<Response | Upgraded>;

/** A request to open a WebSocket. */
export interface UpgradeRequest {
  /** The header lines, without the lines of the handshake. */
  readonly headers: readonly HeaderLine[];
  /** The subprotocols, the preferred one first. */
  readonly protocols: readonly string[];
  readonly signal: AbortSignal;
}

/** Opens WebSockets with the certificates of one configuration. */
export type Upgrader = (url: string, request: UpgradeRequest) => Promise<Response | Upgraded>;
