/**
 * The controllers that run inside the API server: they serve CustomResourceDefinitions, aggregate ClusterRoles, and set
 * the conditions of FlowSchemas.
 *
 * Writes enter; further writes leave, and the resources that the registry serves. Imports `access`, `kinds`, `schema`,
 * `storage` and `values`.
 *
 * @module
 */

export { Controllers } from "./controllers.ts";
export type { ControllerContext } from "./controller_context.ts";
export { markDefinition } from "./definition_controller.ts";
export { resourcesOf } from "./definition_resources.ts";
export { withAggregatedRules } from "./role_aggregator.ts";
