/**
 * Request handlers: the pipeline that authenticates, authorizes and routes a request, and the verbs: read, create,
 * update, patch, delete, watch, subresources and reviews.
 *
 * Imports `access`, `discovery`, `http`, `kinds`, `patch`, `programs`, `schema`, `storage` and `values`. Only the files next to
 * this folder import it.
 *
 * @module
 */

export type { ServerContext } from "./exchange.ts";
export { type AcceptedUpgrade, upgradeOf } from "./pod_streams.ts";
export type { ServerRequest } from "./request_observers.ts";
export { RequestPipeline } from "./request_pipeline.ts";
