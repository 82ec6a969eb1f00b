/**
 * Transports: one connection pool per client, built on the HTTP client of the runtime (Deno, Node or Bun).
 *
 * Imports `config` for TLS settings, and `websocket` for connections that become WebSockets. The only folder of `client` that may use the runtime's own `fetch`.
 *
 * @module
 */

export { connectionsFree, runtimeTransport } from "./runtime_transport.ts";
export {
  type Fetch,
  injectedTransport,
  type ResponseKind,
  type Transport,
  type TransportRequest,
  UnsupportedError,
} from "./transport.ts";
export { injectedUpgrader, runtimeUpgrader } from "./upgrade.ts";
export type { Upgrade, Upgraded, Upgrader, UpgradeRequest } from "./upgraded.ts";
