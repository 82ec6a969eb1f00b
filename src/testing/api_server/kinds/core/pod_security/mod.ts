/**
 * The Pod Security Standards, and the admission plugin that enforces them in a namespace.
 *
 * @module
 */

export {
  confirmPodSecurity,
  isSignificantUpdate,
  podSecurityLabelErrors,
  refusedPod,
  warnOfPodSecurity,
  warnOfPresentPods,
} from "./admission.ts";
