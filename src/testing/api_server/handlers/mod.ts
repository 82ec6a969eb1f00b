/**
 * What the server does with each verb: read, create, update, patch, delete, watch, subresources and reviews; and the pipeline that
 * a request goes through before that.
 *
 * Imports all other rooms of the server; only `api_server.ts` imports it.
 *
 * @module
 */

export { DefinitionController, resourcesOf } from "./definition_controller.ts";
export type { ServerContext } from "./exchange.ts";
export { RequestPipeline } from "./request_pipeline.ts";
export { allocateAddresses } from "./service_addresses.ts";
