/**
 * FlowSchemas and PriorityLevelConfigurations.
 *
 * @module
 */

export { danglingOf } from "./dangling.ts";
export { FLOW_SCHEMA } from "./flow_schema.ts";
export { ALL_REQUESTS, MANDATORY_SCHEMAS } from "./mandatory.ts";
export { PRIORITY_LEVEL_CONFIGURATION } from "./priority_level_configuration.ts";
