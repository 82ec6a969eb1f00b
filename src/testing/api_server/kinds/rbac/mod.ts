/**
 * Roles, ClusterRoles and their bindings.
 *
 * @module
 */

export { CLUSTER_ROLE, ROLE } from "./roles.ts";
export { CLUSTER_ROLE_BINDING, ROLE_BINDING } from "./role_bindings.ts";
