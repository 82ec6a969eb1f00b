/**
 * What a client proves itself with, and what it trusts: tokens, passwords, exec plugins, certificates and authorities, read again
 * when they change.
 *
 * Imports `config`.
 *
 * @module
 */

export { createCredentials } from "./credentials.ts";
export type { Credentials, Proof } from "./proof.ts";
export { Trust } from "./trust.ts";
