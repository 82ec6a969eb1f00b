/**
 * ResourceClaims, their templates, DeviceClasses, DeviceTaintRules and ResourceSlices.
 *
 * @module
 */

export { DEVICE_CLASS } from "./device_class.ts";
export { DEVICE_TAINT_RULE } from "./device_taint_rule.ts";
export { RESOURCE_CLAIM } from "./resource_claim.ts";
export { RESOURCE_CLAIM_TEMPLATE } from "./resource_claim_template.ts";
export { RESOURCE_SLICE } from "./resource_slice.ts";
