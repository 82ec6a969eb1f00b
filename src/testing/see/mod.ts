/**
 * The in-process API server as the source of a page: its watches and clients, the writes of each object, and what needs attention.
 *
 * @module
 */

export { ClusterSource, type ClusterSourceOptions } from "./cluster_source.ts";
export { seeCluster, type SeeClusterOptions } from "./see_cluster.ts";
