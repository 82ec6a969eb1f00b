/** TODO room. @module */

export { connectionsFree, runtimeTransport } from "./runtime_transport.ts";
export {
  type Fetch,
  injectedTransport,
  type Transport,
  type TransportRequest,
} from "./transport.ts";
