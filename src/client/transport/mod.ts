/**
 * How requests leave the process: one connection pool per client, made from what the runtime has (Deno, Node or Bun).
 *
 * Imports `config` for TLS settings. The only room of `client` that may use the runtime's own `fetch`.
 *
 * @module
 */

export { connectionsFree, runtimeTransport } from "./runtime_transport.ts";
export {
  type Fetch,
  injectedTransport,
  type Transport,
  type TransportRequest,
  UnsupportedError,
} from "./transport.ts";
