/**
 * Authentication and authorization: bearer tokens, impersonation, RBAC.
 *
 * Imports `http`, `storage` and `values`.
 *
 * @module
 */

export { Authenticator, type TokenUser, type UserInfo } from "./authentication.ts";
export { type AccessAttributes, attributesOf, Authorizer } from "./authorization.ts";
export { impersonate } from "./impersonation.ts";
