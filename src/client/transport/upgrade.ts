import type { TransportSettings } from "../config/mod.ts";
import type { Upgrade, Upgrader } from "./upgraded.ts";

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
