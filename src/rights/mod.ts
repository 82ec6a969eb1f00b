/**
 * The rights of a program: RBAC rules, flags of Deno, and a check against the API server.
 *
 * {@linkcode rbacYaml} prints the RBAC objects for a list of rights. {@linkcode requireRights} asks the API server whether a
 * client has the rights. {@linkcode denoPermissions} returns flags of `deno run`.
 *
 * @module
 */

export { type DenoNeeds, denoPermissions } from "./deno_permissions.ts";
export { MissingRightsError } from "./missing_rights_error.ts";
export { type RbacOptions, rbacYaml } from "./rbac_yaml.ts";
export { RequestGuard, type RequestGuardOptions } from "./request_guard.ts";
export { requireRights, type RequireRightsOptions } from "./require_rights.ts";
export type { Right } from "./right.ts";
