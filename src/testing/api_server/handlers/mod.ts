/**
 * Request handlers: the pipeline that authenticates, authorizes and routes a request, and the verbs: read, create,
 * update, patch, delete, watch, subresources and reviews.
 *
 * Imports `access`, `discovery`, `http`, `kinds`, `patch`, `programs`, `schema`, `storage` and `values`. Only the files next to
 * this folder import it.
 *
 * @module
 */

export { DefinitionController } from "./definition_controller.ts";
export { resourcesOf } from "./definition_resources.ts";
export type { ServerContext } from "./exchange.ts";
export { type AcceptedUpgrade, upgradeOf } from "./pod_streams.ts";
export { RequestPipeline } from "./request_pipeline.ts";
export { FlowSchemaConditions } from "./flow_schema_conditions.ts";
export { RoleAggregator, withAggregatedRules } from "./role_aggregator.ts";
