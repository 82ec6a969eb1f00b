/**
 * The Pod Security Standards, and the admission plugin that enforces them in a namespace.
 *
 * @module
 */

export {
  confirmPodSecurity,
  isSignificantUpdate,
  podSecurityLabelErrors,
  warnOfPodSecurity,
  warnOfPresentPods,
} from "./admission.ts";
export { refusedPod } from "./refused_pod.ts";
