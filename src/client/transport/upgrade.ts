import type { ByteSocket } from "../../websocket/mod.ts";
import type { HeaderLine, TransportSettings } from "../config/mod.ts";

/** The answer to a request that the server has upgraded to a WebSocket (101). */
export interface Upgraded {
  /** The subprotocol that the server has chosen; empty if it has chosen none. */
  readonly protocol: string;
  /** The connection, from the first byte after the head of the answer. */
  readonly socket: ByteSocket;
}

/**
 * Opens WebSockets in place of the sockets of the runtime, for example those of an in-process server. The subprotocols that
 * are offered are in the header `Sec-WebSocket-Protocol` of the request. The answer is a connection, or the response of a
 * server that refuses.
 */
export type Upgrade = (request: Request) => Promise<Response | Upgraded>;

/** A request to open a WebSocket. */
export interface UpgradeRequest {
  /** The header lines, without those of the handshake. */
  readonly headers: readonly HeaderLine[];
  /** The subprotocols, the preferred one first. */
  readonly protocols: readonly string[];
  readonly signal: AbortSignal;
}

/** Opens WebSockets with the certificates of one configuration. */
export type Upgrader = (url: string, request: UpgradeRequest) => Promise<Response | Upgraded>;

/** Returns an upgrader that opens its connections with `given`. */
export function injectedUpgrader(given: Upgrade): Upgrader {
  return (url, { headers, protocols, signal }) => {
    const lines = headers.map(([name, value]): [string, string] => [name, value]);
    lines.push(["Upgrade", "websocket"], ["Sec-WebSocket-Protocol", protocols.join(", ")]);
    return given(new Request(url, { headers: lines, signal }));
  };
}

/** Returns an upgrader over the sockets of the runtime. */
export function runtimeUpgrader(settings: TransportSettings): Upgrader {
  return async (url, request) => {
    // Programs without a stream do not load sockets and the handshake.
    const { openUpgraded } = await import("./open_upgraded.ts");
    return await openUpgraded(new URL(url), request, settings);
  };
}
