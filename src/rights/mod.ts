/**
 * The rights that a program needs: as RBAC rules, as flags of Deno, and whether it has them.
 *
 * A list of rights enters; YAML, flags, or an error that lists what is missing, leave. What a program needs is decided by
 * whoever makes the list.
 *
 * @module
 */

export { type DenoNeeds, denoPermissions } from "./deno_permissions.ts";
export { MissingRightsError } from "./missing_rights_error.ts";
export { type RbacOptions, rbacYaml } from "./rbac_yaml.ts";
export { requireRights, type RequireRightsOptions } from "./require_rights.ts";
export type { Right } from "./right.ts";
