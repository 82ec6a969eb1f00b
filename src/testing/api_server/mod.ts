/**
 * An API server in this process.
 *
 * @module
 */

export { ApiServer, type ApiServerOptions } from "./api_server.ts";
export type { TokenUser } from "./authentication.ts";
export type { Cut } from "./fault_bodies.ts";
export { type Fault, FaultInjector, type FaultRequest, type FaultTarget } from "./faults.ts";
export type { ServedApi, ServeOptions } from "./serve_types.ts";
export type { ServerState, StateObject } from "./server_state.ts";
