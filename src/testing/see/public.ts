/**
 * The entry point `./see`: a page that shows what the clients of the in-process API server do.
 *
 * @module
 */

export type { SeePage } from "@kubeloop/controller/internal/see";
export type { SeenServer } from "./cluster_source.ts";
export { seeCluster, type SeeClusterOptions } from "./see_cluster.ts";
