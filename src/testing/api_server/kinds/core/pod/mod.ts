/**
 * Pods: admission, subresources, quality of service, quota usage and the columns of a Table.
 *
 * @module
 */

export { POD } from "./pod.ts";
export { topologyLabels } from "./topology_labels.ts";
