/**
 * The spec of a Pod, in a Pod and in the template of a workload: defaults, validation and warnings.
 *
 * @module
 */

export { validateAccessModes, validateClaimSpec } from "./claim_spec.ts";
export { APP_ARMOR, withAppArmor } from "./app_armor.ts";
export {
  validateAnnotationsUpdate,
  validatePodAnnotations,
  validateProfiles,
} from "./pod_annotations.ts";
export { defaultPod, defaultPodSpec } from "./pod_defaults.ts";
export { defaultPodResources, withPodResources } from "./pod_level_resources.ts";
export { validatePodSpec } from "./pod_spec.ts";
export {
  changedTemplateWarnings,
  isNewGeneration,
  podNameWarnings,
  shownLabels,
  UNSELECTED,
  validatePodTemplate,
  validateRestarts,
  validateTemplate,
  validateTemplateAnnotations,
  validateTemplateLabels,
  workloadWarnings,
} from "./pod_template_validation.ts";
export { podTotals, podTotalsWithoutOverhead } from "./pod_totals.ts";
export { podStatusWarnings, podWarnings, templateWarnings } from "./pod_warnings.ts";
export { validateVolumeSource } from "./volume_sources.ts";
export { claimSpecWarnings, oldSourceWarnings } from "./volume_warnings.ts";
