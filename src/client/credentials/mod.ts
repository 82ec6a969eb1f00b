/**
 * Client credentials and certificates to trust: tokens, passwords, exec plugins, client certificates and CA
 * certificates. Files are read again every minute.
 *
 * Imports `base` and `config`.
 *
 * @module
 */

export { createCredentials } from "./credentials.ts";
export type { Credentials, Proof } from "./proof.ts";
export { Trust } from "./trust.ts";
