/**
 * The in-process API server as the source of a page: its watches and clients, the writes of each object, and what needs attention.
 *
 * @module
 */

export { ClusterSource, type ClusterSourceOptions, type SeenServer } from "./cluster_source.ts";
export { seeCluster, type SeeClusterOptions, serveCluster } from "./see_cluster.ts";
