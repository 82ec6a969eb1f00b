/**
 * Webhook configurations and admission policies with their bindings.
 *
 * @module
 */

export { MUTATING_ADMISSION_POLICY } from "./mutating_admission_policy.ts";
export {
  MUTATING_ADMISSION_POLICY_BINDING,
  VALIDATING_ADMISSION_POLICY_BINDING,
} from "./policy_bindings.ts";
export { EXCLUDES_VIRTUAL, VIRTUAL_RESOURCES } from "./virtual_resources.ts";
export { VALIDATING_ADMISSION_POLICY } from "./validating_admission_policy.ts";
export {
  MUTATING_WEBHOOK_CONFIGURATION,
  VALIDATING_WEBHOOK_CONFIGURATION,
} from "./webhook_configurations.ts";
