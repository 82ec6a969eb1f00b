/**
 * Authentication and authorization: bearer tokens, impersonation, RBAC.
 *
 * Imports `http`, `storage` and `values`.
 *
 * @module
 */

export { Authenticator, type TokenUser, type UserInfo } from "./authentication.ts";
export { attributesOf, Authorizer, RBAC_GROUP, refusal, showErrors } from "./authorization.ts";
export { refuseEscalation } from "./escalation.ts";
export { impersonate } from "./impersonation.ts";
export type { AccessAttributes, PolicyRule } from "./policy_rule.ts";
