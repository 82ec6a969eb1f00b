/**
 * FlowSchemas and PriorityLevelConfigurations.
 *
 * @module
 */

export { danglingOf, FLOW_SCHEMA } from "./flow_schema.ts";
export { ALL_REQUESTS, MANDATORY_SCHEMAS } from "./mandatory.ts";
export { PRIORITY_LEVEL_CONFIGURATION } from "./priority_level_configuration.ts";
