/**
 * Pods: admission, subresources, quality of service, quota usage and the columns of a Table.
 *
 * @module
 */

export { POD } from "./pod.ts";
export { topologyLabels } from "./pod_admission.ts";
