/**
 * Authentication and authorization: bearer tokens, impersonation, RBAC.
 *
 * Imports `http`, `storage` and `values`.
 *
 * @module
 */

export { accountGroups, AccountTokens, ISSUER, type TokenOrder } from "./account_tokens.ts";
export { Authenticator, type TokenUser } from "./authentication.ts";
export { attributesOf, Authorizer, RBAC_GROUP, refusal, showErrors } from "./authorization.ts";
export { refuseEscalation } from "./escalation.ts";
export { Impersonator } from "./impersonation.ts";
export { KEY_BYTES, TokenKey } from "./token_key.ts";
export type { UserInfo } from "./user_info.ts";
export type { AccessAttributes, PolicyRule } from "./policy_rule.ts";
