/**
 * CustomResourceDefinitions: defaults, names, versions and structural schemas.
 *
 * @module
 */

export { approvalOf } from "./api_approval.ts";
export { CUSTOM_RESOURCE_DEFINITION } from "./custom_resource_definition.ts";
