/**
 * LimitRanges and ResourceQuotas.
 *
 * @module
 */

export { LIMIT_RANGE } from "./limit_range.ts";
export { admitLimits, confirmClaimLimits, confirmPodLimits } from "./limit_range_admission.ts";
export { RESOURCE_QUOTA } from "./resource_quota.ts";
