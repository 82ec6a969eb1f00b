/**
 * Webhook configurations and ValidatingAdmissionPolicies with their bindings.
 *
 * @module
 */

export { VALIDATING_ADMISSION_POLICY } from "./validating_admission_policy.ts";
export { VALIDATING_ADMISSION_POLICY_BINDING } from "./validating_admission_policy_binding.ts";
export {
  MUTATING_WEBHOOK_CONFIGURATION,
  VALIDATING_WEBHOOK_CONFIGURATION,
} from "./webhook_configurations.ts";
