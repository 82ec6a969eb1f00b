/**
 * Roles, ClusterRoles and their bindings.
 *
 * @module
 */

export { CLUSTER_ROLE } from "./cluster_role.ts";
export { CLUSTER_ROLE_BINDING } from "./cluster_role_binding.ts";
export { ROLE } from "./role.ts";
export { ROLE_BINDING } from "./role_binding.ts";
