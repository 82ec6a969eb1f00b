/** TODO room. @module */

export { createCredentials } from "./credentials.ts";
export type { Credentials, Proof } from "./proof.ts";
export { Trust } from "./trust.ts";
