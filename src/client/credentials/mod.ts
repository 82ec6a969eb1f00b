/**
 * Client credentials and certificates to trust: tokens, passwords, exec plugins, client certificates and CA
 * certificates. Files are read again every minute.
 *
 * Imports `base` and `config`.
 *
 * @module
 */

export { createCredentialsProvider } from "./credentials.ts";
export type { Credentials, CredentialsProvider } from "./provider.ts";
export { Certificates } from "./certificates.ts";
